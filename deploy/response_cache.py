"""A response cache for public pages and anonymous API responses.

A change makes a thousand spectators request the same page at once. One request goes to Django and the others wait for
its response. Django names in the response the channels on which its changes are published, and who may share it; a
stored response is valid until one of these channels changes.
"""

import asyncio
import gzip
import time
from collections import OrderedDict
from dataclasses import dataclass, replace
from weakref import WeakValueDictionary

from django.utils.http import parse_etags

from deploy.asgi_call import (
    OK,
    SERVER_ERROR,
    TOO_MANY_REQUESTS,
    App,
    Headers,
    Message,
    Receive,
    Response,
    Scope,
    Send,
    call,
)
from deploy.change_log import ChangeLog
from deploy.shared_requests import Key, SharedRequest, shared_request
from tournament.web.conditional import LIVE_IDS, SHARED_WITH, Readers

MAX_AGE_SECONDS = 10.0
"""Bounds the age of what changes without a message, such as a time of day."""
MAX_ENTRIES, MAX_BYTES = 2000, 48 * 1024 * 1024
INTERNAL_HEADERS = (LIVE_IDS.lower().encode(), SHARED_WITH.lower().encode())
BODY_HEADERS = (b"content-length", b"content-encoding")


class StoredResponse:
    """A response in the forms that clients ask for: gzipped, plain, or 304 Not Modified."""

    def __init__(self, response: Response) -> None:
        self.channels = response.header(INTERNAL_HEADERS[0]).decode().split(",")
        self.is_for_players = response.header(INTERNAL_HEADERS[1]) == Readers.PLAYERS.encode()
        self._etag = _weak(response.header(b"etag").decode())
        self._is_gzipped = response.header(b"content-encoding") == b"gzip"
        self._body = response.body
        self._plain_body = gzip.decompress(response.body) if self._is_gzipped else response.body
        self._headers = [
            header for header in _public_headers(response.headers) if header[0] not in BODY_HEADERS
        ]

    @property
    def size(self) -> int:
        return len(self._body) + len(self._plain_body)

    async def send(self, request: SharedRequest, send: Send) -> None:
        if self._etag in (_weak(etag) for etag in parse_etags(request.if_none_match)):
            await _send(send, 304, self._headers, b"")
        elif self._is_gzipped and request.accepts_gzip:
            length = (b"content-length", b"%d" % len(self._body))
            await _send(send, OK, [*self._headers, length, (b"content-encoding", b"gzip")], self._body)
        else:
            length = (b"content-length", b"%d" % len(self._plain_body))
            await _send(send, OK, [*self._headers, length], self._plain_body)


@dataclass(frozen=True, slots=True)
class Entry:
    """Django's answer at a moment, and the number of changes before it. `response` is None if it is not shared."""

    response: StoredResponse | None
    requested_at: float
    expires_at: float
    changes_before: int

    @property
    def size(self) -> int:
        return 0 if self.response is None else self.response.size


class ResponseCache:
    """ASGI middleware in front of Django."""

    def __init__(self, app: App, changes: ChangeLog) -> None:
        self._app, self._changes = app, changes
        self._entries: OrderedDict[Key, Entry] = OrderedDict()
        self._bytes = 0
        self._locks: WeakValueDictionary[Key, asyncio.Lock] = WeakValueDictionary()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = shared_request(scope) if self._changes.is_complete else None
        response = None if request is None else (await self._current_entry(request)).response
        if request is None or response is None or (request.is_from_player and not response.is_for_players):
            await self._app(scope, receive, _without_internal_headers(send))
        else:
            await response.send(request, send)

    async def _current_entry(self, request: SharedRequest) -> Entry:
        """Returns an entry that is as current as an answer of Django to this request would be."""
        entry = self._entries.get(request.key)
        if entry is not None and self._is_current(entry):
            self._entries.move_to_end(request.key)
            return entry
        arrived_at = time.monotonic()
        async with self._locks.setdefault(request.key, asyncio.Lock()):
            entry = self._entries.get(request.key)
            if entry is not None and (entry.requested_at >= arrived_at or self._is_current(entry)):
                return entry
            return await self._render(request)

    async def _render(self, request: SharedRequest) -> Entry:
        requested_at, changes_before = time.monotonic(), self._changes.count
        response = await call(self._app, request.scope)
        expires_at = requested_at + (MAX_AGE_SECONDS if response.status == OK else 0)
        stored = StoredResponse(response) if _is_shared(response) else None
        entry = Entry(stored, requested_at, expires_at, changes_before)
        earlier = self._entries.get(request.key)
        if (
            earlier is not None
            and earlier.response
            and _is_transient(response)
            and self._is_unchanged(earlier)
        ):
            entry = replace(earlier, requested_at=requested_at, expires_at=requested_at + MAX_AGE_SECONDS)
        self._store(request.key, entry)
        return entry

    def _is_current(self, entry: Entry) -> bool:
        return time.monotonic() < entry.expires_at and self._is_unchanged(entry)

    def _is_unchanged(self, entry: Entry) -> bool:
        channels = entry.response.channels if entry.response is not None else ()
        return all(self._changes.last_change(channel) <= entry.changes_before for channel in channels)

    def _store(self, key: Key, entry: Entry) -> None:
        """Removes the entries that were not used for the longest time if there are too many."""
        self._remove(key)
        self._entries[key] = entry
        self._bytes += entry.size
        while len(self._entries) > MAX_ENTRIES or self._bytes > MAX_BYTES:
            self._remove(next(iter(self._entries)))

    def _remove(self, key: Key) -> None:
        entry = self._entries.pop(key, None)
        if entry is not None:
            self._bytes -= entry.size


def _is_shared(response: Response) -> bool:
    """True if Django named the response's channels and it sets no cookie."""
    return (
        response.status == OK
        and bool(response.header(INTERNAL_HEADERS[0]))
        and not response.header(b"set-cookie")
    )


def _is_transient(response: Response) -> bool:
    """True for server errors and rate limits, which say nothing about the page."""
    return response.status >= SERVER_ERROR or response.status == TOO_MANY_REQUESTS


def _public_headers(headers: Headers) -> Headers:
    return [header for header in headers if header[0].lower() not in INTERNAL_HEADERS]


def _without_internal_headers(send: Send) -> Send:
    """Removes internal headers from a response that is not shared: the channels of a hidden draw are secret."""

    async def send_public(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": _public_headers(message["headers"])}
        await send(message)

    return send_public


def _weak(etag: str) -> str:
    """Returns the ETag in the form for comparison: `W/` says only that the bytes may differ."""
    return etag.removeprefix("W/")


async def _send(send: Send, status: int, headers: Headers, body: bytes) -> None:
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
