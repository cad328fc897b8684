"""A live stream sends the first changes at once, batches floods, and leaves a slow client without disturbing others."""

import asyncio
import socket
import uuid

import uvloop

from deploy import sse_stream, stream_hub
from deploy.asgi import AsgiApplication
from deploy.sse_stream import SseStream
from deploy.stream_hub import Hub
from tests.deploy.streams import open_stream, reading, serving, until
from tests.flows.waiting import LONGEST_WAIT

MAIN, OTHER = str(uuid.UUID(int=1)), str(uuid.UUID(int=2))
STREAM_REQUEST = f"GET /live/?bracket={MAIN} HTTP/1.1\r\nHost: hall\r\n\r\n".encode()
BAD_REQUEST = b"GET /live/ HTTP/1.1\r\nHost: hall\r\n\r\n"


def test_changes_that_wait_are_sent_together_with_the_highest_version():
    async def scenario():
        stream = SseStream([MAIN, OTHER])
        async with reading(stream) as client:
            for channel, version in ((MAIN, 8), (OTHER, 3), (MAIN, 10), (MAIN, 9)):
                stream.publish(channel, version)
            assert await client.next_event() == (
                f"event: changed\ndata: {MAIN} 10\n\nevent: changed\ndata: {OTHER} 3\n\n"
            )

    asyncio.run(scenario())


def test_changes_after_the_end_of_a_stream_are_not_sent():
    async def scenario():
        stream = SseStream([MAIN])
        async with reading(stream) as client:
            stream.close()
            stream.publish(MAIN, 1)
            assert await client.next_event() == ""
            assert client.is_complete

    asyncio.run(scenario())


def test_a_stream_ends_after_its_time():
    async def scenario():
        async with reading(SseStream([MAIN]), seconds=0.01) as client:
            assert await client.next_event() == ""
            assert client.is_complete

    asyncio.run(scenario())


def test_slow_clients_are_disconnected_and_others_get_their_events(monkeypatch):
    monkeypatch.setattr(stream_hub, "HEARTBEAT_SECONDS", 0.05)
    monkeypatch.setattr(sse_stream, "_changed_event", lambda change: b": %d\n\n" % change[1] * 4000)

    async def scenario():
        hub = Hub("unix:///nowhere", "live")
        hub.start()
        async with serving(AsgiApplication(hub)) as port:
            reader, writer = await open_stream(port, MAIN)
            slow = _connect_without_reading(port)
            await until(lambda: hub.open_streams == 2)
            version = 1
            async with asyncio.timeout(LONGEST_WAIT):
                while hub.open_streams == 2:
                    version += 1
                    hub.handle_message(f"{MAIN} {version}")
                    await reader.readuntil(f": {version}\n\n".encode())
            hub.handle_message(f"{MAIN} {version + 1}")
            await asyncio.wait_for(reader.readuntil(f": {version + 1}\n\n".encode()), LONGEST_WAIT)
            assert hub.open_streams == 1
            slow.close()
            writer.close()
        await hub.stop()

    asyncio.run(scenario())


def test_a_client_that_pipelines_requests_and_disconnects_is_removed(monkeypatch):
    """uvicorn reports the disconnect to the last request only; the next heartbeat of the stream fails."""
    monkeypatch.setattr(stream_hub, "HEARTBEAT_SECONDS", 0.05)

    async def scenario():
        hub = Hub("unix:///nowhere", "live")
        hub.start()
        async with serving(AsgiApplication(hub)) as port:
            reader, writer = await open_stream(port, MAIN)
            for earlier_requests in (0, 1):
                _, leaving = await asyncio.open_connection("127.0.0.1", port)
                leaving.write(BAD_REQUEST * earlier_requests + STREAM_REQUEST + BAD_REQUEST * 3)
                await until(lambda: hub.open_streams == 2)
                leaving.close()
                await until(lambda: hub.open_streams == 1)
            hub.handle_message(f"{MAIN} 7")
            await asyncio.wait_for(reader.readuntil(f"{MAIN} 7\n".encode()), LONGEST_WAIT)
            writer.close()
        await hub.stop()

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(scenario())


def test_a_stream_ends_quietly_while_its_connection_is_being_closed():
    async def send(_message):
        raise RuntimeError("the handler is closed")

    async def scenario():
        await SseStream([MAIN]).serve(asyncio.Event().wait, send)

    asyncio.run(scenario())


def _connect_without_reading(port: int) -> socket.socket:
    slow = socket.socket()
    slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    slow.connect(("127.0.0.1", port))
    slow.sendall(STREAM_REQUEST)
    return slow
