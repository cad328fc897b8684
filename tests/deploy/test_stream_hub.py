"""The hub delivers changes to the streams that follow their channels, and records them for the response cache."""

import asyncio
import uuid
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager

from deploy import stream_hub
from deploy.sse_stream import HEARTBEAT, SseStream
from deploy.stream_hub import Hub, StreamLimits
from tests.deploy.streams import RecordingClient, reading
from tournament.runtime.publish import EVERYTHING

MAIN, CONSOLATION = str(uuid.UUID(int=1)), str(uuid.UUID(int=2))


def test_simultaneous_changes_are_sent_together_with_the_highest_version():
    async def scenario():
        hub = Hub("redis://nowhere", "live")
        async with _subscribed(hub, MAIN, CONSOLATION) as both, _subscribed(hub, MAIN) as single:
            for change in (f"{MAIN} 8", f"{CONSOLATION} 3", f"{MAIN} 10", f"{MAIN} 9"):
                hub.handle_message(change)
            assert await both.next_event() == (
                f"event: changed\ndata: {MAIN} 10\n\nevent: changed\ndata: {CONSOLATION} 3\n\n"
            )
            assert await single.next_event() == f"event: changed\ndata: {MAIN} 10\n\n"
        hub.handle_message(f"{MAIN} 11")
        assert hub.change_log.last_change(MAIN) == 5

    asyncio.run(scenario())


def test_the_first_change_is_delivered_at_once_and_a_flood_in_few_events():
    async def scenario():
        hub = Hub("redis://nowhere", "live")
        async with AsyncExitStack() as stack:
            clients = [await stack.enter_async_context(_subscribed(hub, MAIN)) for _ in range(200)]
            hub.handle_message(f"{MAIN} 1")
            assert await clients[0].next_event() == f"event: changed\ndata: {MAIN} 1\n\n"
            for version in range(2, 101):
                hub.handle_message(f"{MAIN} {version}")
                await asyncio.sleep(0)
            events = [await clients[-1].next_event()]
            while " 100\n" not in events[-1]:
                events.append(await clients[-1].next_event())
            assert len(events) < 50

    asyncio.run(scenario())


def test_every_stream_reloads_after_an_outage_or_a_restored_database():
    async def scenario():
        hub = Hub("redis://nowhere", "live")
        async with _subscribed(hub, MAIN) as client, _subscribed(hub, EVERYTHING) as reserved:
            hub.handle_message(EVERYTHING)
            assert await client.next_event() == f"event: changed\ndata: {MAIN} 0\n\n"
            assert await reserved.next_event() == f"event: changed\ndata: {EVERYTHING} 0\n\n"
            assert hub.change_log.last_change("unknown") > 0

    asyncio.run(scenario())


def test_quiet_streams_get_heartbeats(monkeypatch):
    async def scenario():
        monkeypatch.setattr(stream_hub, "HEARTBEAT_SECONDS", 0.01)
        hub = Hub("unix:///nowhere", "live")
        async with _subscribed(hub, MAIN) as client:
            hub.start()
            assert [await client.next_event() for _ in range(2)] == [HEARTBEAT.decode()] * 2
            await hub.stop()

    asyncio.run(scenario())


def test_the_change_log_is_complete_only_while_the_broker_is_connected():
    hub = Hub("redis://nowhere", "live")
    assert not hub.change_log.is_complete
    hub.handle_connect()
    assert hub.change_log.is_complete
    hub.handle_disconnect()
    assert not hub.change_log.is_complete


def test_streams_of_one_address_leave_room_for_others():
    hub, limits = Hub("redis://nowhere", "live"), StreamLimits(streams=100, channels=1000)
    with ExitStack() as stack:
        held = [_open_streams(hub, address, limits, stack) for address in ("greedy", "hall", "home", "train")]
        assert held == [50, 25, 13, 6]
        assert hub.open_streams == 94
        assert hub.has_room("phone", 1, limits)
        assert not hub.has_room("greedy", 1, limits)
    assert hub.open_streams == 0
    assert hub.has_room("greedy", 1, limits)


def test_channels_of_one_address_leave_room_for_others():
    hub, limits = Hub("redis://nowhere", "live"), StreamLimits(streams=100, channels=300)
    with hub.place("greedy", 160):
        assert not hub.has_room("greedy", 160, limits)
        assert hub.has_room("home", 140, limits)


def _open_streams(hub: Hub, address: str, limits: StreamLimits, stack: ExitStack) -> int:
    count = 0
    while hub.has_room(address, 1, limits):
        stack.enter_context(hub.place(address, 1))
        count += 1
    return count


@asynccontextmanager
async def _subscribed(hub: Hub, *channels: str) -> AsyncIterator[RecordingClient]:
    stream = SseStream(channels)
    with hub.subscribed(stream):
        async with reading(stream) as client:
            yield client
