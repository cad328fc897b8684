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
from deploy.address_quota import client_network
from deploy.body_limits import BUSY, RequestRefused
from deploy.cache_request import credentials
from deploy.cached_response import Message, Scope, Send
from deploy.wsgi_adapter import INDEPENDENT_PATHS

Receive = Callable[[], Awaitable[Message]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

STRANGER_PLACES, MAX_WAITING = 2, 1000
BACKGROUND_SECONDS = 0.5
"""While players or staff are answered, a stranger's turn comes only when the last one was so long ago."""
MONITORING_PATHS = frozenset({"/readyz", "/metrics"})
"""Asked by load balancers and Prometheus: one at a time, and never behind visitors."""
MAX_REMEMBERED, REMEMBERED_SECONDS = 10_000, 120.0


class _Waiter(NamedTuple):
    """`came`: how many turns had been given then."""

    address: str
    ticket: asyncio.Future[None]
    arrived_after: int


class FairQueue:
    """Places that are given to addresses in turn."""

    def __init__(self, places: Callable[[], int]) -> None:
        self._places = places
        self._in_progress: Counter[str] = Counter()
        self._waiting: list[_Waiter] = []
        self._admitted = 0
        self._last_admission: dict[str, int] = {}
        self.last_admitted_at = 0.0

    @property
    def in_progress(self) -> int:
        return self._in_progress.total()

    @asynccontextmanager
    async def place(self, address: str) -> AsyncIterator[None]:
        """Raises NotTaken when too many wait."""
        await self._wait(address)
        try:
            yield
        finally:
            self._leave(address)

    async def _wait(self, address: str) -> None:
        """Until it is this address's turn. Who holds more places in the queue than are free gets no other."""
        held = sum(waiter.address == address for waiter in self._waiting)
        if held >= MAX_WAITING - len(self._waiting):
            raise RequestRefused(BUSY)
        loop = asyncio.get_running_loop()
        ticket = loop.create_future()
        self._waiting.append(_Waiter(address, ticket, self._admitted))
        self.admit_next()
        loop.call_later(BACKGROUND_SECONDS, self.admit_next)
        try:
            await ticket
        except asyncio.CancelledError:
            self._waiting = [waiter for waiter in self._waiting if waiter.ticket is not ticket]
            if ticket.done() and not ticket.cancelled():
                self._leave(address)
            self._forget_if_idle(address)
            raise

    def _leave(self, address: str) -> None:
        self._in_progress[address] -= 1
        if not self._in_progress[address]:
            del self._in_progress[address]
        self._forget_if_idle(address)
        self.admit_next()

    def _forget_if_idle(self, address: str) -> None:
        if not self._in_progress[address] and all(waiter.address != address for waiter in self._waiting):
            self._last_admission.pop(address, None)

    def admit_next(self) -> None:
        """The address with the fewest requests under way is next, among equals the one whose turn is longest ago."""
        while self.in_progress < self._places() and (
            waiting := [one for one in self._waiting if not one.ticket.done()]
        ):
            first = min(waiting, key=self._priority)
            self._waiting = [one for one in waiting if one is not first]
            self._admitted += 1
            self.last_admitted_at = time.monotonic()
            self._last_admission[first.address] = self._admitted
            self._in_progress[first.address] += 1
            first.ticket.set_result(None)

    def _priority(self, waiter: _Waiter) -> tuple[int, int]:
        """A newcomer counts as if its last turn had been when it came, so that newcomers starve nobody."""
        last_turn = self._last_admission.get(waiter.address, 0)
        return self._in_progress[waiter.address], max(last_turn, waiter.arrived_after)


class RequestPriority:
    """Stands right before the threads."""

    def __init__(self, app: App) -> None:
        self._app = app
        self.authenticated_in_progress = 0
        self.strangers = FairQueue(self._stranger_places)
        self.monitors = FairQueue(lambda: 1)
        self._verdicts: OrderedDict[tuple[bytes, ...], tuple[bool, float]] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Raises NotTaken for a stranger when too many wait."""
        if scope["path"].startswith(INDEPENDENT_PATHS):
            await self._app(scope, receive, send)
        elif scope["path"] in MONITORING_PATHS:
            async with self.monitors.place(client_network(scope)):
                await self._app(scope, receive, send)
        elif await self._is_authenticated(scope):
            with self._count_authenticated():
                await self._app(scope, receive, send)
        else:
            async with self.strangers.place(client_network(scope)):
                await self._app(scope, receive, send)

    def _stranger_places(self) -> int:
        if not self.authenticated_in_progress:
            return STRANGER_PLACES
        return int(time.monotonic() - self.strangers.last_admitted_at >= BACKGROUND_SECONDS)

    @contextmanager
    def _count_authenticated(self) -> Iterator[None]:
        self.authenticated_in_progress += 1
        try:
            yield
        finally:
            self.authenticated_in_progress -= 1
            self.strangers.admit_next()

    async def _is_authenticated(self, scope: Scope) -> bool:
        """Whether a session, link or token was shown that opens something. Decides about waiting and nothing else."""
        shown = credentials(scope)
        if not any(shown):
            return False
        is_known, expires_at = self._verdicts.get(shown, (False, 0.0))
        if expires_at < time.monotonic() and scope["path"] != stream_auth.PATH:
            is_known = await self._check_credentials(shown, scope)
        return is_known

    async def _check_credentials(self, shown: tuple[bytes, ...], scope: Scope) -> bool:
        """Asked in a stranger's turn: made-up sessions must not take the threads of real ones."""
        asked_by = {**scope, "headers": scope.get("asked_by", scope["headers"])}
        async with self.strangers.place(client_network(scope)):
            try:
                is_known = bool((await stream_auth.authorize(self._app, asked_by)).credentials)
            except stream_auth.AuthUnavailable:
                return False
        self._verdicts[shown] = is_known, time.monotonic() + REMEMBERED_SECONDS
        if len(self._verdicts) > MAX_REMEMBERED:
            self._verdicts.popitem(last=False)
        return is_known
