"""Takes a request in before a thread is given to it: its head in bounds, its body whole.

Django reads a body in the thread that answers, so a dozen who send slowly would keep everybody else waiting. Here
they cost some memory or a file, and whoever sends too slowly, or without end, is sent away. The few places for large
files are for those who may send some at all: each of them has one at a time, and not for longer than it takes.
"""

import asyncio
import json
import logging
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from contextlib import contextmanager, suppress
from typing import IO, Any, NamedTuple

from deploy.address_quota import Shares, client_of
from deploy.security_headers import IN_BYTES
from deploy.stream_auth import NotSaid, ways_in

log = logging.getLogger(__name__)

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

LONGEST_ADDRESS, LONGEST_HEAD, MOST_HEADERS = 8 * 1024, 32 * 1024, 100
LONGEST_BODY = 200 * 1024 * 1024
IN_MEMORY = 64 * 1024
SMALL = 2 * 1024 * 1024
MOST_SMALL = 128 * 1024 * 1024
"""Small bodies at a time, all together. Beyond it only players, staff and programs are heard."""
LARGE, LARGE_AT_ONCE = 16 * 1024 * 1024, 4
CHUNK = 64 * 1024
SILENCE_SECONDS = 20.0
GRACE_SECONDS = 15.0
SLOWEST = 4 * 1024
"""Bytes a second, after the grace: a tenth of what the worst of halls gives."""
SLOWEST_LARGE = 32 * 1024


class Refusal(NamedTuple):
    """`code` is for programs; `seconds` are to be waited before the same is sent again."""

    status: int
    code: str
    sentence: str
    seconds: int = 60


ADDRESS_TOO_LONG = Refusal(
    414, "address-too-long", "This address is too long. Go back and try a shorter one."
)
HEAD_TOO_LARGE = Refusal(
    431, "headers-too-large", "The headers are too large. Delete the cookies of this site."
)
UNREADABLE = Refusal(400, "parse-error", "The request cannot be read.")
TOO_SLOW = Refusal(408, "too-slow", "This arrived too slowly. Send it again with a better connection.")
TOO_LONG = Refusal(413, "too-long", "This is too long. Send a smaller file.")
TOO_LONG_FOR_STRANGERS = Refusal(
    413,
    "not-known",
    "Long files are for those who are known here. Open your link or sign in, then send it again.",
)
TOO_MANY = Refusal(
    503, "too-many-files", "Too many large files arrive just now. Send yours again in a minute."
)
NOT_NOW = Refusal(503, "not-now", "This cannot be taken in just now. Send it again in a minute.")


class Gone(Exception):
    """Whoever asked has hung up."""


class NotTaken(Exception):
    """The request is refused; carries the Refusal."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.code)
        self.refusal = refusal


class Intake:
    """Stands right before Django."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._places: list[frozenset[str]] = []
        self._small = Shares()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            _look_at_head(scope)
            if not _has_body(scope):
                await self._app({**scope, "headers": _plain(scope)}, receive, send)
            elif 0 < _told_length(scope) <= SMALL and self._has_room(scope):
                await self._take_in_small(scope, receive, send)
            else:
                await self._take_in_if_known(scope, receive, send)
        except NotTaken as not_taken:
            await refuse(scope, send, not_taken.refusal)
        except Gone:
            return

    async def _take_in_if_known(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Strangers send nothing long, and nothing beyond their share. An unknown length counts as the longest."""
        try:
            ways = frozenset((await ways_in(self._app, scope)).ways)
        except NotSaid:
            raise NotTaken(NOT_NOW) from None
        if not ways and _told_length(scope) > SMALL:
            raise NotTaken(TOO_LONG_FOR_STRANGERS)
        if not ways and not self._has_room(scope):
            raise NotTaken(NOT_NOW)
        if not ways:
            await self._take_in_small(scope, receive, send)
        elif _told_length(scope) <= LARGE:
            await self._take_in(scope, receive, send, LARGE)
        else:
            with self._place(ways):
                await self._take_in(scope, receive, send, LONGEST_BODY)

    def _has_room(self, scope: Scope) -> bool:
        return self._small.has_room_for(client_of(scope), MOST_SMALL, _told_length(scope) or SMALL)

    async def _take_in_small(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self._small.held(client_of(scope), _told_length(scope) or SMALL):
            await self._take_in(scope, receive, send, SMALL)

    @contextmanager
    def _place(self, ways: frozenset[str]) -> Iterator[None]:
        if len(self._places) >= LARGE_AT_ONCE or any(ways & taken for taken in self._places):
            raise NotTaken(TOO_MANY)
        self._places.append(ways)
        try:
            yield
        finally:
            self._places.remove(ways)

    async def _take_in(self, scope: Scope, receive: Receive, send: Send, most: int) -> None:
        with tempfile.SpooledTemporaryFile(max_size=IN_MEMORY) as body:
            length = await _read(receive, body, most)
            body.seek(0)
            headers = [
                one for one in _plain(scope) if one[0] not in (b"content-length", b"transfer-encoding")
            ]
            headers.append((b"content-length", str(length).encode()))
            await self._app({**scope, "headers": headers}, _again(body, length, receive), send)


def _look_at_head(scope: Scope) -> None:
    """Raises NotTaken."""
    if len(scope["path"]) + len(scope["query_string"]) > LONGEST_ADDRESS:
        raise NotTaken(ADDRESS_TOO_LONG)
    headers = scope["headers"]
    if len(headers) > MOST_HEADERS or sum(len(name) + len(value) for name, value in headers) > LONGEST_HEAD:
        raise NotTaken(HEAD_TOO_LARGE)
    if not scope["query_string"].isascii():
        raise NotTaken(UNREADABLE)
    if _told_length(scope) > LONGEST_BODY:
        raise NotTaken(TOO_LONG)


def _plain(scope: Scope) -> list[tuple[bytes, bytes]]:
    """Without names such as X_Forwarded_Proto, which Django could not tell from what a proxy says."""
    return [one for one in scope["headers"] if b"_" not in one[0]]


def _told_length(scope: Scope) -> int:
    told = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
    return int(told) if told.isdigit() and len(told) < 16 else LONGEST_BODY + 1


def _has_body(scope: Scope) -> bool:
    return any(
        name == b"transfer-encoding" or (name == b"content-length" and value != b"0")
        for name, value in scope["headers"]
    )


async def _read(receive: Receive, body: IO[bytes], most: int) -> int:
    """All of it, into `body`; its length. Raises NotTaken for one that is too long or too slow, and Gone.

    Whoever does not tell the length beforehand is not counted among the large ones, so theirs must not become one.
    """
    slowest = SLOWEST_LARGE if most > LARGE else SLOWEST
    began, length = time.monotonic(), 0
    while True:
        try:
            async with asyncio.timeout(SILENCE_SECONDS):
                message = await receive()
        except TimeoutError:
            raise NotTaken(TOO_SLOW) from None
        if message["type"] == "http.disconnect":
            raise Gone
        length += len(message.get("body", b""))
        if length > most:
            raise NotTaken(TOO_LONG)
        _put_down(message.get("body", b""), body)
        if not message.get("more_body", False):
            return length
        if time.monotonic() - began > GRACE_SECONDS + length / slowest:
            raise NotTaken(TOO_SLOW)


def _put_down(piece: bytes, body: IO[bytes]) -> None:
    """Raises NotTaken where the disk has no room; what is only on its way there would say so too late."""
    try:
        body.write(piece)
        body.flush()
    except OSError as error:
        with suppress(OSError):  # closing tries once more
            body.close()
        log.warning("what is sent cannot be taken in, is the disk full? (%s)", error)
        raise NotTaken(NOT_NOW) from None


def _again(body: IO[bytes], length: int, receive: Receive) -> Receive:
    """What was read, piece by piece; after that whatever else comes from the asker."""
    is_over = False

    async def give() -> Message:
        nonlocal is_over
        if is_over:
            return await receive()
        piece = body.read(CHUNK)
        is_over = body.tell() >= length
        return {"type": "http.request", "body": piece, "more_body": not is_over}

    return give


async def refuse(scope: Scope, send: Send, refusal: Refusal) -> None:
    """In the language of programs under the API, as a sentence elsewhere; the rest of the request is not waited for."""
    kind, said = b"text/plain; charset=utf-8", refusal.sentence
    if scope["path"].startswith("/api/"):
        kind = b"application/problem+json"
        told = {"type": f"urn:problem:{refusal.code}", "title": refusal.code, "status": refusal.status}
        said = json.dumps({**told, "code": refusal.code, "detail": refusal.sentence})
    body = said.encode()
    headers = [
        (b"content-type", kind),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
    ]
    if refusal.status == 503:
        headers.append((b"retry-after", str(refusal.seconds).encode()))
    await send({"type": "http.response.start", "status": refusal.status, "headers": [*headers, *IN_BYTES]})
    await send({"type": "http.response.body", "body": body})
