"""Style sheets and scripts from memory: Django is asked for each once, and they are packed once, as small as they go.

A first visit brings half a dozen of them, and a thousand come at the same moment. Nothing else is kept here, and
nobody is looked at: a file is the same for everybody for as long as this process runs. What somebody asks for under
the name of another version is given and not kept, so that there are never more than there are files.
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
    """Stands before Django for the addresses that begin in one of these ways."""

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
        """Whoever wants the same file meanwhile waits for the same answer; a refusal is for whoever asked alone."""
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
