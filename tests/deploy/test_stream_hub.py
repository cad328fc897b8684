"""Live streams: everybody is told of the latest version, soon and once; a reader who is too slow harms nobody."""

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
from tournament.live.channels import inside
from tournament.runtime import database_faults
from tournament.runtime.database_faults import Outage
from tournament.runtime.publish import EVERYTHING

MAIN, CONSOLATION = str(uuid.UUID(int=1)), str(uuid.UUID(int=2))
PRIVATE = inside(uuid.UUID(int=7))
A_STREAM = f"GET /live/?bracket={MAIN} HTTP/1.1\r\nHost: hall\r\n\r\n".encode()
NOTHING_THERE = b"GET /live/ HTTP/1.1\r\nHost: hall\r\n\r\n"


class Reader:
    """What a browser would read, piece by piece."""

    def __init__(self) -> None:
        self.pieces: list[str] = []

    def write(self, words: bytes) -> None:
        self.pieces.append(words.decode())

    @property
    def told(self) -> list[str]:
        return [
            line[6:]
            for piece in self.pieces
            for line in piece.splitlines()
            if line.startswith("data: ") and line != "data: open"
        ]


@contextmanager
def _reading(hub, *brackets):
    reader = Reader()
    with hub.subscribed(brackets, reader.write):
        yield reader


def test_first_changes_are_sent_at_once_and_floods_are_batched():
    async def story():
        hub = Hub("redis://nowhere", "live")
        with _reading(hub, MAIN) as reader, _reading(hub, CONSOLATION) as other:
            assert reader.pieces == [OPENING.decode()]
            for version in range(1, stream_hub.BURST + 1):
                hub.publish(MAIN, str(version))
                await asyncio.sleep(0)
            assert reader.told == [f"{MAIN} {version}" for version in range(1, stream_hub.BURST + 1)]
            for version in range(stream_hub.BURST + 1, 101):
                hub.publish(MAIN, str(version))
                await asyncio.sleep(0.001)
            await asyncio.sleep(2 * stream_hub.COALESCE_SECONDS)
            assert reader.told[-1] == f"{MAIN} 100"
            assert len(reader.told) < 50
            assert other.told == []

    asyncio.run(story())


def test_simultaneous_changes_are_sent_together_with_the_highest_version():
    async def story():
        hub = Hub("redis://nowhere", "live")
        with _reading(hub, MAIN, CONSOLATION) as both, _reading(hub, MAIN) as one:
            for bracket, version in ((MAIN, "8"), (CONSOLATION, "3"), (MAIN, "10"), (MAIN, "9")):
                hub.publish(bracket, version)
            await asyncio.sleep(0)
            assert both.pieces[1:] == [
                f"event: changed\ndata: {MAIN} 10\n\nevent: changed\ndata: {CONSOLATION} 3\n\n"
            ]
            assert one.told == [f"{MAIN} 10"]
        hub.publish(MAIN, "11")
        await asyncio.sleep(0)
        assert (one.told, hub.open_streams) == ([f"{MAIN} 10"], 0)

    asyncio.run(story())


def test_every_stream_reloads_after_an_outage_or_a_restored_database():
    async def story():
        hub = Hub("redis://nowhere", "live")
        with _reading(hub, MAIN) as reader, _reading(hub, EVERYTHING) as who_asks_for_a_word_of_ours:
            hub.handle_message(EVERYTHING)
            await asyncio.sleep(0)
            assert reader.told == [f"{MAIN} 0"]
            assert who_asks_for_a_word_of_ours.told == [f"{EVERYTHING} 0"]
            assert hub.last_message("a bracket never heard of") > 0

    asyncio.run(story())


def test_forgotten_channels_count_as_changed_later(monkeypatch):
    monkeypatch.setattr(stream_hub, "MAX_REMEMBERED", 3)
    hub = Hub("redis://nowhere", "live")
    for bracket in ("one", "two", "three", "one", "four", "five"):
        hub.publish(bracket, "1")
    assert [hub.last_message(one) for one in ("one", "four", "five")] == [4, 5, 6]
    assert [hub.last_message(one) for one in ("two", "three", "never")] == [3, 3, 3]


def test_quiet_streams_get_heartbeats(monkeypatch):
    async def story():
        monkeypatch.setattr(stream_hub, "HEARTBEAT_SECONDS", 0.01)
        hub = Hub("unix:///nowhere", "live")
        with _reading(hub, MAIN) as reader:
            hub.start()
            await _until(lambda: len(reader.pieces) >= 3)
            await hub.stop()
            assert set(reader.pieces[1:]) == {": still here\n\n"}

    asyncio.run(story())


def test_slow_clients_are_disconnected_and_others_get_their_events():
    async def story():
        hub = Hub("unix:///nowhere", "live")
        async with _served(AsgiApplication(hub)) as port:
            reading, writing = await _asked(port)
            _, leaving = await _asked(port)
            await _until(lambda: hub.open_streams == 2)
            leaving.close()
            await _until(lambda: hub.open_streams == 1)
            slow = _who_does_not_read(port)
            await _until(lambda: hub.open_streams == 2)
            flood = f"event: changed\ndata: {MAIN} 1\n\n".encode() * 200
            async with asyncio.timeout(60):
                while hub.open_streams == 2:
                    for audience in list(hub._groups.values()):
                        audience.write(flood)
                    await asyncio.sleep(0.001)
            hub.publish(MAIN, "last")
            await asyncio.wait_for(reading.readuntil(b" last\n"), 20)
            assert hub.open_streams == 1
            slow.close()
            writing.close()

    asyncio.run(story())


def test_a_client_that_pipelines_requests_and_disconnects_is_removed():
    async def story():
        hub = Hub("unix:///nowhere", "live")
        async with _served(AsgiApplication(hub)) as port:
            reading, writing = await _asked(port)
            for before in (0, 1):
                _, leaving = await asyncio.open_connection("127.0.0.1", port)
                leaving.write(NOTHING_THERE * before + A_STREAM + NOTHING_THERE * 3)
                await _until(lambda: hub.open_streams == 2)
                leaving.close()
                await _until(lambda: hub.open_streams == 1)
            hub.publish(MAIN, "last")
            await asyncio.wait_for(reading.readuntil(b" last\n"), 20)
            writing.close()

    asyncio.run(story())


def test_a_closed_stream_does_not_block_the_others():
    async def closed(_message):
        raise RuntimeError("the handler is closed")

    async def story():
        hub = Hub("unix:///nowhere", "live")
        with ExitStack() as streams_open:
            for _ in range(5):
                streams_open.enter_context(hub.subscribed([MAIN], SseStream(closed).write))
            reader = streams_open.enter_context(_reading(hub, MAIN))
            hub.publish(MAIN, "1")
            await _until(lambda: reader.told == [f"{MAIN} 1"])

    asyncio.run(story())


class SilentBroker:
    """Takes a subscription and is never heard of again, as one behind a network that was cut; or says this."""

    def __init__(self, last_words: bytes = b"") -> None:
        self.asked: list[asyncio.StreamWriter] = []
        self._last_words = last_words

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.asked.append(writer)
        with suppress(ConnectionResetError):
            while (said := await reader.read(4096)) and b"SUBSCRIBE" not in said:
                writer.write(b"+OK\r\n" * said.count(b"*"))
            writer.write(b"*3\r\n$9\r\nsubscribe\r\n$4\r\nlive\r\n:1\r\n" + self._last_words)


@pytest.mark.parametrize("last_words", [b"", b"*3\r\n$many\r\n"], ids=["nothing", "no number"])
def test_the_hub_reconnects_to_a_silent_or_faulty_broker(monkeypatch, caplog, last_words):
    """And however often that happens, it is one fault, told once."""
    monkeypatch.setattr(database_faults, "broker", Outage("it is away", "it is back", settles=60))
    monkeypatch.setattr(stream_hub, "BROKER_TIMEOUT_SECONDS", 0.05)
    monkeypatch.setattr(stream_hub, "RECONNECT_SECONDS", 0.01)

    async def story():
        broker = SilentBroker(last_words)
        server = await asyncio.start_server(broker.take, "127.0.0.1", 0)
        hub = Hub(f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}", "live")
        hub.start()
        await _until(lambda: len(broker.asked) >= 3 and hub.last_message("a bracket") > 0)
        await hub.stop()
        for writer in broker.asked:
            writer.close()
        server.close()

    asyncio.run(story())
    assert [record.getMessage()[:10] for record in caplog.records] == ["it is away"]


def test_a_hub_stops_at_any_moment():
    """Also while it comes to its broker, when Python 3.11 forgets that something was to end."""

    async def story():
        broker = SilentBroker()
        server = await asyncio.start_server(broker.take, "127.0.0.1", 0)
        for moment in range(80):
            hub = Hub(f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}", "live")
            hub.start()
            for _ in range(moment):
                await asyncio.sleep(0)
            ended, still_there = await asyncio.wait([asyncio.create_task(hub.stop())], timeout=10)
            assert not still_there, f"stopped after {moment} steps"
            assert [one.result() for one in ended] == [None]
        for writer in broker.asked:
            writer.close()
        server.close()

    asyncio.run(story())


@pytest.mark.parametrize(
    "names",
    [[], ["x" * 9000], ["main"], [EVERYTHING], [MAIN, "inside-7"], [f"{MAIN}7"], [MAIN] * 161],
    ids=["none", "too long", "a word", "a word of ours", "no id inside", "longer", "too many"],
)
def test_a_stream_without_channels_or_with_too_many_is_refused(names):
    async def story():
        hub, answered = Hub("redis://nowhere", "live"), []

        async def send(message):
            answered.append(message)

        query = urlencode([("bracket", name) for name in names]).encode()
        scope = {"type": "http", "method": "GET", "path": "/live/", "query_string": query, "headers": []}
        await AsgiApplication(hub)(scope, None, send)
        assert (answered[0]["status"], hub.open_streams) == (400, 0)

    asyncio.run(story())


@pytest.mark.parametrize("script", ["live.js", "screen.js"])
def test_a_url_has_room_for_the_maximum_of_channels(script):
    told = (settings.BASE_DIR / "templates" / "static" / script).read_text()
    assert f"const MOST = {stream_hub.MAX_CHANNELS};" in told
    channels = [
        name for one in [uuid.uuid4()] * (stream_hub.MAX_CHANNELS // 2) for name in (one, inside(one))
    ]
    assert len("/live/") + len(urlencode([("bracket", one) for one in channels])) <= MAX_ADDRESS


def test_streams_of_one_address_leave_room_for_others():
    hub, room = Hub("redis://nowhere", "live"), StreamLimits(streams=100, channels=1000)
    with ExitStack() as open_pages:
        held = [
            _as_many_as_go(hub, address, room, open_pages) for address in ("greedy", "hall", "home", "train")
        ]
        assert held == [50, 25, 13, 6]
        assert hub.open_streams == 94
        assert hub.has_room("phone", 1, room)
        assert not hub.has_room("greedy", 1, room)
    assert hub.open_streams == 0
    assert hub.has_room("greedy", 1, room)


def test_channels_of_one_address_leave_room_for_others():
    hub, room = Hub("redis://nowhere", "live"), StreamLimits(streams=100, channels=300)
    with hub.place("greedy", 160):
        assert not hub.has_room("greedy", 160, room)
        assert hub.has_room("home", 140, room)


def _as_many_as_go(hub, address, room, open_pages):
    count = 0
    while hub.has_room(address, 1, room):
        open_pages.enter_context(hub.place(address, 1))
        count += 1
    return count


def test_a_greedy_network_is_limited_but_not_its_players(monkeypatch):
    monkeypatch.setattr(asgi, "STRANGER_LIMITS", StreamLimits(streams=4, channels=100))
    monkeypatch.setattr(asgi, "TOTAL_LIMITS", StreamLimits(streams=5, channels=100))

    async def story():
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

    asyncio.run(story())


async def _status(hub, client, cookie=b""):
    """Of a stream whose reader leaves at once."""
    answered = []

    async def send(message):
        answered.append(message)

    async def receive():
        return {"type": "http.disconnect"}

    front = AsgiApplication(hub)
    front.request_priority = Doorkeeper()
    named = {"path": "/live/", "query_string": f"bracket={MAIN}".encode(), "client": client}
    headers = [(b"cookie", cookie)] if cookie else []
    await front({"type": "http", "method": "GET", "headers": headers, **named}, receive, send)
    return answered[0]["status"]


class Doorkeeper:
    """Answers as Django would who asks by which cookie; counts how often it was asked."""

    def __init__(self) -> None:
        self.asked, self.status, self.meanwhile = 0, 200, lambda: None
        self.seconds: float | None = None

    async def __call__(self, scope, _receive, send) -> None:
        self.asked += 1
        names = parse_qs(scope["query_string"].decode()).get("bracket", [])
        known = dict(scope["headers"]).get(b"cookie") == b"link=good"
        told = {"ways": ["link:7"] * known, "channels": names if known else [], "seconds": self.seconds}
        body = json.dumps(told).encode()
        self.meanwhile()
        await send({"type": "http.response.start", "status": self.status, "headers": []})
        await send({"type": "http.response.body", "body": body})


def test_a_revoked_credential_closes_its_streams_at_once():
    async def story():
        hub = Hub("unix:///nowhere", "live")
        front = AsgiApplication(hub)
        front.request_priority = door = Doorkeeper()
        async with _served(front) as port:
            public, _a = await _asked(port)
            mixed, _b = await _asked(port, f"{MAIN}&bracket={PRIVATE}", "link=good")
            again, _c = await _asked(port, PRIVATE, "link=good")
            assert (hub.open_streams, door.asked) == (3, 2)
            hub.handle_message("ended link:8")
            hub.publish(PRIVATE, "0")
            for reader in (mixed, again):
                await asyncio.wait_for(reader.readuntil(f"data: {PRIVATE} 0\n\n".encode()), 20)
            hub.handle_message("ended link:7")
            for reader in (mixed, again):
                await _ended(reader)
            again, _d = await _asked(port, PRIVATE, "link=good")
            hub.handle_message(EVERYTHING)
            await _ended(again)  # it may have ended unheard
            door.meanwhile = lambda: hub.handle_message("ended link:7")
            again, _e = await _asked(port, PRIVATE, "link=good")
            await _ended(again)  # it ended while it was asked
            await _until(lambda: hub.open_streams == 1)
            hub.publish(MAIN, "5")
            await asyncio.wait_for(public.readuntil(f"data: {MAIN} 5\n\n".encode()), 20)
            assert not hub._streams_by_credential

    asyncio.run(story())


def test_a_private_stream_ends_when_its_token_expires():
    async def story():
        hub = Hub("unix:///nowhere", "live")
        front = AsgiApplication(hub)
        front.request_priority = door = Doorkeeper()
        async with _served(front) as port:
            lasting, _a = await _asked(port, f"{MAIN}&bracket={PRIVATE}", "link=good")
            door.seconds = 0.05
            public, _b = await _asked(port, f"{MAIN}&bracket={PRIVATE}", "link=bad")
            ending, _c = await _asked(port, f"{MAIN}&bracket={PRIVATE}", "link=good")
            await _ended(ending)
            hub.publish(MAIN, "5")
            for reader in (lasting, public):
                await asyncio.wait_for(reader.readuntil(f"data: {MAIN} 5\n\n".encode()), 20)
            assert hub.open_streams == 2

    asyncio.run(story())


def test_a_stranger_gets_public_channels_only():
    async def story():
        hub = Hub("unix:///nowhere", "live")
        front = AsgiApplication(hub)
        front.request_priority = door = Doorkeeper()
        async with _served(front) as port:
            for cookie in ("", "link=bad"):
                reader, _a = await _asked(port, f"{MAIN}&bracket={PRIVATE}", cookie)
                hub.publish(PRIVATE, "0")
                hub.publish(MAIN, "5")
                told = await asyncio.wait_for(reader.readuntil(f"data: {MAIN} 5\n\n".encode()), 20)
                assert b"inside" not in told
                assert b" 403 " in await _answered(port, f"/live/?bracket={PRIVATE}", cookie)
            door.status = 503
            assert b" 503 " in await _answered(port, f"/live/?bracket={PRIVATE}", "link=good")
            assert b" 404 " in await _answered(port, "/live/ways-in/", "link=good"), (
                "only the front asks that"
            )

    asyncio.run(story())


async def _ended(reader):
    await asyncio.wait_for(reader.readuntil(b"\r\n0\r\n\r\n"), 20)


async def _answered(port, path, cookie):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: hall\r\nCookie: {cookie}\r\n\r\n".encode())
    return await asyncio.wait_for(reader.readline(), 20)


async def _asked(port, named=MAIN, cookie=""):
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**26)
    said = f"Cookie: {cookie}\r\n" if cookie else ""
    writer.write(f"GET /live/?bracket={named} HTTP/1.1\r\nHost: hall\r\n{said}\r\n".encode())
    await reader.readuntil(b"data: open\n")
    return reader, writer


def _who_does_not_read(port):
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
async def _served(app):
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
