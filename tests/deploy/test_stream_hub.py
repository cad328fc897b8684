"""Live streams: every client gets the latest version soon and once; a slow client does not affect others."""

import asyncio
import json
import socket
import uuid
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from urllib.parse import parse_qs, urlencode

import pytest
import uvicorn
from django.conf import settings

from deploy import asgi, stream_hub
from deploy.asgi import AsgiApplication
from deploy.body_limits import MAX_ADDRESS
from deploy.http_limits import HttpLimits
from deploy.sse_stream import SseStream
from deploy.stream_hub import OPENING, Hub, StreamLimits
from tournament.live.channels import private_channel
from tournament.runtime import database_faults
from tournament.runtime.database_faults import Outage
from tournament.runtime.publish import EVERYTHING

MAIN, CONSOLATION = str(uuid.UUID(int=1)), str(uuid.UUID(int=2))
PRIVATE = private_channel(uuid.UUID(int=7))
A_STREAM = f"GET /live/?bracket={MAIN} HTTP/1.1\r\nHost: hall\r\n\r\n".encode()
NOTHING_THERE = b"GET /live/ HTTP/1.1\r\nHost: hall\r\n\r\n"


class RecordingClient:
    """Records what a browser receives."""

    def __init__(self) -> None:
        self.pieces: list[str] = []

    def write(self, event: bytes) -> None:
        self.pieces.append(event.decode())

    @property
    def changes(self) -> list[str]:
        return [
            line[6:]
            for piece in self.pieces
            for line in piece.splitlines()
            if line.startswith("data: ") and line != "data: open"
        ]


@contextmanager
def _subscribed(hub, *brackets):
    reader = RecordingClient()
    with hub.subscribed(brackets, reader.write):
        yield reader


def test_first_changes_are_sent_at_once_and_floods_are_batched():
    async def scenario():
        hub = Hub("redis://nowhere", "live")
        with _subscribed(hub, MAIN) as reader, _subscribed(hub, CONSOLATION) as other:
            assert reader.pieces == [OPENING.decode()]
            for version in range(1, stream_hub.BURST + 1):
                hub.publish(MAIN, str(version))
                await asyncio.sleep(0)
            assert reader.changes == [f"{MAIN} {version}" for version in range(1, stream_hub.BURST + 1)]
            for version in range(stream_hub.BURST + 1, 101):
                hub.publish(MAIN, str(version))
                await asyncio.sleep(0.001)
            await asyncio.sleep(2 * stream_hub.COALESCE_SECONDS)
            assert reader.changes[-1] == f"{MAIN} 100"
            assert len(reader.changes) < 50
            assert other.changes == []

    asyncio.run(scenario())


def test_simultaneous_changes_are_sent_together_with_the_highest_version():
    async def scenario():
        hub = Hub("redis://nowhere", "live")
        with _subscribed(hub, MAIN, CONSOLATION) as both, _subscribed(hub, MAIN) as single:
            for channel, version in ((MAIN, "8"), (CONSOLATION, "3"), (MAIN, "10"), (MAIN, "9")):
                hub.publish(channel, version)
            await asyncio.sleep(0)
            assert both.pieces[1:] == [
                f"event: changed\ndata: {MAIN} 10\n\nevent: changed\ndata: {CONSOLATION} 3\n\n"
            ]
            assert single.changes == [f"{MAIN} 10"]
        hub.publish(MAIN, "11")
        await asyncio.sleep(0)
        assert (single.changes, hub.open_streams) == ([f"{MAIN} 10"], 0)

    asyncio.run(scenario())


def test_every_stream_reloads_after_an_outage_or_a_restored_database():
    async def scenario():
        hub = Hub("redis://nowhere", "live")
        with _subscribed(hub, MAIN) as reader, _subscribed(hub, EVERYTHING) as reserved:
            hub.handle_message(EVERYTHING)
            await asyncio.sleep(0)
            assert reader.changes == [f"{MAIN} 0"]
            assert reserved.changes == [f"{EVERYTHING} 0"]
            assert hub.last_message("unknown") > 0

    asyncio.run(scenario())


def test_forgotten_channels_count_as_changed_later(monkeypatch):
    monkeypatch.setattr(stream_hub, "MAX_REMEMBERED", 3)
    hub = Hub("redis://nowhere", "live")
    for channel in ("one", "two", "three", "one", "four", "five"):
        hub.publish(channel, "1")
    assert [hub.last_message(channel) for channel in ("one", "four", "five")] == [4, 5, 6]
    assert [hub.last_message(channel) for channel in ("two", "three", "never")] == [3, 3, 3]


def test_quiet_streams_get_heartbeats(monkeypatch):
    async def scenario():
        monkeypatch.setattr(stream_hub, "HEARTBEAT_SECONDS", 0.01)
        hub = Hub("unix:///nowhere", "live")
        with _subscribed(hub, MAIN) as reader:
            hub.start()
            await _until(lambda: len(reader.pieces) >= 3)
            await hub.stop()
            assert set(reader.pieces[1:]) == {": still here\n\n"}

    asyncio.run(scenario())


def test_slow_clients_are_disconnected_and_others_get_their_events():
    async def scenario():
        hub = Hub("unix:///nowhere", "live")
        async with _serving(AsgiApplication(hub)) as port:
            reader, writer = await _open_stream(port)
            _, leaving = await _open_stream(port)
            await _until(lambda: hub.open_streams == 2)
            leaving.close()
            await _until(lambda: hub.open_streams == 1)
            slow = _connect_without_reading(port)
            await _until(lambda: hub.open_streams == 2)
            flood = f"event: changed\ndata: {MAIN} 1\n\n".encode() * 200
            async with asyncio.timeout(60):
                while hub.open_streams == 2:
                    for group in list(hub._groups.values()):
                        group.write(flood)
                    await asyncio.sleep(0.001)
            hub.publish(MAIN, "last")
            await asyncio.wait_for(reader.readuntil(b" last\n"), 20)
            assert hub.open_streams == 1
            slow.close()
            writer.close()

    asyncio.run(scenario())


def test_a_client_that_pipelines_requests_and_disconnects_is_removed():
    async def scenario():
        hub = Hub("unix:///nowhere", "live")
        async with _serving(AsgiApplication(hub)) as port:
            reader, writer = await _open_stream(port)
            for before in (0, 1):
                _, leaving = await asyncio.open_connection("127.0.0.1", port)
                leaving.write(NOTHING_THERE * before + A_STREAM + NOTHING_THERE * 3)
                await _until(lambda: hub.open_streams == 2)
                leaving.close()
                await _until(lambda: hub.open_streams == 1)
            hub.publish(MAIN, "last")
            await asyncio.wait_for(reader.readuntil(b" last\n"), 20)
            writer.close()

    asyncio.run(scenario())


def test_a_closed_stream_does_not_block_the_others():
    async def closed(_message):
        raise RuntimeError("the handler is closed")

    async def scenario():
        hub = Hub("unix:///nowhere", "live")
        with ExitStack() as stack:
            for _ in range(5):
                stack.enter_context(hub.subscribed([MAIN], SseStream(closed).write))
            reader = stack.enter_context(_subscribed(hub, MAIN))
            hub.publish(MAIN, "1")
            await _until(lambda: reader.changes == [f"{MAIN} 1"])

    asyncio.run(scenario())


class SilentBroker:
    """Accepts a subscription and then stays silent, or sends `last_bytes`."""

    def __init__(self, last_bytes: bytes = b"") -> None:
        self.connections: list[asyncio.StreamWriter] = []
        self._last_bytes = last_bytes

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections.append(writer)
        with suppress(ConnectionResetError):
            while (command := await reader.read(4096)) and b"SUBSCRIBE" not in command:
                writer.write(b"+OK\r\n" * command.count(b"*"))
            writer.write(b"*3\r\n$9\r\nsubscribe\r\n$4\r\nlive\r\n:1\r\n" + self._last_bytes)


@pytest.mark.parametrize("last_bytes", [b"", b"*3\r\n$many\r\n"], ids=["nothing", "no number"])
def test_the_hub_reconnects_to_a_silent_or_faulty_broker(monkeypatch, caplog, last_bytes):
    """Repeated failures count as one outage, which is logged once."""
    monkeypatch.setattr(database_faults, "broker", Outage("it is away", "it is back", settles=60))
    monkeypatch.setattr(stream_hub, "BROKER_TIMEOUT_SECONDS", 0.05)
    monkeypatch.setattr(stream_hub, "RECONNECT_SECONDS", 0.01)

    async def scenario():
        broker = SilentBroker(last_bytes)
        server = await asyncio.start_server(broker.take, "127.0.0.1", 0)
        hub = Hub(f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}", "live")
        hub.start()
        await _until(lambda: len(broker.connections) >= 3 and hub.last_message("a bracket") > 0)
        await hub.stop()
        for writer in broker.connections:
            writer.close()
        server.close()

    asyncio.run(scenario())
    assert [record.getMessage()[:10] for record in caplog.records] == ["it is away"]


def test_a_hub_stops_at_any_moment():
    """Also while it connects, when Python 3.11 can lose a cancellation."""

    async def scenario():
        broker = SilentBroker()
        server = await asyncio.start_server(broker.take, "127.0.0.1", 0)
        for moment in range(80):
            hub = Hub(f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}", "live")
            hub.start()
            for _ in range(moment):
                await asyncio.sleep(0)
            ended, running = await asyncio.wait([asyncio.create_task(hub.stop())], timeout=10)
            assert not running, f"stopped after {moment} steps"
            assert [task.result() for task in ended] == [None]
        for writer in broker.connections:
            writer.close()
        server.close()

    asyncio.run(scenario())


@pytest.mark.parametrize(
    "names",
    [[], ["x" * 9000], ["main"], [EVERYTHING], [MAIN, "inside-7"], [f"{MAIN}7"], [MAIN] * 161],
    ids=["none", "too long", "not an id", "reserved word", "bad private id", "long id", "too many"],
)
def test_a_stream_without_channels_or_with_too_many_is_refused(names):
    async def scenario():
        hub, messages = Hub("redis://nowhere", "live"), []

        async def send(message):
            messages.append(message)

        query = urlencode([("bracket", name) for name in names]).encode()
        scope = {"type": "http", "method": "GET", "path": "/live/", "query_string": query, "headers": []}
        await AsgiApplication(hub)(scope, None, send)
        assert (messages[0]["status"], hub.open_streams) == (400, 0)

    asyncio.run(scenario())


@pytest.mark.parametrize("script", ["live.js", "screen.js"])
def test_a_url_has_room_for_the_maximum_of_channels(script):
    source = (settings.BASE_DIR / "templates" / "static" / script).read_text()
    assert f"const MAX_CHANNELS = {stream_hub.MAX_CHANNELS};" in source
    channels = [
        name
        for event in [uuid.uuid4()] * (stream_hub.MAX_CHANNELS // 2)
        for name in (event, private_channel(event))
    ]
    assert len("/live/") + len(urlencode([("bracket", channel) for channel in channels])) <= MAX_ADDRESS


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


def _open_streams(hub, address, limits, stack):
    count = 0
    while hub.has_room(address, 1, limits):
        stack.enter_context(hub.place(address, 1))
        count += 1
    return count


def test_a_greedy_network_is_limited_but_not_its_players(monkeypatch):
    monkeypatch.setattr(asgi, "STRANGER_LIMITS", StreamLimits(streams=4, channels=100))
    monkeypatch.setattr(asgi, "TOTAL_LIMITS", StreamLimits(streams=5, channels=100))

    async def scenario():
        hub = Hub("redis://nowhere", "live")
        greedy = ("2001:db8::7:8", 5000)
        with hub.place("2001:db8::", 1), hub.place("2001:db8::", 1):
            assert [await _status(hub, client) for client in (greedy, ("192.0.2.7", 5000), None)] == [
                503,
                200,
                200,
            ]
            assert [await _status(hub, greedy, cookie) for cookie in (b"link=bad", b"link=good")] == [
                503,
                200,
            ]
            with hub.place("2001:db8::", 1):
                assert await _status(hub, greedy, b"link=good") == 503
        assert (await _status(hub, ("2001:db8::9:9", 5000)), hub.open_streams) == (200, 0)

    asyncio.run(scenario())


async def _status(hub, client, cookie=b""):
    """Returns the status of a stream whose client disconnects at once."""
    messages = []

    async def send(message):
        messages.append(message)

    async def receive():
        return {"type": "http.disconnect"}

    application = AsgiApplication(hub)
    application.request_priority = FakeAuth()
    named = {"path": "/live/", "query_string": f"bracket={MAIN}".encode(), "client": client}
    headers = [(b"cookie", cookie)] if cookie else []
    await application({"type": "http", "method": "GET", "headers": headers, **named}, receive, send)
    return messages[0]["status"]


class FakeAuth:
    """Replaces Django's check of credentials and counts requests. The cookie `link=good` is valid."""

    def __init__(self) -> None:
        self.requests, self.status, self.meanwhile = 0, 200, lambda: None
        self.seconds: float | None = None

    async def __call__(self, scope, _receive, send) -> None:
        self.requests += 1
        names = parse_qs(scope["query_string"].decode()).get("bracket", [])
        is_valid = dict(scope["headers"]).get(b"cookie") == b"link=good"
        answer = {
            "ways": ["link:7"] * is_valid,
            "channels": names if is_valid else [],
            "seconds": self.seconds,
        }
        body = json.dumps(answer).encode()
        self.meanwhile()
        await send({"type": "http.response.start", "status": self.status, "headers": []})
        await send({"type": "http.response.body", "body": body})


def test_a_revoked_credential_closes_its_streams_at_once():
    async def scenario():
        hub = Hub("unix:///nowhere", "live")
        application = AsgiApplication(hub)
        application.request_priority = auth = FakeAuth()
        async with _serving(application) as port:
            public, _a = await _open_stream(port)
            mixed, _b = await _open_stream(port, f"{MAIN}&bracket={PRIVATE}", "link=good")
            again, _c = await _open_stream(port, PRIVATE, "link=good")
            assert (hub.open_streams, auth.requests) == (3, 2)
            hub.handle_message("ended link:8")
            hub.publish(PRIVATE, "0")
            for reader in (mixed, again):
                await asyncio.wait_for(reader.readuntil(f"data: {PRIVATE} 0\n\n".encode()), 20)
            hub.handle_message("ended link:7")
            for reader in (mixed, again):
                await _read_to_end(reader)
            again, _d = await _open_stream(port, PRIVATE, "link=good")
            hub.handle_message(EVERYTHING)
            await _read_to_end(again)  # a revocation may have been missed
            auth.meanwhile = lambda: hub.handle_message("ended link:7")
            again, _e = await _open_stream(port, PRIVATE, "link=good")
            await _read_to_end(again)  # revoked during the authorization
            await _until(lambda: hub.open_streams == 1)
            hub.publish(MAIN, "5")
            await asyncio.wait_for(public.readuntil(f"data: {MAIN} 5\n\n".encode()), 20)
            assert not hub._streams_by_credential

    asyncio.run(scenario())


def test_a_private_stream_ends_when_its_token_expires():
    async def scenario():
        hub = Hub("unix:///nowhere", "live")
        application = AsgiApplication(hub)
        application.request_priority = auth = FakeAuth()
        async with _serving(application) as port:
            lasting, _a = await _open_stream(port, f"{MAIN}&bracket={PRIVATE}", "link=good")
            auth.seconds = 0.05
            public, _b = await _open_stream(port, f"{MAIN}&bracket={PRIVATE}", "link=bad")
            ending, _c = await _open_stream(port, f"{MAIN}&bracket={PRIVATE}", "link=good")
            await _read_to_end(ending)
            hub.publish(MAIN, "5")
            for reader in (lasting, public):
                await asyncio.wait_for(reader.readuntil(f"data: {MAIN} 5\n\n".encode()), 20)
            assert hub.open_streams == 2

    asyncio.run(scenario())


def test_a_stranger_gets_public_channels_only():
    async def scenario():
        hub = Hub("unix:///nowhere", "live")
        application = AsgiApplication(hub)
        application.request_priority = auth = FakeAuth()
        async with _serving(application) as port:
            for cookie in ("", "link=bad"):
                reader, _a = await _open_stream(port, f"{MAIN}&bracket={PRIVATE}", cookie)
                hub.publish(PRIVATE, "0")
                hub.publish(MAIN, "5")
                text = await asyncio.wait_for(reader.readuntil(f"data: {MAIN} 5\n\n".encode()), 20)
                assert b"inside" not in text
                assert b" 403 " in await _status_line(port, f"/live/?bracket={PRIVATE}", cookie)
            auth.status = 503
            assert b" 503 " in await _status_line(port, f"/live/?bracket={PRIVATE}", "link=good")
            assert b" 404 " in await _status_line(port, "/live/stream-auth/", "link=good"), "an internal path"

    asyncio.run(scenario())


async def _read_to_end(reader):
    await asyncio.wait_for(reader.readuntil(b"\r\n0\r\n\r\n"), 20)


async def _status_line(port, path, cookie):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: hall\r\nCookie: {cookie}\r\n\r\n".encode())
    return await asyncio.wait_for(reader.readline(), 20)


async def _open_stream(port, named=MAIN, cookie=""):
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**26)
    header = f"Cookie: {cookie}\r\n" if cookie else ""
    writer.write(f"GET /live/?bracket={named} HTTP/1.1\r\nHost: hall\r\n{header}\r\n".encode())
    await reader.readuntil(b"data: open\n")
    return reader, writer


def _connect_without_reading(port):
    slow = socket.socket()
    slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    slow.connect(("127.0.0.1", port))
    slow.sendall(A_STREAM)
    return slow


async def _until(condition):
    async with asyncio.timeout(20):
        while not condition():
            await asyncio.sleep(0.005)


@asynccontextmanager
async def _serving(app):
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
