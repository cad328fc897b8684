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

from deploy.address_quota import AddressQuota
from tournament.runtime import database_faults
from tournament.runtime.publish import ENDED, EVERYTHING

# Half of them with their longer channel for those inside make an address that is just not too long.
MAX_CHANNELS = 160
MAX_REMEMBERED = 10_000
UNKNOWN_VERSION = "0"
# A posted result and the advance that follows it within milliseconds both go at once; only then events are gathered.
BURST = 4
COALESCE_SECONDS = 0.05
HEARTBEAT_SECONDS = 15.0
RECONNECT_SECONDS = 1.0
BROKER_TIMEOUT_SECONDS = 10.0
CANCEL_RETRY_SECONDS = 0.05
HEARTBEAT_BATCH = 200
OPENING = b"retry: 2000\nevent: open\ndata: open\n\n"
HEARTBEAT = b": still here\n\n"

WriteEvent = Callable[[bytes], None]
CloseStream = Callable[[], None]


class StreamLimits(NamedTuple):
    """How many streams may be open, and how many channel names they may follow."""

    streams: int
    channels: int


STRANGER_LIMITS = StreamLimits(4000, 10_000)
TOTAL_LIMITS = StreamLimits(5000, 20_000)
"""What strangers leave free is for players, staff and programs."""


class BurstLimit:
    """Lets `BURST` events pass at once and one more every `COALESCE_SECONDS`."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._allowance = float(BURST)
        self._updated_at = clock()

    def delay(self) -> float:
        """Counts an event; the seconds until the next may go."""
        now = self._clock()
        self._allowance = min(BURST, self._allowance + (now - self._updated_at) / COALESCE_SECONDS) - 1
        self._updated_at = now
        return max(0.0, (1 - self._allowance) * COALESCE_SECONDS)


class SubscriberGroup:
    """All who follow the same brackets, each as what writes to them; and what they have not been told yet, which is
    the latest version of each bracket."""

    def __init__(self, brackets: frozenset[str]) -> None:
        self.channels = brackets
        self.writes: set[WriteEvent] = set()
        self._loop = asyncio.get_running_loop()
        self._burst_limit = BurstLimit(self._loop.time)
        self._pending: dict[str, str] = {}
        self._is_scheduled = False

    def publish(self, bracket: str, version: str) -> None:
        """The first few changes go at once, in one piece with whatever else is known by then.

        Of two versions the higher is told: a worker may have spoken before whoever woke it.
        """
        self._pending[bracket] = max(self._pending.get(bracket, ""), version, key=_version_order)
        if not self._is_scheduled:
            self._is_scheduled = True
            self._loop.call_soon(self._flush)

    def _flush(self) -> None:
        self._is_scheduled = False
        if not self._pending:
            return
        untold, self._pending = self._pending, {}
        events = "".join(
            f"event: changed\ndata: {channel} {version}\n\n" for channel, version in untold.items()
        )
        self.write(events.encode())
        rest = self._burst_limit.delay()
        if rest:
            self._is_scheduled = True
            self._loop.call_later(rest, self._flush)

    def write(self, event: bytes) -> None:
        for write in tuple(self.writes):
            write(event)


class Hub:
    """All listeners of this process and the one subscription that feeds them."""

    def __init__(self, url: str, channel: str) -> None:
        self._url = url
        self._channel = channel
        self._groups: dict[frozenset[str], SubscriberGroup] = {}
        self._groups_by_channel: dict[str, set[SubscriberGroup]] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._stream_quota, self._channel_quota = AddressQuota(), AddressQuota()
        self.messages_received = 0
        self.is_subscribed = False
        self._last_message: OrderedDict[str, int] = OrderedDict()
        self._messages_forgotten = 0
        self._streams_by_credential: dict[str, set[CloseStream]] = {}
        self.revocations = 0

    def last_message(self, bracket: str) -> int:
        """How much had been heard when this bracket was told of last, or later where that was long ago; `heard` counts
        every word from the broker."""
        return self._last_message.get(bracket, self._messages_forgotten)

    @property
    def open_streams(self) -> int:
        return self._stream_quota.in_use

    def has_room(self, address: str, names: int, room: StreamLimits) -> bool:
        """For another stream that follows so many names."""
        return self._stream_quota.has_room(address, room.streams) and self._channel_quota.has_room(
            address, room.channels, names
        )

    @contextlib.contextmanager
    def place(self, address: str, names: int) -> Iterator[None]:
        """One of the places for streams is taken while the block runs."""
        with self._stream_quota.reserved(address), self._channel_quota.reserved(address, names):
            yield

    def start(self) -> None:
        self._tasks = [
            asyncio.create_task(self._keep_listening()),
            asyncio.create_task(self._send_heartbeats()),
        ]

    async def stop(self) -> None:
        await _cancel(*self._tasks)

    @contextlib.contextmanager
    def subscribed(self, brackets: Iterable[str], write: WriteEvent) -> Iterator[None]:
        """`write` gets what there is to tell of these brackets while the block runs."""
        group = self._group(frozenset(brackets))
        group.writes.add(write)
        try:
            write(OPENING)
            yield
        finally:
            group.writes.discard(write)
            if not group.writes:
                self._remove_group(group)

    @contextlib.contextmanager
    def closing_on_revocation(self, credentials: Iterable[str], hang_up: CloseStream) -> Iterator[None]:
        """`hang_up` is called when one of these ways in ends while the block runs, or may have ended unheard."""
        unique_credentials = set(credentials)
        for way in unique_credentials:
            self._streams_by_credential.setdefault(way, set()).add(hang_up)
        try:
            yield
        finally:
            for way in unique_credentials:
                self._streams_by_credential[way].discard(hang_up)
                if not self._streams_by_credential[way]:
                    del self._streams_by_credential[way]

    def revoke(self, *credentials: str) -> None:
        """Counted, so that whoever asked just before learns of it."""
        self.revocations += 1
        for way in credentials:
            for hang_up in tuple(self._streams_by_credential.get(way, ())):
                hang_up()

    def handle_message(self, message: str) -> None:
        """A word from the broker: what changed, and its version; or what ended."""
        bracket, _, version = message.partition(" ")
        if bracket == EVERYTHING:
            self._resync()
        elif bracket == ENDED:
            self.revoke(version)
        else:
            self.publish(bracket, version)

    def publish(self, bracket: str, version: str) -> None:
        self.messages_received += 1
        self._last_message[bracket] = self.messages_received
        self._last_message.move_to_end(bracket)
        if len(self._last_message) > MAX_REMEMBERED:
            _, self._messages_forgotten = self._last_message.popitem(last=False)
        for group in self._groups_by_channel.get(bracket, ()):
            group.publish(bracket, version)

    def _group(self, brackets: frozenset[str]) -> SubscriberGroup:
        group = self._groups.get(brackets)
        if group is None:
            group = self._groups[brackets] = SubscriberGroup(brackets)
            for bracket in brackets:
                self._groups_by_channel.setdefault(bracket, set()).add(group)
        return group

    def _remove_group(self, group: SubscriberGroup) -> None:
        if self._groups.pop(group.channels, None) is None:
            return
        for bracket in group.channels:
            self._groups_by_channel[bracket].discard(group)
            if not self._groups_by_channel[bracket]:
                del self._groups_by_channel[bracket]

    def _resync(self) -> None:
        """Whatever was known before may have changed unheard."""
        self.revoke(*self._streams_by_credential)
        self.messages_received += 1
        self._last_message.clear()
        self._messages_forgotten = self.messages_received
        for bracket in self._groups_by_channel:
            self.publish(bracket, UNKNOWN_VERSION)
        self.is_subscribed = True

    async def _send_heartbeats(self) -> None:
        """A comment to everybody now and then, so that nobody on the way takes a quiet stream for a dead one."""
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            writes = [write for group in self._groups.values() for write in group.writes]
            for first in range(0, len(writes), HEARTBEAT_BATCH):
                for write in writes[first : first + HEARTBEAT_BATCH]:
                    write(HEARTBEAT)
                await asyncio.sleep(0)

    async def _keep_listening(self) -> None:
        while True:
            try:
                await self._listen()
            except Exception as error:  # noqa: BLE001 whatever it was, without this nobody would be told anything more
                database_faults.broker.begins(error)
            self.is_subscribed = False
            await asyncio.sleep(RECONNECT_SECONDS)

    async def _listen(self) -> None:
        """What was missed is told of once the broker has said that it tells us from now on."""
        server = redis.asyncio.Redis.from_url(self._url, socket_connect_timeout=2)
        async with server, server.pubsub() as subscription:
            async with asyncio.timeout(BROKER_TIMEOUT_SECONDS) as timeout:
                await subscription.subscribe(self._channel)
                ping_task = asyncio.create_task(_ping_broker(subscription))
                try:
                    async for message in subscription.listen():
                        timeout.reschedule(asyncio.get_running_loop().time() + BROKER_TIMEOUT_SECONDS)
                        database_faults.broker.ends()
                        if message["type"] == "subscribe":
                            self._resync()
                        elif message["type"] == "message":
                            for line in message["data"].decode(errors="replace").splitlines():
                                self.handle_message(line)
                finally:
                    await _cancel(ping_task)


async def _cancel(*tasks: asyncio.Task[None]) -> None:
    """Cancels them until they are over: Python 3.11 forgets it when what redis-py waits for comes at that moment."""
    pending = set(tasks)
    while pending:
        for task in pending:
            task.cancel()
        _, pending = await asyncio.wait(pending, timeout=CANCEL_RETRY_SECONDS)


def _version_order(version: str) -> tuple[int, str]:
    """As numbers are ordered."""
    return len(version), version


async def _ping_broker(subscription: Any) -> None:
    """Behind a network that was cut without a word there is only silence: whoever is there answers in time."""
    # AttributeError: redis-py writes to a connection that it has closed at the same moment.
    with contextlib.suppress(RedisError, OSError, AttributeError):
        while True:
            await asyncio.sleep(BROKER_TIMEOUT_SECONDS / 3)
            await subscription.ping()
