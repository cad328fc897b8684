"""The live streams of one web process: one subscription to the broker, many listeners, nothing from the database.

A stream says "this bracket changed" and no more; whoever listens fetches the page again and is asked there who they
are. A message lost on the way costs a moment: when the subscription comes back, every listener is told to look.
What is told is written once for all who follow the same brackets, and goes out to them in one pass.
"""

import asyncio
import contextlib
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import redis.asyncio
from redis.exceptions import RedisError

from deploy.address_quota import Shares
from tournament.runtime import database_faults
from tournament.runtime.publish import ENDED, EVERYTHING

# Half of them with their longer channel for those inside make an address that is just not too long.
MOST_BRACKETS = 160
MOST_REMEMBERED = 10_000
LOOK_AGAIN = "0"
# A posted result and the advance that follows it within milliseconds both go at once; only then events are gathered.
BURST = 4
COALESCE_SECONDS = 0.05
HEARTBEAT_SECONDS = 15.0
RECONNECT_SECONDS = 1.0
ALIVE_SECONDS = 10.0
UNTIL_CANCELLED_AGAIN = 0.05
AT_ONCE = 200
OPENING = b"retry: 2000\nevent: open\ndata: open\n\n"
HEARTBEAT = b": still here\n\n"

Write = Callable[[bytes], None]
HangUp = Callable[[], None]


class Room(NamedTuple):
    """How many streams may be open, and how many channel names they may follow."""

    streams: int
    names: int


FOR_STRANGERS = Room(4000, 10_000)
FOR_ALL = Room(5000, 20_000)
"""What strangers leave free is for players, staff and programs."""


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


class Audience:
    """All who follow the same brackets, each as what writes to them; and what they have not been told yet, which is
    the latest version of each bracket."""

    def __init__(self, brackets: frozenset[str]) -> None:
        self.brackets = brackets
        self.writes: set[Write] = set()
        self._loop = asyncio.get_running_loop()
        self._pace = Pace(self._loop.time)
        self._untold: dict[str, str] = {}
        self._is_planned = False

    def tell(self, bracket: str, version: str) -> None:
        """The first few changes go at once, in one piece with whatever else is known by then.

        Of two versions the higher is told: a worker may have spoken before whoever woke it.
        """
        self._untold[bracket] = max(self._untold.get(bracket, ""), version, key=_height)
        if not self._is_planned:
            self._is_planned = True
            self._loop.call_soon(self._speak)

    def _speak(self) -> None:
        self._is_planned = False
        if not self._untold:
            return
        untold, self._untold = self._untold, {}
        words = "".join(f"event: changed\ndata: {one} {version}\n\n" for one, version in untold.items())
        self.say(words.encode())
        rest = self._pace.rest()
        if rest:
            self._is_planned = True
            self._loop.call_later(rest, self._speak)

    def say(self, words: bytes) -> None:
        for write in tuple(self.writes):
            write(words)


class Hub:
    """All listeners of this process and the one subscription that feeds them."""

    def __init__(self, url: str, channel: str) -> None:
        self._url = url
        self._channel = channel
        self._audiences: dict[frozenset[str], Audience] = {}
        self._following: dict[str, set[Audience]] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._streams, self._names = Shares(), Shares()
        self.heard = 0
        self.is_told = False
        self._last_heard: OrderedDict[str, int] = OrderedDict()
        self._deaf_until = 0
        self._let_in: dict[str, set[HangUp]] = {}
        self.ended = 0

    def last_heard(self, bracket: str) -> int:
        """How much had been heard when this bracket was told of last, or later where that was long ago; `heard` counts
        every word from the broker."""
        return self._last_heard.get(bracket, self._deaf_until)

    @property
    def streams(self) -> int:
        return self._streams.taken

    def has_room_for(self, address: str, names: int, room: Room) -> bool:
        """For another stream that follows so many names."""
        return self._streams.has_room_for(address, room.streams) and self._names.has_room_for(
            address, room.names, names
        )

    @contextlib.contextmanager
    def place(self, address: str, names: int) -> Iterator[None]:
        """One of the places for streams is taken while the block runs."""
        with self._streams.held(address), self._names.held(address, names):
            yield

    def start(self) -> None:
        self._tasks = [asyncio.create_task(self._listen_for_ever()), asyncio.create_task(self._stay_alive())]

    async def stop(self) -> None:
        await _end(*self._tasks)

    @contextlib.contextmanager
    def listening(self, brackets: Iterable[str], write: Write) -> Iterator[None]:
        """`write` gets what there is to tell of these brackets while the block runs."""
        audience = self._audience(frozenset(brackets))
        audience.writes.add(write)
        try:
            write(OPENING)
            yield
        finally:
            audience.writes.discard(write)
            if not audience.writes:
                self._forget(audience)

    @contextlib.contextmanager
    def let_in_by(self, ways: Iterable[str], hang_up: HangUp) -> Iterator[None]:
        """`hang_up` is called when one of these ways in ends while the block runs, or may have ended unheard."""
        known = set(ways)
        for way in known:
            self._let_in.setdefault(way, set()).add(hang_up)
        try:
            yield
        finally:
            for way in known:
                self._let_in[way].discard(hang_up)
                if not self._let_in[way]:
                    del self._let_in[way]

    def end(self, *ways: str) -> None:
        """Counted, so that whoever asked just before learns of it."""
        self.ended += 1
        for way in ways:
            for hang_up in tuple(self._let_in.get(way, ())):
                hang_up()

    def hear(self, word: str) -> None:
        """A word from the broker: what changed, and its version; or what ended."""
        bracket, _, version = word.partition(" ")
        if bracket == EVERYTHING:
            self._begin_to_hear()
        elif bracket == ENDED:
            self.end(version)
        else:
            self.tell(bracket, version)

    def tell(self, bracket: str, version: str) -> None:
        self.heard += 1
        self._last_heard[bracket] = self.heard
        self._last_heard.move_to_end(bracket)
        if len(self._last_heard) > MOST_REMEMBERED:
            _, self._deaf_until = self._last_heard.popitem(last=False)
        for audience in self._following.get(bracket, ()):
            audience.tell(bracket, version)

    def _audience(self, brackets: frozenset[str]) -> Audience:
        found = self._audiences.get(brackets)
        if found is None:
            found = self._audiences[brackets] = Audience(brackets)
            for bracket in brackets:
                self._following.setdefault(bracket, set()).add(found)
        return found

    def _forget(self, audience: Audience) -> None:
        if self._audiences.pop(audience.brackets, None) is None:
            return
        for bracket in audience.brackets:
            self._following[bracket].discard(audience)
            if not self._following[bracket]:
                del self._following[bracket]

    def _begin_to_hear(self) -> None:
        """Whatever was known before may have changed unheard."""
        self.end(*self._let_in)
        self.heard += 1
        self._last_heard.clear()
        self._deaf_until = self.heard
        for bracket in self._following:
            self.tell(bracket, LOOK_AGAIN)
        self.is_told = True

    async def _stay_alive(self) -> None:
        """A comment to everybody now and then, so that nobody on the way takes a quiet stream for a dead one."""
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            everybody = [write for audience in self._audiences.values() for write in audience.writes]
            for first in range(0, len(everybody), AT_ONCE):
                for write in everybody[first : first + AT_ONCE]:
                    write(HEARTBEAT)
                await asyncio.sleep(0)

    async def _listen_for_ever(self) -> None:
        while True:
            try:
                await self._listen()
            except Exception as error:  # noqa: BLE001 whatever it was, without this nobody would be told anything more
                database_faults.broker.begins(error)
            self.is_told = False
            await asyncio.sleep(RECONNECT_SECONDS)

    async def _listen(self) -> None:
        """What was missed is told of once the broker has said that it tells us from now on."""
        server = redis.asyncio.Redis.from_url(self._url, socket_connect_timeout=2)
        async with server, server.pubsub() as subscription:
            async with asyncio.timeout(ALIVE_SECONDS) as patience:
                await subscription.subscribe(self._channel)
                asking = asyncio.create_task(_ask_whether_it_lives(subscription))
                try:
                    async for message in subscription.listen():
                        patience.reschedule(asyncio.get_running_loop().time() + ALIVE_SECONDS)
                        database_faults.broker.ends()
                        if message["type"] == "subscribe":
                            self._begin_to_hear()
                        elif message["type"] == "message":
                            for word in message["data"].decode(errors="replace").splitlines():
                                self.hear(word)
                finally:
                    await _end(asking)


async def _end(*tasks: asyncio.Task[None]) -> None:
    """Cancels them until they are over: Python 3.11 forgets it when what redis-py waits for comes at that moment."""
    waiting = set(tasks)
    while waiting:
        for task in waiting:
            task.cancel()
        _, waiting = await asyncio.wait(waiting, timeout=UNTIL_CANCELLED_AGAIN)


def _height(version: str) -> tuple[int, str]:
    """As numbers are ordered."""
    return len(version), version


async def _ask_whether_it_lives(subscription: Any) -> None:
    """Behind a network that was cut without a word there is only silence: whoever is there answers in time."""
    # AttributeError: redis-py writes to a connection that it has closed at the same moment.
    with contextlib.suppress(RedisError, OSError, AttributeError):
        while True:
            await asyncio.sleep(ALIVE_SECONDS / 3)
            await subscription.ping()
