"""Checks the size of requests and buffers their bodies before a thread handles them.

Django reads a body in the thread that answers, so a dozen slow senders would block all threads. Here a slow sender
costs a temporary file, and is refused below a minimum rate. Only authenticated clients may upload large files.
"""

import asyncio
import logging
import tempfile
import time
from contextlib import suppress
from typing import IO

from deploy.address_quota import AddressQuota, client_network
from deploy.asgi_call import App, Message, Receive, Scope, Send
from deploy.request_refusals import (
    ADDRESS_TOO_LONG,
    BUSY,
    HEAD_TOO_LARGE,
    NOT_AUTHENTICATED,
    TOO_LONG,
    TOO_MANY,
    TOO_SLOW,
    UNREADABLE,
    RequestRefused,
    send_refusal,
)
from deploy.stream_auth import AuthUnavailable, authorize

log = logging.getLogger(__name__)

MAX_ADDRESS, MAX_HEAD, MAX_HEADERS = 8 * 1024, 32 * 1024, 100
MAX_BODY = 200 * 1024 * 1024
IN_MEMORY = 64 * 1024
LENGTH_HEADERS = (b"content-length", b"transfer-encoding")
MAX_SMALL_BODY = 2 * 1024 * 1024
"""For clients without credentials."""
MAX_SMALL_BODIES, MAX_LARGE_BODIES = 128 * 1024 * 1024, 4 * MAX_BODY
"""Totals of the buffered bodies. An address, or for large bodies a client, may use as much as remains free."""
MAX_UNDECLARED_BODY = 16 * 1024 * 1024
"""For authenticated clients that send no Content-Length."""
CHUNK = 64 * 1024
SILENCE_SECONDS = 20.0
GRACE_SECONDS = 15.0
MIN_BYTES_PER_SECOND = 4 * 1024
"""Applies after GRACE_SECONDS. A tenth of the rate measured in the worst hall."""


class ClientDisconnected(Exception):
    """The client closed the connection."""


class BodyLimits:
    """ASGI middleware in front of Django's threads."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._small_bodies, self._large_bodies = AddressQuota(), AddressQuota()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            _check_head(scope)
            scope = {**scope, "headers": _unambiguous_headers(scope)}
            if not _has_body(scope):
                await self._app(scope, receive, send)
                return
            quota, client, limit = await self._room(scope)
            with quota.reserved(client, limit):
                await self._buffer_body(scope, receive, send, limit)
        except RequestRefused as refused:
            await send_refusal(scope, send, refused.refusal)
        except ClientDisconnected:
            return

    async def _room(self, scope: Scope) -> tuple[AddressQuota, str, int]:
        """Returns the quota, whose share of it the body uses, and how long the body may be. Raises RequestRefused."""
        address, length = client_network(scope), _content_length(scope)
        if 0 < length <= MAX_SMALL_BODY and self._small_bodies.has_room(address, MAX_SMALL_BODIES, length):
            return self._small_bodies, address, length
        if client := await self._credentials(scope):
            length = length or MAX_UNDECLARED_BODY
            if not self._large_bodies.has_room(client, MAX_LARGE_BODIES, length):
                raise RequestRefused(TOO_MANY)
            return self._large_bodies, client, length
        if length > MAX_SMALL_BODY:
            raise RequestRefused(NOT_AUTHENTICATED)
        length = length or MAX_SMALL_BODY
        if not self._small_bodies.has_room(address, MAX_SMALL_BODIES, length):
            raise RequestRefused(BUSY)
        return self._small_bodies, address, length

    async def _credentials(self, scope: Scope) -> str:
        """Returns the valid credentials, or an empty string. Raises RequestRefused if Django cannot check them."""
        try:
            return " ".join(sorted((await authorize(self._app, scope)).credentials))
        except AuthUnavailable:
            raise RequestRefused(BUSY) from None

    async def _buffer_body(self, scope: Scope, receive: Receive, send: Send, limit: int) -> None:
        with tempfile.SpooledTemporaryFile(max_size=IN_MEMORY) as body:
            length = await _read_body(receive, body, limit)
            body.seek(0)
            headers = [header for header in scope["headers"] if header[0] not in LENGTH_HEADERS]
            headers.append((b"content-length", str(length).encode()))
            await self._app({**scope, "headers": headers}, _replay(body, length, receive), send)


def _check_head(scope: Scope) -> None:
    """Raises RequestRefused."""
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
    """Drops names such as X_Forwarded_Proto: WSGI cannot distinguish them from the proxy's X-Forwarded-Proto."""
    return [header for header in scope["headers"] if b"_" not in header[0]]


def _content_length(scope: Scope) -> int:
    """Returns 0 if the client sends no length, and more than MAX_BODY for an invalid one."""
    header = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
    return int(header) if header.isdigit() and len(header) < 16 else MAX_BODY + 1


def _has_body(scope: Scope) -> bool:
    return any(
        name == b"transfer-encoding" or (name == b"content-length" and value != b"0")
        for name, value in scope["headers"]
    )


async def _read_body(receive: Receive, body: IO[bytes], limit: int) -> int:
    """Reads the whole body into `body` and returns its length.

    Raises ClientDisconnected, and RequestRefused for a body that is too slow or longer than `limit`.
    """
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
        if time.monotonic() - started_at > GRACE_SECONDS + length / MIN_BYTES_PER_SECOND:
            raise RequestRefused(TOO_SLOW)


def _write_chunk(piece: bytes, body: IO[bytes]) -> None:
    """Flushes each chunk, so that a full disk is noticed here. Raises RequestRefused."""
    try:
        body.write(piece)
        body.flush()
    except OSError as error:
        with suppress(OSError):  # close flushes again
            body.close()
        log.warning("a request body could not be stored; is the disk full? (%s)", error)
        raise RequestRefused(BUSY) from None


def _replay(body: IO[bytes], length: int, receive: Receive) -> Receive:
    """Returns a receive function that yields the buffered body in chunks, then the client's further messages."""
    is_over = False

    async def give() -> Message:
        nonlocal is_over
        if is_over:
            return await receive()
        piece = body.read(CHUNK)
        is_over = body.tell() >= length
        return {"type": "http.request", "body": piece, "more_body": not is_over}

    return give
