"""The live streams of one web process, fed by one broker subscription. Uses no database.

An event says only that a channel changed; the client fetches the page, where permissions are checked. A lost message
delays an update: after a reconnect every client reloads.
"""

import asyncio
import contextlib
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from deploy.address_quota import AddressQuota
from deploy.broker_subscription import BrokerSubscription
from deploy.change_log import ChangeLog
from deploy.sse_stream import SseStream
from tournament.runtime.publish import EVERYTHING, REVOKED

# With this many channels, half of them private with longer names, the URL is just below the limit.
MAX_CHANNELS = 160
UNKNOWN_VERSION = 0
HEARTBEAT_SECONDS = 15.0
SECONDS_PER_EVENT = 0.0001
"""Pause after each event to a stream, five times what it costs: a flood of results must not delay other requests."""


class StreamLimits(NamedTuple):
    """The number of open streams and of channels that they follow in total."""

    streams: int
    channels: int


STRANGER_LIMITS = StreamLimits(4000, 10_000)
TOTAL_LIMITS = StreamLimits(5000, 20_000)
"""The difference is reserved for authenticated requests."""


class Hub:
    """Delivers changes and revocations to the streams of this process, and records changes in `change_log`."""

    def __init__(self, url: str, broker_channel: str) -> None:
        self.change_log = ChangeLog()
        self.revocations = 0
        self._subscription = BrokerSubscription(url, broker_channel, self)
        self._stream_quota, self._channel_quota = AddressQuota(), AddressQuota()
        self._heartbeats: asyncio.Task[None] | None = None
        self._streams: set[SseStream] = set()
        self._changes: dict[str, int] = {}
        self._delivers_at = 0.0
        self._streams_by_channel: dict[str, set[SseStream]] = {}
        self._streams_by_credential: dict[str, set[SseStream]] = {}

    def start(self) -> None:
        self._subscription.start()
        self._heartbeats = asyncio.create_task(self._send_heartbeats())

    async def stop(self) -> None:
        await self._subscription.stop()
        if self._heartbeats is not None:
            self._heartbeats.cancel()

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

    @contextlib.contextmanager
    def subscribed(self, stream: SseStream, credentials: Iterable[str] = ()) -> Iterator[None]:
        """Delivers changes of the stream's channels while the block runs.

        Closes the stream when one of the credentials is revoked. Also closes it after a reconnect to the broker,
        because a revocation may have been missed.
        """
        with (
            _registered(self._streams_by_channel, stream.channels, stream),
            _registered(self._streams_by_credential, frozenset(credentials), stream),
        ):
            self._streams.add(stream)
            try:
                yield
            finally:
                self._streams.discard(stream)

    def handle_message(self, message: str) -> None:
        """Handles a line from the broker: a changed channel with its version, a revocation, or a full reload."""
        channel, _, version = message.partition(" ")
        if channel == EVERYTHING:
            self._resync()
        elif channel == REVOKED:
            self._revoke(version)
        else:
            self._publish(channel, int(version) if version.isdecimal() else UNKNOWN_VERSION)

    def handle_connect(self) -> None:
        self._resync()
        self.change_log.is_complete = True

    def handle_disconnect(self) -> None:
        self.change_log.is_complete = False

    async def _send_heartbeats(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            for stream in self._streams:
                stream.send_heartbeat()

    def _publish(self, channel: str, version: int) -> None:
        """Delivers the highest version: messages of several processes can arrive out of order."""
        self.change_log.record(channel)
        if channel not in self._streams_by_channel:
            return
        if not self._changes:
            loop = asyncio.get_running_loop()
            loop.call_at(max(loop.time(), self._delivers_at), self._deliver)
        self._changes[channel] = max(self._changes.get(channel, 0), version)

    def _deliver(self) -> None:
        """Passes on the changes since the last delivery. The next one waits the longer, the more streams there are."""
        changes, self._changes = self._changes, {}
        events = [
            (stream, channel, version)
            for channel, version in changes.items()
            for stream in self._streams_by_channel.get(channel, ())
        ]
        self._delivers_at = asyncio.get_running_loop().time() + len(events) * SECONDS_PER_EVENT
        for stream, channel, version in events:
            stream.publish(channel, version)

    def _revoke(self, *credentials: str) -> None:
        """Closes the streams of these credentials. The counter reveals a revocation during an authorization."""
        self.revocations += 1
        for credential in credentials:
            for stream in self._streams_by_credential.get(credential, ()):
                stream.close()

    def _resync(self) -> None:
        """Treats everything as changed and revoked, because messages may have been missed."""
        self._revoke(*self._streams_by_credential)
        self.change_log.record_everything()
        for channel in self._streams_by_channel:
            self._publish(channel, UNKNOWN_VERSION)


@contextlib.contextmanager
def _registered(
    streams_by_name: dict[str, set[SseStream]], names: frozenset[str], stream: SseStream
) -> Iterator[None]:
    """Lists the stream under these names while the block runs."""
    for name in names:
        streams_by_name.setdefault(name, set()).add(stream)
    try:
        yield
    finally:
        for name in names:
            streams_by_name[name].discard(stream)
            if not streams_by_name[name]:
                del streams_by_name[name]
