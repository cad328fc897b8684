"""Caches static files in memory: each is fetched from Django once and compressed once at the best level.

A first visit loads half a dozen files, and a thousand visitors may come at the same moment. Files do not change while
the process runs. A request for another version of a file is answered but not cached, so that the cache stays small.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable

from deploy.cache_request import anonymous_scope, file_request
from deploy.cached_response import OK, CachedResponse, Message, Scope, Send, capture, receive_empty_body
from deploy.static_files import matches_version, unversioned

Receive = Callable[[], Awaitable[Message]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

ONE_MINUTE = b"max-age=60, public"


class StaticCache:
    """ASGI middleware for paths that begin with one of the prefixes."""

    def __init__(self, app: App, *prefixes: str) -> None:
        self._app, self._prefixes = app, prefixes
        self._files: dict[str, CachedResponse] = {}
        self._fetches: dict[str, asyncio.Task[CachedResponse]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not scope["path"].startswith(self._prefixes) or scope["method"] != "GET":
            await self._app(scope, receive, send)
            return
        response = self._files.get(scope["path"]) or await self._fetch_or_join(scope)
        await response.send_to(file_request(scope), send)

    async def _fetch_or_join(self, scope: Scope) -> CachedResponse:
        """Joins a running fetch of the same file. An error response is not shared."""
        path = scope["path"]
        if fetch := self._fetches.get(path):
            response = await asyncio.shield(fetch)
            return response if response.status == OK else await self._fetch(scope)
        fetch = self._fetches[path] = asyncio.create_task(self._fetch(scope))
        fetch.add_done_callback(lambda _: self._fetches.pop(path))
        return await asyncio.shield(fetch)

    async def _fetch(self, scope: Scope) -> CachedResponse:
        response = CachedResponse(0, time.monotonic())
        await self._app(anonymous_scope(scope), receive_empty_body, capture(response))
        if response.status != OK:
            response.finish_unshared()
            return response
        if response.is_immutable and not matches_version(scope["path"], response.body):
            response.set_cache_control(ONE_MINUTE)
        await asyncio.to_thread(response.finish_file)
        if response.is_immutable or unversioned(scope["path"]) == scope["path"]:
            self._files[scope["path"]] = response
        return response
