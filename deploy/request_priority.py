"""Shares Django's threads: authenticated requests are not queued, others wait in a fair queue by address.

Python runs one thread of a process at a time, so more concurrent strangers would only slow everybody down. A single
address, such as a hall, can use all places of strangers.
"""

import asyncio
import time
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import NamedTuple

from django.http.cookie import parse_cookie

from deploy import stream_auth
from deploy.address_quota import client_network
from deploy.asgi_call import App, Receive, Scope, Send
from deploy.django_threads import INDEPENDENT_PATHS
from deploy.request_refusals import BUSY, RequestRefused
from deploy.shared_requests import LINK, SESSION

STRANGER_PLACES, MAX_WAITING = 2, 1000
BACKGROUND_SECONDS = 0.5
"""While authenticated requests are in progress, one stranger is admitted per interval."""
MONITORING_PATHS = frozenset({"/readyz", "/metrics"})
"""Requested by load balancers and Prometheus. They have a queue with one place and do not wait for visitors."""
MAX_REMEMBERED, REMEMBERED_SECONDS = 10_000, 120.0


class _Waiter(NamedTuple):
    """`arrived_after` is the number of admissions before the request arrived."""

    address: str
    ticket: asyncio.Future[None]
    arrived_after: int


class FairQueue:
    """Admits requests up to a number of places, fairly by address."""

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
        """Waits for a place and holds it while the block runs. Raises RequestRefused if too many wait."""
        await self._wait(address)
        try:
            yield
        finally:
            self._leave(address)

    async def _wait(self, address: str) -> None:
        """Waits for admission. One address may wait at most as often as the queue has free places."""
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
        """Admits waiting requests while places are free.

        The address with the fewest requests in progress is next; among equals, the one admitted the longest time ago.
        """
        while self.in_progress < self._places():
            waiters = [waiter for waiter in self._waiting if not waiter.ticket.done()]
            if not waiters:
                return
            first = min(waiters, key=self._priority)
            self._waiting = [waiter for waiter in waiters if waiter is not first]
            self._admitted += 1
            self.last_admitted_at = time.monotonic()
            self._last_admission[first.address] = self._admitted
            self._in_progress[first.address] += 1
            first.ticket.set_result(None)

    def _priority(self, waiter: _Waiter) -> tuple[int, int]:
        """A new address counts as admitted at its arrival, so that a stream of new addresses starves nobody."""
        last_admission = self._last_admission.get(waiter.address, 0)
        return self._in_progress[waiter.address], max(last_admission, waiter.arrived_after)


class RequestPriority:
    """ASGI middleware in front of the WSGI threads."""

    def __init__(self, app: App) -> None:
        self._app = app
        self.authenticated_in_progress = 0
        self.strangers = FairQueue(self._stranger_places)
        self.monitors = FairQueue(lambda: 1)
        self._verdicts: OrderedDict[tuple[str, ...], tuple[bool, float]] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Raises RequestRefused for a stranger if too many wait."""
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
        """Returns True if the session, link or token is valid. Used for the priority only, never for permissions."""
        credentials = _credentials(scope)
        if not any(credentials):
            return False
        is_valid, expires_at = self._verdicts.get(credentials, (False, 0.0))
        if expires_at < time.monotonic() and scope["path"] != stream_auth.PATH:
            is_valid = await self._check_credentials(credentials, scope)
        return is_valid

    async def _check_credentials(self, credentials: tuple[str, ...], scope: Scope) -> bool:
        """Waits in the strangers' queue, so that invented credentials cannot take threads from authenticated users."""
        client_scope = {**scope, "headers": scope.get("client_headers", scope["headers"])}
        async with self.strangers.place(client_network(scope)):
            try:
                is_valid = bool((await stream_auth.authorize(self._app, client_scope)).credentials)
            except stream_auth.AuthUnavailable:
                return False
        self._verdicts[credentials] = is_valid, time.monotonic() + REMEMBERED_SECONDS
        if len(self._verdicts) > MAX_REMEMBERED:
            self._verdicts.popitem(last=False)
        return is_valid


def _credentials(scope: Scope) -> tuple[str, ...]:
    """Returns the session, link and token of the client; empty values if missing."""
    headers = dict(scope.get("client_headers", scope["headers"]))
    cookies = parse_cookie(headers.get(b"cookie", b"").decode("latin-1"))
    token = headers.get(b"authorization", b"").decode("latin-1")
    return cookies.get(SESSION, ""), cookies.get(LINK, ""), token
