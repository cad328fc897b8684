"""One look for many: what Django answered to one stranger about a public page is given to all who ask the same.

A thousand spectators ask at the same moment, because all are told of the same change. The first asks Django, the
others wait for that answer. It is given out until something that it tells of changes. After a breath Django is asked
again all the same, for one page at a time, however many are looked at; meanwhile everybody is given what is known, so
that nobody waits. Only cookies and parameters that change an answer make a request a case of its own. Django always
answers for many with a request that holds nothing of one asker, and says with the answer how far it is the same.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable

from deploy.cache_request import Asker, Key, asker_of
from deploy.cached_response import (
    OK,
    Look,
    Message,
    Scope,
    Send,
    into,
    nothing_more,
    to_one,
)
from deploy.stream_hub import Hub

Receive = Callable[[], Awaitable[Message]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

BREATH_SECONDS, LONGEST_SECONDS, ALONE_SECONDS = 1.0, 30.0, 10.0
NOT_JUST_NOW = 503
MOST_KEPT, LONGEST_KEPT, MOST_BYTES = 2000, 4 * 1024 * 1024, 48 * 1024 * 1024


class SharedLooks:
    """Stands before Django; asks the hub what changed meanwhile."""

    def __init__(self, app: App, hub: Hub) -> None:
        self._app, self._hub = app, hub
        self._kept: OrderedDict[Key, Look] = OrderedDict()
        self._bytes = 0
        self._asking: dict[Key, asyncio.Task[Look]] = {}
        self._not_for_many: dict[Key, float] = {}
        self._again: asyncio.Task[Look] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        asker = asker_of(scope) if self._hub.is_told else None
        if asker is None or self._is_not_for_many(asker.key):
            await self._app(scope, receive, to_one(send))
            return
        look = self._kept.get(asker.key)
        if look is None or not self._is_good(look):
            look = await self._asked(asker, scope)
        elif time.monotonic() - look.at >= BREATH_SECONDS and asker.key not in self._asking:
            self._ask_again(asker, scope)
        if look is None or (look.may_be_shared and asker.reader > look.readers):
            await self._app(scope, receive, to_one(send))
        else:
            await look.give(asker, send)

    def _is_not_for_many(self, key: Key) -> bool:
        """As Django said a moment ago: then nobody waits for anybody."""
        return time.monotonic() - self._not_for_many.get(key, -ALONE_SECONDS) < ALONE_SECONDS

    def _is_good(self, look: Look) -> bool:
        """Whether it is not too old, and nothing that it tells of was told of since; asked once for each word heard."""
        return time.monotonic() - look.at < LONGEST_SECONDS and self._is_unchanged(look)

    def _is_unchanged(self, look: Look) -> bool:
        if look.still_good != self._hub.heard:
            if any(self._hub.last_heard(one) > look.heard for one in look.live_ids):
                return False
            look.still_good = self._hub.heard
        return True

    async def _asked(self, asker: Asker, scope: Scope) -> Look | None:
        """A look that is as new as one of their own; None where each asker has to ask Django alone."""
        came = self._hub.heard
        while asking := self._asking.get(asker.key):
            look = await asyncio.shield(asking)
            if not look.may_be_shared:
                return None
            if look.heard >= came or self._is_good(look):
                return look
        look = await asyncio.shield(self._ask(asker, scope))
        return look if look.may_be_shared or asker.is_plain else None

    def _ask(self, asker: Asker, scope: Scope) -> asyncio.Task[Look]:
        """Asks for the whole answer, whatever this asker has already; others who want the same wait meanwhile.

        For whoever came before it was asked for, it is as new as a look of their own, whatever changed since.
        """
        self._asking[asker.key] = asyncio.create_task(self._look(asker.key, asker.request(scope)))
        return self._asking[asker.key]

    def _ask_again(self, asker: Asker, scope: Scope) -> None:
        """Though nothing was told; one such at a time, so that a thousand pages cost no more than a few."""
        if self._again is None or self._again.done():
            self._again = self._ask(asker, scope)

    async def _look(self, key: Key, request: Scope) -> Look:
        look = Look(self._hub.heard, time.monotonic())
        try:
            await self._app(request, nothing_more, into(look))
            if look.may_be_shared:
                await asyncio.to_thread(look.make_ready)
                self._keep(key, look)
            else:
                self._let_go(key, look)
                look.pass_on()
        finally:
            del self._asking[key]
        return self._instead_of(look, key)

    def _instead_of(self, look: Look, key: Key) -> Look:
        """While Django can answer nobody, what is known and was not told to have changed is as good as before."""
        kept = self._kept.get(key)
        if look.status != NOT_JUST_NOW or kept is None or not self._is_unchanged(kept):
            return look
        kept.at = time.monotonic()
        return kept

    def _let_go(self, key: Key, look: Look) -> None:
        """Remembers that this is not, or no longer, for many."""
        if look.is_of_this_asker:
            return
        before = self._kept.pop(key, None)
        self._bytes -= before.size if before else 0
        if len(self._not_for_many) >= MOST_KEPT:
            self._not_for_many.clear()
        if look.status == OK:
            self._not_for_many[key] = time.monotonic()

    def _keep(self, key: Key, look: Look) -> None:
        before = self._kept.pop(key, None)
        self._bytes -= before.size if before else 0
        if look.size >= LONGEST_KEPT:
            return
        self._kept[key] = look
        self._bytes += look.size
        while len(self._kept) > MOST_KEPT or self._bytes > MOST_BYTES:
            self._bytes -= self._kept.popitem(last=False)[1].size
