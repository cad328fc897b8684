"""A response cache for public pages and anonymous API responses, invalidated by the messages of the stream hub.

A change makes a thousand spectators request the same page at once. The first request goes to Django and the others
wait for its response (request coalescing). A cached response is valid until a message names one of its live ids. After
REFRESH_SECONDS it is fetched again in the background, one page at a time, while clients get the cached response.
Requests for the cache contain no data of a client, and Django says with each response who may share it.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable

from deploy.cache_request import CacheRequest, Key, cache_request
from deploy.cached_response import (
    OK,
    CachedResponse,
    Message,
    Scope,
    Send,
    capture,
    receive_empty_body,
    without_internal_headers,
)
from deploy.stream_hub import Hub

Receive = Callable[[], Awaitable[Message]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

REFRESH_SECONDS, MAX_AGE_SECONDS, UNSHARED_SECONDS = 1.0, 30.0, 10.0
SERVICE_UNAVAILABLE = 503
MAX_ENTRIES, MAX_ENTRY_BYTES, MAX_BYTES = 2000, 4 * 1024 * 1024, 48 * 1024 * 1024


class ResponseCache:
    """ASGI middleware in front of Django. The hub knows which live ids have changed."""

    def __init__(self, app: App, hub: Hub) -> None:
        self._app, self._hub = app, hub
        self._entries: OrderedDict[Key, CachedResponse] = OrderedDict()
        self._bytes = 0
        self._fetches: dict[Key, asyncio.Task[CachedResponse]] = {}
        self._unshared_at: dict[Key, float] = {}
        self._refresh_task: asyncio.Task[CachedResponse] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = cache_request(scope) if self._hub.is_subscribed else None
        if request is None or self._is_unshared(request.key):
            await self._app(scope, receive, without_internal_headers(send))
            return
        response = self._entries.get(request.key)
        if response is None or not self._is_fresh(response):
            response = await self._fetch_or_join(request, scope)
        elif time.monotonic() - response.requested_at >= REFRESH_SECONDS and request.key not in self._fetches:
            self._refresh(request, scope)
        if response is None or (response.is_shareable and request.least_shared_with > response.shared_with):
            await self._app(scope, receive, without_internal_headers(send))
        else:
            await response.send_to(request, send)

    def _is_unshared(self, key: Key) -> bool:
        """Returns True if the response was not shareable a moment ago; then requests do not wait for each other."""
        return time.monotonic() - self._unshared_at.get(key, -UNSHARED_SECONDS) < UNSHARED_SECONDS

    def _is_fresh(self, response: CachedResponse) -> bool:
        """Returns True if the response is young enough and none of its live ids has changed."""
        return time.monotonic() - response.requested_at < MAX_AGE_SECONDS and self._is_unchanged(response)

    def _is_unchanged(self, response: CachedResponse) -> bool:
        if response.checked_at_message != self._hub.messages_received:
            if any(
                self._hub.last_message(live_id) > response.requested_at_message
                for live_id in response.live_ids
            ):
                return False
            response.checked_at_message = self._hub.messages_received
        return True

    async def _fetch_or_join(self, request: CacheRequest, scope: Scope) -> CachedResponse | None:
        """Returns a response as current as a private one; None if every client must ask Django."""
        arrived_at_message = self._hub.messages_received
        while fetch := self._fetches.get(request.key):
            response = await asyncio.shield(fetch)
            if not response.is_shareable:
                return None
            if response.requested_at_message >= arrived_at_message or self._is_fresh(response):
                return response
        response = await asyncio.shield(self._start_fetch(request, scope))
        return response if response.is_shareable or request.is_plain else None

    def _start_fetch(self, request: CacheRequest, scope: Scope) -> asyncio.Task[CachedResponse]:
        """Starts a fetch that other requests can join.

        A request that arrived before the fetch started may use its response, even if data changed since.
        """
        self._fetches[request.key] = asyncio.create_task(
            self._fetch(request.key, request.shared_scope(scope))
        )
        return self._fetches[request.key]

    def _refresh(self, request: CacheRequest, scope: Scope) -> None:
        """Fetches a response again without a change message. One at a time, so that many pages cost little."""
        if self._refresh_task is None or self._refresh_task.done():
            self._refresh_task = self._start_fetch(request, scope)

    async def _fetch(self, key: Key, request: Scope) -> CachedResponse:
        response = CachedResponse(self._hub.messages_received, time.monotonic())
        try:
            await self._app(request, receive_empty_body, capture(response))
            if response.is_shareable:
                await asyncio.to_thread(response.finish_page)
                self._store(key, response)
            else:
                self._mark_unshared(key, response)
                response.finish_unshared()
        finally:
            del self._fetches[key]
        return self._stale_if_unavailable(response, key)

    def _stale_if_unavailable(self, response: CachedResponse, key: Key) -> CachedResponse:
        """Returns the stored response if Django answers 503 and no change was published."""
        stored = self._entries.get(key)
        if response.status != SERVICE_UNAVAILABLE or stored is None or not self._is_unchanged(stored):
            return response
        stored.requested_at = time.monotonic()
        return stored

    def _mark_unshared(self, key: Key, response: CachedResponse) -> None:
        """Remembers that the response is not shareable and removes it from the cache."""
        if response.is_transient:
            return
        self._remove(key)
        if len(self._unshared_at) >= MAX_ENTRIES:
            self._unshared_at.clear()
        if response.status == OK:
            self._unshared_at[key] = time.monotonic()

    def _store(self, key: Key, response: CachedResponse) -> None:
        self._remove(key)
        if response.size >= MAX_ENTRY_BYTES:
            return
        self._entries[key] = response
        self._bytes += response.size
        while len(self._entries) > MAX_ENTRIES or self._bytes > MAX_BYTES:
            self._remove(next(iter(self._entries)))

    def _remove(self, key: Key) -> None:
        removed = self._entries.pop(key, None)
        if removed is not None:
            self._bytes -= removed.size
