"""Style sheets and scripts from memory: Django is asked for each once, and they are packed once, as small as they go.

A first visit brings half a dozen of them, and a thousand come at the same moment. Nothing else is kept here, and
nobody is looked at: a file is the same for everybody for as long as this process runs. What somebody asks for under
the name of another version is given and not kept, so that there are never more than there are files.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable

from deploy.cache_request import as_nobody, asker_of_a_file
from deploy.cached_response import OK, Look, Message, Scope, Send, into, nothing_more
from deploy.static_files import is_true_to_its_name, plain

Receive = Callable[[], Awaitable[Message]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

A_MINUTE = b"max-age=60, public"


class KeptFiles:
    """Stands before Django for the addresses that begin in one of these ways."""

    def __init__(self, app: App, *prefixes: str) -> None:
        self._app, self._prefixes = app, prefixes
        self._kept: dict[str, Look] = {}
        self._asking: dict[str, asyncio.Task[Look]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not scope["path"].startswith(self._prefixes) or scope["method"] != "GET":
            await self._app(scope, receive, send)
            return
        look = self._kept.get(scope["path"]) or await self._asked(scope)
        await look.give(asker_of_a_file(scope), send)

    async def _asked(self, scope: Scope) -> Look:
        """Whoever wants the same file meanwhile waits for the same answer; a refusal is for whoever asked alone."""
        path = scope["path"]
        if asking := self._asking.get(path):
            look = await asyncio.shield(asking)
            return look if look.status == OK else await self._look(scope)
        asking = self._asking[path] = asyncio.create_task(self._look(scope))
        asking.add_done_callback(lambda _: self._asking.pop(path))
        return await asyncio.shield(asking)

    async def _look(self, scope: Scope) -> Look:
        look = Look(0, time.monotonic())
        await self._app(as_nobody(scope), nothing_more, into(look))
        if look.status != OK:
            look.pass_on()
            return look
        if look.is_immutable and not is_true_to_its_name(scope["path"], look.body):
            look.last_for(A_MINUTE)
        await asyncio.to_thread(look.make_lasting)
        if look.is_immutable or plain(scope["path"]) == scope["path"]:
            self._kept[scope["path"]] = look
        return look
