"""The live streams of one web process: one subscription to the broker, many listeners, nothing from the database.

A stream says "this bracket changed" and no more; whoever listens fetches the page again and is asked there who they
are. A message lost on the way costs a moment: when the subscription comes back, every listener is told to look.
"""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable, Iterable, Iterator

import redis.asyncio
from redis.exceptions import RedisError

log = logging.getLogger(__name__)

MOST_STREAMS = 5000
MOST_BRACKETS = 100
LOOK_AGAIN = "0"
# A posted result and the advance that follows it within milliseconds both go at once; only then events are gathered.
BURST = 4
COALESCE_SECONDS = 0.05
HEARTBEAT_SECONDS = 15.0
RECONNECT_SECONDS = 1.0


class Pace:
    """Lets `BURST` events pass at once and one more every `COALESCE_SECONDS`."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._left = float(BURST)
        self._at = clock()

    def rest(self) -> float:
        """Counts an event; the seconds until the next may go."""
        now = self._clock()
        self._left = min(BURST, self._left + (now - self._at) / COALESCE_SECONDS) - 1
        self._at = now
        return max(0.0, (1 - self._left) * COALESCE_SECONDS)


class Listener:
    """One open stream: the brackets it follows and what it has not been told yet (the latest version of each)."""

    def __init__(self, brackets: Iterable[str]) -> None:
        self.brackets = frozenset(brackets)
        self._untold: dict[str, str] = {}
        self._woken = asyncio.Event()

    def tell(self, bracket: str, version: str) -> None:
        self._untold[bracket] = version
        self._woken.set()

    async def events(self) -> AsyncIterator[str]:
        """Server-sent events as text: the first few at once, then gathered, with a comment line to stay alive."""
        pace = Pace(asyncio.get_running_loop().time)
        yield "retry: 2000\nevent: open\ndata: open\n\n"
        while True:
            try:
                await asyncio.wait_for(self._woken.wait(), HEARTBEAT_SECONDS)
            except TimeoutError:
                yield ": still here\n\n"
                continue
            self._woken.clear()
            untold, self._untold = self._untold, {}
            yield "".join(
                f"event: changed\ndata: {bracket} {version}\n\n" for bracket, version in untold.items()
            )
            await asyncio.sleep(pace.rest())


class Hub:
    """All listeners of this process and the one subscription that feeds them."""

    def __init__(self, url: str, channel: str) -> None:
        self._url = url
        self._channel = channel
        self._listeners: dict[str, set[Listener]] = {}
        self._count = 0
        self._task: asyncio.Task[None] | None = None
        self.heard = 0
        self.is_told = False
        self._last_heard: dict[str, int] = {}
        self._deaf_until = 0

    def last_heard(self, bracket: str) -> int:
        """How much had been heard when this bracket was told of last; `heard` counts every word from the broker."""
        return self._last_heard.get(bracket, self._deaf_until)

    @property
    def is_full(self) -> bool:
        return self._count >= MOST_STREAMS

    def start(self) -> None:
        self._task = asyncio.create_task(self._listen_for_ever())

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    @contextlib.contextmanager
    def listening(self, listener: Listener) -> Iterator[Listener]:
        """The listener is told of its brackets while the block runs."""
        self._count += 1
        for bracket in listener.brackets:
            self._listeners.setdefault(bracket, set()).add(listener)
        try:
            yield listener
        finally:
            self._count -= 1
            for bracket in listener.brackets:
                self._listeners[bracket].discard(listener)
                if not self._listeners[bracket]:
                    del self._listeners[bracket]

    def tell(self, bracket: str, version: str) -> None:
        self.heard += 1
        self._last_heard[bracket] = self.heard
        for listener in self._listeners.get(bracket, ()):
            listener.tell(bracket, version)

    def _begin_to_hear(self) -> None:
        """Whatever was known before may have changed unheard."""
        self.heard += 1
        self._last_heard.clear()
        self._deaf_until = self.heard
        self._tell_all_to_look()
        self.is_told = True

    def _tell_all_to_look(self) -> None:
        for bracket in self._listeners:
            self.tell(bracket, LOOK_AGAIN)

    async def _listen_for_ever(self) -> None:
        while True:
            try:
                await self._listen()
            except (RedisError, OSError) as error:
                log.warning("live pages lost the broker, trying again: %s", error)
            self.is_told = False
            await asyncio.sleep(RECONNECT_SECONDS)

    async def _listen(self) -> None:
        server = redis.asyncio.Redis.from_url(self._url, socket_connect_timeout=2, decode_responses=True)
        async with server, server.pubsub(ignore_subscribe_messages=True) as subscription:
            await subscription.subscribe(self._channel)
            self._begin_to_hear()
            async for message in subscription.listen():
                bracket, _, version = str(message["data"]).partition(" ")
                self.tell(bracket, version)
