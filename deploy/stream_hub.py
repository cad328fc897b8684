"""The live streams of one web process: one broker subscription that feeds all streams. Uses no database.

An event says only that a channel changed; the client fetches the page, where permissions are checked. A lost message
delays an update: after a reconnect every client reloads. An event is serialized once per group of streams
with the same channels and written to them in one pass.
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
from tournament.runtime.publish import EVERYTHING, REVOKED

# With this many channels, half of them private with longer names, the URL is just below the limit.
MAX_CHANNELS = 160
MAX_REMEMBERED = 10_000
UNKNOWN_VERSION = "0"
# A posted result and its advance, milliseconds later, are both sent at once. Only then are events batched.
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
    """The number of open streams and of channels that they follow in total."""

    streams: int
    channels: int


STRANGER_LIMITS = StreamLimits(4000, 10_000)
TOTAL_LIMITS = StreamLimits(5000, 20_000)
"""The difference is reserved for authenticated requests."""


class BurstLimit:
    """Allows BURST events at once and one more per COALESCE_SECONDS."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._allowance = float(BURST)
        self._updated_at = clock()

    def delay(self) -> float:
        """Counts an event. Returns the seconds until the next one may be sent."""
        now = self._clock()
        self._allowance = min(BURST, self._allowance + (now - self._updated_at) / COALESCE_SECONDS) - 1
        self._updated_at = now
        return max(0.0, (1 - self._allowance) * COALESCE_SECONDS)


class SubscriberGroup:
    """The streams with the same channels, and the latest version of each changed channel that is not sent yet."""

    def __init__(self, channels: frozenset[str]) -> None:
        self.channels = channels
        self.writes: set[WriteEvent] = set()
        self._loop = asyncio.get_running_loop()
        self._burst_limit = BurstLimit(self._loop.time)
        self._pending: dict[str, str] = {}
        self._is_scheduled = False

    def publish(self, channel: str, version: str) -> None:
        """Sends the first changes at once and batches the following ones.

        Only the highest version of a channel is sent, because messages of several processes can arrive out of order.
        """
        self._pending[channel] = max(self._pending.get(channel, ""), version, key=_version_order)
        if not self._is_scheduled:
            self._is_scheduled = True
            self._loop.call_soon(self._flush)

    def _flush(self) -> None:
        self._is_scheduled = False
        if not self._pending:
            return
        changes, self._pending = self._pending, {}
        events = "".join(
            f"event: changed\ndata: {channel} {version}\n\n" for channel, version in changes.items()
        )
        self.write(events.encode())
        delay = self._burst_limit.delay()
        if delay:
            self._is_scheduled = True
            self._loop.call_later(delay, self._flush)

    def write(self, event: bytes) -> None:
        for write in tuple(self.writes):
            write(event)


class Hub:
    """All streams of this process and the subscription that feeds them."""

    def __init__(self, url: str, broker_channel: str) -> None:
        self._url = url
        self._broker_channel = broker_channel
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

    def last_message(self, channel: str) -> int:
        """Returns the message count at the channel's last change.

        A later count is returned for channels that changed so long ago that they are forgotten.
        """
        return self._last_message.get(channel, self._messages_forgotten)

    @property
    def open_streams(self) -> int:
        return self._stream_quota.in_use

    def has_room(self, address: str, channels: int, limits: StreamLimits) -> bool:
        """Returns True if the address may open another stream with this number of channels."""
        return self._stream_quota.has_room(address, limits.streams) and self._channel_quota.has_room(
            address, limits.channels, channels
        )

    @contextlib.contextmanager
    def place(self, address: str, channels: int) -> Iterator[None]:
        """Counts a stream while the block runs."""
        with self._stream_quota.reserved(address), self._channel_quota.reserved(address, channels):
            yield

    def start(self) -> None:
        self._tasks = [
            asyncio.create_task(self._keep_listening()),
            asyncio.create_task(self._send_heartbeats()),
        ]

    async def stop(self) -> None:
        await _cancel(*self._tasks)

    @contextlib.contextmanager
    def subscribed(self, channels: Iterable[str], write: WriteEvent) -> Iterator[None]:
        """Writes the events of these channels with `write` while the block runs."""
        group = self._group(frozenset(channels))
        group.writes.add(write)
        try:
            write(OPENING)
            yield
        finally:
            group.writes.discard(write)
            if not group.writes:
                self._remove_group(group)

    @contextlib.contextmanager
    def closing_on_revocation(self, credentials: Iterable[str], close_stream: CloseStream) -> Iterator[None]:
        """Calls `close_stream` when one of these credentials is revoked while the block runs.

        Also calls it after a reconnect to the broker, because a revocation may have been missed.
        """
        unique_credentials = set(credentials)
        for credential in unique_credentials:
            self._streams_by_credential.setdefault(credential, set()).add(close_stream)
        try:
            yield
        finally:
            for credential in unique_credentials:
                self._streams_by_credential[credential].discard(close_stream)
                if not self._streams_by_credential[credential]:
                    del self._streams_by_credential[credential]

    def revoke(self, *credentials: str) -> None:
        """Closes the streams of these credentials. The counter reveals a revocation during an authorization."""
        self.revocations += 1
        for credential in credentials:
            for close_stream in tuple(self._streams_by_credential.get(credential, ())):
                close_stream()

    def handle_message(self, message: str) -> None:
        """Handles a line from the broker: a changed channel with its version, a revocation, or a full reload."""
        channel, _, version = message.partition(" ")
        if channel == EVERYTHING:
            self._resync()
        elif channel == REVOKED:
            self.revoke(version)
        else:
            self.publish(channel, version)

    def publish(self, channel: str, version: str) -> None:
        self.messages_received += 1
        self._last_message[channel] = self.messages_received
        self._last_message.move_to_end(channel)
        if len(self._last_message) > MAX_REMEMBERED:
            _, self._messages_forgotten = self._last_message.popitem(last=False)
        for group in self._groups_by_channel.get(channel, ()):
            group.publish(channel, version)

    def _group(self, channels: frozenset[str]) -> SubscriberGroup:
        group = self._groups.get(channels)
        if group is None:
            group = self._groups[channels] = SubscriberGroup(channels)
            for channel in channels:
                self._groups_by_channel.setdefault(channel, set()).add(group)
        return group

    def _remove_group(self, group: SubscriberGroup) -> None:
        if self._groups.pop(group.channels, None) is None:
            return
        for channel in group.channels:
            self._groups_by_channel[channel].discard(group)
            if not self._groups_by_channel[channel]:
                del self._groups_by_channel[channel]

    def _resync(self) -> None:
        """Treats everything as changed and revoked, because messages may have been missed."""
        self.revoke(*self._streams_by_credential)
        self.messages_received += 1
        self._last_message.clear()
        self._messages_forgotten = self.messages_received
        for channel in self._groups_by_channel:
            self.publish(channel, UNKNOWN_VERSION)
        self.is_subscribed = True

    async def _send_heartbeats(self) -> None:
        """Sends a comment regularly, so that proxies do not close quiet streams."""
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
            except Exception as error:  # noqa: BLE001 (the loop must survive any error)
                database_faults.broker.failed(error)
            self.is_subscribed = False
            await asyncio.sleep(RECONNECT_SECONDS)

    async def _listen(self) -> None:
        """Receives messages until the connection fails. Resynchronizes when the subscription is confirmed."""
        server = redis.asyncio.Redis.from_url(self._url, socket_connect_timeout=2)
        async with server, server.pubsub() as subscription:
            async with asyncio.timeout(BROKER_TIMEOUT_SECONDS) as timeout:
                await subscription.subscribe(self._broker_channel)
                ping_task = asyncio.create_task(_ping_broker(subscription))
                try:
                    async for message in subscription.listen():
                        timeout.reschedule(asyncio.get_running_loop().time() + BROKER_TIMEOUT_SECONDS)
                        database_faults.broker.succeeded()
                        if message["type"] == "subscribe":
                            self._resync()
                        elif message["type"] == "message":
                            for line in message["data"].decode(errors="replace").splitlines():
                                self.handle_message(line)
                finally:
                    await _cancel(ping_task)


async def _cancel(*tasks: asyncio.Task[None]) -> None:
    """Cancels tasks repeatedly until they end: Python 3.11 can lose a cancellation inside redis-py."""
    pending = set(tasks)
    while pending:
        for task in pending:
            task.cancel()
        _, pending = await asyncio.wait(pending, timeout=CANCEL_RETRY_SECONDS)


def _version_order(version: str) -> tuple[int, str]:
    """Sorts versions, which are numbers as text, by value."""
    return len(version), version


async def _ping_broker(subscription: Any) -> None:
    """Pings the broker, so that a silently lost connection is noticed within BROKER_TIMEOUT_SECONDS."""
    # AttributeError: redis-py can write to a connection that it has just closed.
    with contextlib.suppress(RedisError, OSError, AttributeError):
        while True:
            await asyncio.sleep(BROKER_TIMEOUT_SECONDS / 3)
            await subscription.ping()
