"""A response of Django in the form that the cache sends: plain, gzipped, or 304 Not Modified."""

import gzip
import hashlib
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from dataclasses import dataclass, field
from typing import Any

from deploy.cache_request import CacheRequest, SharedWith

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Send = Callable[[Message], Awaitable[None]]

LIVE_IDS = b"x-live-ids"
SHARED_WITH = b"x-shared-with"
OK, TOO_MANY_REQUESTS, SERVER_ERROR = 200, 429, 500
MIN_GZIP_BYTES = 1024
# Pages are compressed again after each change, and the fast level already shrinks them to a tenth.
FAST_GZIP = 4
OWN_HEADERS = (
    LIVE_IDS,
    SHARED_WITH,
    b"last-modified",
    b"content-length",
    b"content-encoding",
    b"vary",
    b"etag",
    b"cache-control",
)
EMPTY_BODY: Message = {"type": "http.response.body", "body": b""}


@dataclass(slots=True)
class CachedResponse:
    """A complete response. `requested_at_message` is the hub's message count when Django was asked for it."""

    requested_at_message: int
    requested_at: float
    status: int = 0
    headers: list[tuple[bytes, bytes]] = field(default_factory=list)
    body: bytes = b""
    live_ids: list[str] = field(default_factory=list)
    checked_at_message: int = 0
    etag: bytes = b""
    _not_modified: Message = field(default_factory=dict)
    _plain: tuple[Message, Message] = (EMPTY_BODY, EMPTY_BODY)
    _gzipped: tuple[Message, Message] | None = None

    @property
    def is_shareable(self) -> bool:
        """True if Django named the response's live ids and it contains neither cookies nor a CSP nonce."""
        headers = dict(self.headers)
        policy = headers.get(b"content-security-policy", b"")
        return (
            self.status == OK
            and LIVE_IDS in headers
            and b"set-cookie" not in headers
            and b"'nonce-" not in policy
        )

    @property
    def shared_with(self) -> SharedWith:
        """The readers for whom this response is correct."""
        shared_with = dict(self.headers).get(SHARED_WITH, b"").decode("latin-1").upper()
        return SharedWith[shared_with] if shared_with in SharedWith.__members__ else SharedWith.STRANGERS

    @property
    def is_transient(self) -> bool:
        """True for server errors and rate limits, which say nothing about the page."""
        return self.status >= SERVER_ERROR or self.status == TOO_MANY_REQUESTS

    @property
    def size(self) -> int:
        packed = len(self._gzipped[1]["body"]) if self._gzipped else 0
        return len(self.body) + packed

    def finish_page(self) -> None:
        """Prepares the messages of a shared page: plain, gzipped and 304."""
        headers_sent = dict(self.headers)
        self.live_ids = headers_sent[LIVE_IDS].decode("latin-1").split(",")
        self.etag = headers_sent.get(b"etag", b"") or self._body_etag
        self._build_messages()

    @property
    def _body_etag(self) -> bytes:
        return b'W/"%s"' % hashlib.sha256(self.body).hexdigest()[:20].encode()

    def _build_messages(self) -> None:
        headers = [header for header in self.headers if header[0] not in OWN_HEADERS]
        headers += [
            (b"vary", b"Accept, Cookie, Accept-Language, Accept-Encoding"),
            (b"cache-control", b"no-cache, private"),
            (b"etag", self.etag),
        ]
        self._not_modified = _start(304, headers)
        self._plain = _answer(headers, self.body)
        packed = gzip.compress(self.body, FAST_GZIP) if len(self.body) > MIN_GZIP_BYTES else self.body
        if len(packed) < len(self.body):
            self._gzipped = _answer([*headers, (b"content-encoding", b"gzip")], packed)

    def finish_unshared(self) -> None:
        """Prepares the response as Django sent it, for one client."""
        headers = _public_headers(self.headers)
        self._plain = _start(self.status, headers), {"type": "http.response.body", "body": self.body}

    async def send_to(self, request: CacheRequest, send: Send) -> None:
        if request.etags and self.etag and (request.etags == self.etag or self.etag in _etags(request.etags)):
            await send(self._not_modified)
            await send(EMPTY_BODY)
            return
        start, body = self._gzipped if self._gzipped and request.accepts_gzip else self._plain
        await send(start)
        await send(body)


async def receive_empty_body() -> Message:
    """An ASGI receive function for requests without a body."""
    return {"type": "http.request", "body": b"", "more_body": False}


def capture(response: CachedResponse) -> Send:
    """Returns an ASGI send function that stores what Django sends in `response`."""
    pieces: list[bytes] = []

    async def take(message: Message) -> None:
        if message["type"] == "http.response.start":
            response.status = message["status"]
            response.headers = [(bytes(name).lower(), bytes(value)) for name, value in message["headers"]]
            return
        pieces.append(message.get("body", b""))
        if not message.get("more_body"):
            response.body = b"".join(pieces)

    return take


def without_internal_headers(send: Send) -> Send:
    """Removes internal headers from a response that is not shared: the live ids of a hidden draw are secret."""

    async def pass_on(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": _public_headers(message["headers"])}
        await send(message)

    return pass_on


def _public_headers(headers: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    return [header for header in headers if header[0].lower() not in (LIVE_IDS, SHARED_WITH)]


def _etags(etags: bytes) -> set[bytes]:
    return {etag.strip() for etag in etags.split(b",")}


def _start(status: int, headers: list[tuple[bytes, bytes]]) -> Message:
    return {"type": "http.response.start", "status": status, "headers": headers}


def _answer(headers: list[tuple[bytes, bytes]], body: bytes) -> tuple[Message, Message]:
    length = (b"content-length", str(len(body)).encode())
    return _start(OK, [*headers, length]), {"type": "http.response.body", "body": body}
