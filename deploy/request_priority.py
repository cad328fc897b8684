"""Shares Django's threads: players and staff always find free ones, strangers take turns by address.

Python runs one thread of a process at a time, so more strangers at once would only make everybody slower. An address
alone, such as a hall, gets every place that strangers may have.
"""

import asyncio
import time
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import NamedTuple

from deploy import stream_auth
from deploy.address_quota import client_of
from deploy.body_limits import NOT_NOW, NotTaken
from deploy.cache_request import credentials
from deploy.cached_response import Message, Scope, Send
from deploy.wsgi_adapter import ASIDE

Receive = Callable[[], Awaitable[Message]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

MOST_STRANGERS, MOST_WAITING = 2, 1000
PATIENCE_SECONDS = 0.5
"""While players or staff are answered, a stranger's turn comes only when the last one was so long ago."""
WATCHED = frozenset({"/readyz", "/metrics"})
"""Asked by load balancers and Prometheus: one at a time, and never behind visitors."""
MOST_REMEMBERED, REMEMBERED_SECONDS = 10_000, 120.0


class _Waiting(NamedTuple):
    """`came`: how many turns had been given then."""

    address: str
    ticket: asyncio.Future[None]
    came: int


class Turns:
    """Places that are given to addresses in turn."""

    def __init__(self, places: Callable[[], int]) -> None:
        self._places = places
        self._answered: Counter[str] = Counter()
        self._waiting: list[_Waiting] = []
        self._turns_given = 0
        self._last_turn: dict[str, int] = {}
        self.last_given_at = 0.0

    @property
    def under_way(self) -> int:
        return self._answered.total()

    @asynccontextmanager
    async def turn(self, address: str) -> AsyncIterator[None]:
        """Raises NotTaken when too many wait."""
        await self._wait(address)
        try:
            yield
        finally:
            self._leave(address)

    async def _wait(self, address: str) -> None:
        """Until it is this address's turn. Who holds more places in the queue than are free gets no other."""
        held = sum(waiting.address == address for waiting in self._waiting)
        if held >= MOST_WAITING - len(self._waiting):
            raise NotTaken(NOT_NOW)
        loop = asyncio.get_running_loop()
        ticket = loop.create_future()
        self._waiting.append(_Waiting(address, ticket, self._turns_given))
        self.let_next()
        loop.call_later(PATIENCE_SECONDS, self.let_next)
        try:
            await ticket
        except asyncio.CancelledError:
            self._waiting = [waiting for waiting in self._waiting if waiting.ticket is not ticket]
            if ticket.done() and not ticket.cancelled():
                self._leave(address)
            self._forget_if_gone(address)
            raise

    def _leave(self, address: str) -> None:
        self._answered[address] -= 1
        if not self._answered[address]:
            del self._answered[address]
        self._forget_if_gone(address)
        self.let_next()

    def _forget_if_gone(self, address: str) -> None:
        if not self._answered[address] and all(waiting.address != address for waiting in self._waiting):
            self._last_turn.pop(address, None)

    def let_next(self) -> None:
        """The address with the fewest requests under way is next, among equals the one whose turn is longest ago."""
        while self.under_way < self._places() and (
            waiting := [one for one in self._waiting if not one.ticket.done()]
        ):
            first = min(waiting, key=self._order)
            self._waiting = [one for one in waiting if one is not first]
            self._turns_given += 1
            self.last_given_at = time.monotonic()
            self._last_turn[first.address] = self._turns_given
            self._answered[first.address] += 1
            first.ticket.set_result(None)

    def _order(self, waiting: _Waiting) -> tuple[int, int]:
        """A newcomer counts as if its last turn had been when it came, so that newcomers starve nobody."""
        last_turn = self._last_turn.get(waiting.address, 0)
        return self._answered[waiting.address], max(last_turn, waiting.came)


class Lanes:
    """Stands right before the threads."""

    def __init__(self, app: App) -> None:
        self._app = app
        self.known_under_way = 0
        self.strangers = Turns(self._places_of_strangers)
        self.watchers = Turns(lambda: 1)
        self._known: OrderedDict[tuple[bytes, ...], tuple[bool, float]] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Raises NotTaken for a stranger when too many wait."""
        if scope["path"].startswith(ASIDE):
            await self._app(scope, receive, send)
        elif scope["path"] in WATCHED:
            async with self.watchers.turn(client_of(scope)):
                await self._app(scope, receive, send)
        elif await self._is_known(scope):
            with self._answering_known():
                await self._app(scope, receive, send)
        else:
            async with self.strangers.turn(client_of(scope)):
                await self._app(scope, receive, send)

    def _places_of_strangers(self) -> int:
        if not self.known_under_way:
            return MOST_STRANGERS
        return int(time.monotonic() - self.strangers.last_given_at >= PATIENCE_SECONDS)

    @contextmanager
    def _answering_known(self) -> Iterator[None]:
        self.known_under_way += 1
        try:
            yield
        finally:
            self.known_under_way -= 1
            self.strangers.let_next()

    async def _is_known(self, scope: Scope) -> bool:
        """Whether a session, link or token was shown that opens something. Decides about waiting and nothing else."""
        shown = credentials(scope)
        if not any(shown):
            return False
        is_known, until = self._known.get(shown, (False, 0.0))
        if until < time.monotonic() and scope["path"] != stream_auth.PATH:
            is_known = await self._asked(shown, scope)
        return is_known

    async def _asked(self, shown: tuple[bytes, ...], scope: Scope) -> bool:
        """Asked in a stranger's turn: made-up sessions must not take the threads of real ones."""
        asked_by = {**scope, "headers": scope.get("asked_by", scope["headers"])}
        async with self.strangers.turn(client_of(scope)):
            try:
                is_known = bool((await stream_auth.ways_in(self._app, asked_by)).ways)
            except stream_auth.NotSaid:
                return False
        self._known[shown] = is_known, time.monotonic() + REMEMBERED_SECONDS
        if len(self._known) > MOST_REMEMBERED:
            self._known.popitem(last=False)
        return is_known
