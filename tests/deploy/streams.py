"""A web server in this process, and streams that tests read from it."""

import asyncio
import socket
from contextlib import asynccontextmanager

import uvicorn

from deploy.http_limits import HttpLimits
from deploy.sse_stream import OPENING, SseStream
from tests.flows.waiting import LONGEST_WAIT


class RecordingClient:
    """Receives the messages of one stream."""

    def __init__(self) -> None:
        self.is_complete = False
        self._bodies: asyncio.Queue[bytes] = asyncio.Queue()

    async def send(self, message) -> None:
        self.is_complete = not message["more_body"]
        self._bodies.put_nowait(message["body"])

    async def next_event(self) -> str:
        """Waits for the next piece of the body; the empty piece is the last."""
        return (await asyncio.wait_for(self._bodies.get(), LONGEST_WAIT)).decode()


@asynccontextmanager
async def reading(stream: SseStream, seconds: float | None = None):
    """Serves the stream to a client that stays connected while the block runs."""
    client, leaving = RecordingClient(), asyncio.Event()

    async def receive():
        await leaving.wait()
        return {"type": "http.disconnect"}

    serving_task = asyncio.create_task(stream.serve(receive, client.send, seconds))
    assert await client.next_event() == OPENING.decode()
    yield client
    leaving.set()
    await asyncio.wait_for(serving_task, LONGEST_WAIT)


async def read_to_end(reader):
    await asyncio.wait_for(reader.readuntil(b"\r\n0\r\n\r\n"), LONGEST_WAIT)


async def open_stream(port, channels, cookie=""):
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**26)
    header = f"Cookie: {cookie}\r\n" if cookie else ""
    writer.write(f"GET /live/?bracket={channels} HTTP/1.1\r\nHost: hall\r\n{header}\r\n".encode())
    await reader.readuntil(b"data: open\n")
    return reader, writer


async def until(condition):
    async with asyncio.timeout(LONGEST_WAIT):
        while not condition():
            await asyncio.sleep(0.005)


@asynccontextmanager
async def serving(app):
    listening = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(
        app, lifespan="off", log_level="critical", http=HttpLimits, timeout_graceful_shutdown=1
    )
    server = uvicorn.Server(config)
    config.load()
    server.lifespan = config.lifespan_class(config)
    await server.startup(sockets=[listening])
    try:
        yield listening.getsockname()[1]
    finally:
        server.should_exit = True
        await server.shutdown(sockets=[listening])
