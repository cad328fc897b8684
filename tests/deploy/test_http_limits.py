"""Limits of the HTTP protocol: endless headers and unread responses close the connection."""

import asyncio
import socket
from contextlib import asynccontextmanager

import pytest
import uvicorn
import uvloop
from django.conf import settings
from uvicorn.server import ServerState

from deploy import addresses, http_limits
from deploy.http_limits import HttpLimits
from tests.flows.waiting import LONGEST_WAIT

LONG = b"x" * 70_000
VERY_LONG = b"x" * 8_000_000


async def length_app(scope, receive, send):
    length, more = 0, True
    while more:
        message = await receive()
        length, more = length + len(message["body"]), message["more_body"]
    body = VERY_LONG if scope["path"] == "/very-long" else b"%d" % length
    await send(
        {"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % len(body))]}
    )
    await send({"type": "http.response.body", "body": body})


@asynccontextmanager
async def run_server():
    """Yields the address of a server on an inherited socket, and its open connections."""
    config = uvicorn.Config(length_app, http=HttpLimits, lifespan="off", log_config=None)
    config.load()
    loop, state = asyncio.get_running_loop(), ServerState()
    opened = addresses.listen("127.0.0.1", 0)
    inherited = socket.fromfd(opened.fileno(), socket.AF_UNIX, socket.SOCK_STREAM)  # as with uvicorn's --fd
    server = await loop.create_server(
        lambda: HttpLimits(config=config, server_state=state, app_state={}), sock=inherited
    )
    async with server:
        yield opened.getsockname(), state.connections
    opened.close()


@asynccontextmanager
async def open_connection():
    async with run_server() as (address, _):
        reader, writer = await asyncio.open_connection(*address)
        yield reader, writer
        writer.close()


async def is_closed_by_server(reader: asyncio.StreamReader) -> bool:
    async with asyncio.timeout(LONGEST_WAIT):
        try:
            return await reader.read() == b""
        except ConnectionResetError:
            return True


async def read_response(reader: asyncio.StreamReader) -> bytes:
    async with asyncio.timeout(LONGEST_WAIT):
        head = await reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200")
        return await reader.readexactly(int(head.lower().partition(b"content-length: ")[2].split()[0]))


@pytest.mark.parametrize(
    "start",
    [
        b"GET / HTTP/1.1\r\nx-long: ",
        b"GET /",
        b"POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n1;",
        b"POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n0\r\nx-trailer: ",
    ],
    ids=["header", "request line", "chunk header", "trailer"],
)
def test_endless_headers_and_trailers_close_the_connection(start):
    async def scenario():
        async with open_connection() as (reader, writer):
            writer.write(start + LONG)
            for _ in range(3):
                await asyncio.sleep(0.01)
                writer.write(LONG)
            assert await is_closed_by_server(reader)

    asyncio.run(scenario())


@pytest.mark.parametrize("start", [b"", b"GET / HT"])
def test_late_headers_close_the_connection(monkeypatch, start):
    monkeypatch.setattr(http_limits, "PARSE_SECONDS", 0.01)

    async def scenario():
        async with open_connection() as (reader, writer):
            writer.write(start)
            assert await is_closed_by_server(reader)

    asyncio.run(scenario())


@pytest.mark.skipif(http_limits.USER_TIMEOUT is None, reason="Linux only")
def test_an_unread_response_closes_the_connection(monkeypatch):
    monkeypatch.setattr(http_limits, "UNREAD_SECONDS", 0.2)

    async def scenario():
        async with run_server() as (address, connections):
            with socket.create_connection(address) as never_reading:
                never_reading.sendall(b"GET /very-long HTTP/1.1\r\n\r\n")
                async with asyncio.timeout(LONGEST_WAIT):
                    for is_reached in (lambda: connections, lambda: not connections):
                        while not is_reached():
                            await asyncio.sleep(0.01)

    uvloop.run(scenario())


def test_an_address_gets_at_most_half_of_all_connections(monkeypatch):
    monkeypatch.setattr(http_limits, "max_connections", lambda: 3)

    async def scenario():
        async with run_server() as (address, connections):
            first, closing = await asyncio.open_connection(*address)
            _, writer = await asyncio.open_connection(*address)
            third, _ = await asyncio.open_connection(*address)
            assert await is_closed_by_server(third)
            assert HttpLimits.connection_quota.in_use == len(connections) == 2
            closing.close()
            assert await is_closed_by_server(first)
            async with asyncio.timeout(LONGEST_WAIT):
                while HttpLimits.connection_quota.in_use == 2:
                    await asyncio.sleep(0.01)
            reader, writer = await asyncio.open_connection(*address)
            writer.write(b"GET / HTTP/1.1\r\n\r\n")
            assert await read_response(reader) == b"0"
        writer.close()

    asyncio.run(scenario())


def test_a_long_body_and_a_following_request_are_accepted():
    async def scenario():
        async with open_connection() as (reader, writer):
            for chunks in (1, 5):
                writer.write(b"POST / HTTP/1.1\r\ncontent-length: %d\r\n\r\n" % (chunks * len(LONG)))
                for _ in range(chunks):
                    writer.write(LONG)
                    await writer.drain()
                assert await read_response(reader) == b"%d" % (chunks * len(LONG))
            writer.write(b"GET / HTTP/1.1\r\n\r\n")
            assert await read_response(reader) == b"0"

    asyncio.run(scenario())


def test_responses_are_sent_without_delay():
    async def scenario():
        async with run_server() as (address, connections):
            reader, writer = await asyncio.open_connection(*address)
            writer.write(b"GET / HTTP/1.1\r\n\r\n")
            assert await read_response(reader) == b"0"
            (connection,) = connections
            server_socket = connection.transport.get_extra_info("socket")
            assert server_socket.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
            writer.close()

    uvloop.run(scenario())


@pytest.mark.parametrize(
    "path",
    ["deploy/process_specs.py", "deploy/server/Dockerfile", "deploy/server/systemd/director-web.service"],
)
def test_every_web_server_command_uses_the_http_limits(path):
    assert f"{HttpLimits.__module__}:{HttpLimits.__name__}" in (settings.BASE_DIR / path).read_text()
