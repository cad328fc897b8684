"""A head that does not end costs neither memory nor time; whoever asks as people do notices nothing."""

import asyncio
import socket
from contextlib import asynccontextmanager

import pytest
import uvicorn
from django.conf import settings
from uvicorn.server import ServerState

from deploy import addresses, http_limits
from deploy.http_limits import HttpLimits

LONG = b"x" * 70_000
VERY_LONG = b"x" * 8_000_000


async def answers(scope, receive, send):
    length, more = 0, True
    while more:
        message = await receive()
        length, more = length + len(message["body"]), message["more_body"]
    told = VERY_LONG if scope["path"] == "/very-long" else b"%d" % length
    await send(
        {"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % len(told))]}
    )
    await send({"type": "http.response.body", "body": told})


@asynccontextmanager
async def serving():
    """Where a server listens, on a port that was open before, and who is connected."""
    config = uvicorn.Config(answers, http=HttpLimits, lifespan="off", log_config=None)
    config.load()
    loop, state = asyncio.get_running_loop(), ServerState()
    opened = addresses.listen("127.0.0.1", 0)
    server = await loop.create_server(lambda: HttpLimits(config, state, {}), sock=opened)
    async with server:
        yield server.sockets[0].getsockname(), state.connections


@asynccontextmanager
async def asking():
    async with serving() as (place, _):
        reader, writer = await asyncio.open_connection(*place)
        yield reader, writer
        writer.close()


async def is_hung_up_on(reader: asyncio.StreamReader) -> bool:
    async with asyncio.timeout(20):
        try:
            return await reader.read() == b""
        except ConnectionResetError:
            return True


async def answered(reader: asyncio.StreamReader) -> bytes:
    async with asyncio.timeout(20):
        told = await reader.readuntil(b"\r\n\r\n")
        assert told.startswith(b"HTTP/1.1 200")
        return await reader.readexactly(int(told.lower().partition(b"content-length: ")[2].split()[0]))


@pytest.mark.parametrize(
    "begins",
    [
        b"GET / HTTP/1.1\r\nx-long: ",
        b"GET /",
        b"POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n1;",
        b"POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n0\r\nx-trailer: ",
    ],
    ids=["a header", "an address", "between two pieces of a body", "after a body"],
)
def test_endless_headers_and_trailers_close_the_connection(begins):
    async def story():
        async with asking() as (reader, writer):
            writer.write(begins + LONG)
            for _ in range(3):
                await asyncio.sleep(0.01)
                writer.write(LONG)
            assert await is_hung_up_on(reader)

    asyncio.run(story())


@pytest.mark.parametrize("begins", [b"", b"GET / HT"])
def test_late_headers_close_the_connection(monkeypatch, begins):
    monkeypatch.setattr(http_limits, "PARSE_SECONDS", 0.01)

    async def story():
        async with asking() as (reader, writer):
            writer.write(begins)
            assert await is_hung_up_on(reader)

    asyncio.run(story())


def test_an_unread_response_closes_the_connection(monkeypatch):
    monkeypatch.setattr(http_limits, "UNREAD_SECONDS", 0.2)

    async def story():
        async with serving() as (place, connected):
            with socket.create_connection(place) as never_reading:
                never_reading.sendall(b"GET /very-long HTTP/1.1\r\n\r\n")
                async with asyncio.timeout(20):
                    for is_time in (lambda: connected, lambda: not connected):
                        while not is_time():
                            await asyncio.sleep(0.01)

    asyncio.run(story())


def test_an_address_gets_at_most_half_of_all_connections(monkeypatch):
    monkeypatch.setattr(http_limits, "max_connections", lambda: 3)

    async def story():
        async with serving() as (place, connected):
            first, closing = await asyncio.open_connection(*place)
            _, writer = await asyncio.open_connection(*place)
            third, _ = await asyncio.open_connection(*place)
            assert await is_hung_up_on(third)
            assert HttpLimits.connection_quota.in_use == len(connected) == 2
            closing.close()
            assert await is_hung_up_on(first)
            async with asyncio.timeout(20):
                while HttpLimits.connection_quota.in_use == 2:
                    await asyncio.sleep(0.01)
            reader, writer = await asyncio.open_connection(*place)
            writer.write(b"GET / HTTP/1.1\r\n\r\n")
            assert await answered(reader) == b"0"
        writer.close()

    asyncio.run(story())


def test_a_long_body_and_a_following_request_are_accepted():
    async def story():
        async with asking() as (reader, writer):
            for pieces in (1, 5):
                writer.write(b"POST / HTTP/1.1\r\ncontent-length: %d\r\n\r\n" % (pieces * len(LONG)))
                for _ in range(pieces):
                    writer.write(LONG)
                    await writer.drain()
                assert await answered(reader) == b"%d" % (pieces * len(LONG))
            writer.write(b"GET / HTTP/1.1\r\n\r\n")
            assert await answered(reader) == b"0"

    asyncio.run(story())


def test_responses_are_sent_without_delay():
    async def story():
        async with serving() as (place, connected):
            reader, writer = await asyncio.open_connection(*place)
            writer.write(b"GET / HTTP/1.1\r\n\r\n")
            assert await answered(reader) == b"0"
            (connection,) = connected
            ours = connection.transport.get_extra_info("socket")
            assert ours.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
            writer.close()

    asyncio.run(story())


@pytest.mark.parametrize(
    "place",
    ["deploy/process_specs.py", "deploy/server/Dockerfile", "deploy/server/systemd/director-web.service"],
)
def test_every_web_server_command_uses_the_http_limits(place):
    assert f"{HttpLimits.__module__}:{HttpLimits.__name__}" in (settings.BASE_DIR / place).read_text()
