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

from deploy.address_quota import AddressQuota, client_network
from deploy.security_headers import ASGI_HEADERS
from deploy.stream_auth import AuthUnavailable, authorize

log = logging.getLogger(__name__)

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

MAX_ADDRESS, MAX_HEAD, MAX_HEADERS = 8 * 1024, 32 * 1024, 100
MAX_BODY = 200 * 1024 * 1024
IN_MEMORY = 64 * 1024
MAX_SMALL_BODY = 2 * 1024 * 1024
MAX_SMALL_BODIES = 128 * 1024 * 1024
"""Small bodies at a time, all together. Beyond it only players, staff and programs are heard."""
MAX_MEDIUM_BODY, MAX_LARGE_BODIES = 16 * 1024 * 1024, 4
CHUNK = 64 * 1024
SILENCE_SECONDS = 20.0
GRACE_SECONDS = 15.0
MIN_BYTES_PER_SECOND = 4 * 1024
"""Bytes a second, after the grace: a tenth of what the worst of halls gives."""
MIN_BYTES_PER_SECOND_LARGE = 32 * 1024


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
NOT_AUTHENTICATED = Refusal(
    413,
    "not-known",
    "Long files are for those who are known here. Open your link or sign in, then send it again.",
)
TOO_MANY = Refusal(
    503, "too-many-files", "Too many large files arrive just now. Send yours again in a minute."
)
BUSY = Refusal(503, "not-now", "This cannot be taken in just now. Send it again in a minute.")


class ClientDisconnected(Exception):
    """Whoever asked has hung up."""


class RequestRefused(Exception):
    """The request is refused; carries the Refusal."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.code)
        self.refusal = refusal


class BodyLimits:
    """Stands right before Django."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._large_uploads: list[frozenset[str]] = []
        self._small_bodies = AddressQuota()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            _check_head(scope)
            if not _has_body(scope):
                await self._app({**scope, "headers": _unambiguous_headers(scope)}, receive, send)
            elif 0 < _content_length(scope) <= MAX_SMALL_BODY and self._has_room(scope):
                await self._buffer_small_body(scope, receive, send)
            else:
                await self._take_in_if_allowed(scope, receive, send)
        except RequestRefused as refused:
            await send_refusal(scope, send, refused.refusal)
        except ClientDisconnected:
            return

    async def _take_in_if_allowed(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Strangers send nothing long, and nothing beyond their share. An unknown length counts as the longest."""
        try:
            credentials = frozenset((await authorize(self._app, scope)).credentials)
        except AuthUnavailable:
            raise RequestRefused(BUSY) from None
        if not credentials and _content_length(scope) > MAX_SMALL_BODY:
            raise RequestRefused(NOT_AUTHENTICATED)
        if not credentials and not self._has_room(scope):
            raise RequestRefused(BUSY)
        if not credentials:
            await self._buffer_small_body(scope, receive, send)
        elif _content_length(scope) <= MAX_MEDIUM_BODY:
            await self._buffer_body(scope, receive, send, MAX_MEDIUM_BODY)
        else:
            with self._large_upload(credentials):
                await self._buffer_body(scope, receive, send, MAX_BODY)

    def _has_room(self, scope: Scope) -> bool:
        return self._small_bodies.has_room(
            client_network(scope), MAX_SMALL_BODIES, _content_length(scope) or MAX_SMALL_BODY
        )

    async def _buffer_small_body(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self._small_bodies.reserved(client_network(scope), _content_length(scope) or MAX_SMALL_BODY):
            await self._buffer_body(scope, receive, send, MAX_SMALL_BODY)

    @contextmanager
    def _large_upload(self, credentials: frozenset[str]) -> Iterator[None]:
        if len(self._large_uploads) >= MAX_LARGE_BODIES or any(
            credentials & taken for taken in self._large_uploads
        ):
            raise RequestRefused(TOO_MANY)
        self._large_uploads.append(credentials)
        try:
            yield
        finally:
            self._large_uploads.remove(credentials)

    async def _buffer_body(self, scope: Scope, receive: Receive, send: Send, most: int) -> None:
        with tempfile.SpooledTemporaryFile(max_size=IN_MEMORY) as body:
            length = await _read_body(receive, body, most)
            body.seek(0)
            headers = [
                header
                for header in _unambiguous_headers(scope)
                if header[0] not in (b"content-length", b"transfer-encoding")
            ]
            headers.append((b"content-length", str(length).encode()))
            await self._app({**scope, "headers": headers}, _replay(body, length, receive), send)


def _check_head(scope: Scope) -> None:
    """Raises NotTaken."""
    if len(scope["path"]) + len(scope["query_string"]) > MAX_ADDRESS:
        raise RequestRefused(ADDRESS_TOO_LONG)
    headers = scope["headers"]
    if len(headers) > MAX_HEADERS or sum(len(name) + len(value) for name, value in headers) > MAX_HEAD:
        raise RequestRefused(HEAD_TOO_LARGE)
    if not scope["query_string"].isascii():
        raise RequestRefused(UNREADABLE)
    if _content_length(scope) > MAX_BODY:
        raise RequestRefused(TOO_LONG)


def _unambiguous_headers(scope: Scope) -> list[tuple[bytes, bytes]]:
    """Without names such as X_Forwarded_Proto, which Django could not tell from what a proxy says."""
    return [header for header in scope["headers"] if b"_" not in header[0]]


def _content_length(scope: Scope) -> int:
    header = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
    return int(header) if header.isdigit() and len(header) < 16 else MAX_BODY + 1


def _has_body(scope: Scope) -> bool:
    return any(
        name == b"transfer-encoding" or (name == b"content-length" and value != b"0")
        for name, value in scope["headers"]
    )


async def _read_body(receive: Receive, body: IO[bytes], limit: int) -> int:
    """All of it, into `body`; its length. Raises NotTaken for one that is too long or too slow, and Gone.

    Whoever does not tell the length beforehand is not counted among the large ones, so theirs must not become one.
    """
    slowest = MIN_BYTES_PER_SECOND_LARGE if limit > MAX_MEDIUM_BODY else MIN_BYTES_PER_SECOND
    started_at, length = time.monotonic(), 0
    while True:
        try:
            async with asyncio.timeout(SILENCE_SECONDS):
                message = await receive()
        except TimeoutError:
            raise RequestRefused(TOO_SLOW) from None
        if message["type"] == "http.disconnect":
            raise ClientDisconnected
        length += len(message.get("body", b""))
        if length > limit:
            raise RequestRefused(TOO_LONG)
        _write_chunk(message.get("body", b""), body)
        if not message.get("more_body", False):
            return length
        if time.monotonic() - started_at > GRACE_SECONDS + length / slowest:
            raise RequestRefused(TOO_SLOW)


def _write_chunk(piece: bytes, body: IO[bytes]) -> None:
    """Raises NotTaken where the disk has no room; what is only on its way there would say so too late."""
    try:
        body.write(piece)
        body.flush()
    except OSError as error:
        with suppress(OSError):  # closing tries once more
            body.close()
        log.warning("what is sent cannot be taken in, is the disk full? (%s)", error)
        raise RequestRefused(BUSY) from None


def _replay(body: IO[bytes], length: int, receive: Receive) -> Receive:
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


async def send_refusal(scope: Scope, send: Send, refusal: Refusal) -> None:
    """In the language of programs under the API, as a sentence elsewhere; the rest of the request is not waited for."""
    kind, text = b"text/plain; charset=utf-8", refusal.sentence
    if scope["path"].startswith("/api/"):
        kind = b"application/problem+json"
        problem = {"type": f"urn:problem:{refusal.code}", "title": refusal.code, "status": refusal.status}
        text = json.dumps({**problem, "code": refusal.code, "detail": refusal.sentence})
    body = text.encode()
    headers = [
        (b"content-type", kind),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
    ]
    if refusal.status == 503:
        headers.append((b"retry-after", str(refusal.seconds).encode()))
    await send(
        {"type": "http.response.start", "status": refusal.status, "headers": [*headers, *ASGI_HEADERS]}
    )
    await send({"type": "http.response.body", "body": body})
