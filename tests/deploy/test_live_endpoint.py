"""The address of live streams: limits, permissions and revocations."""

import asyncio
import json
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import parse_qs, urlencode

import pytest
from django.conf import settings

from deploy import live_endpoint, stream_hub
from deploy.asgi import AsgiApplication
from deploy.body_limits import MAX_ADDRESS
from deploy.stream_hub import Hub, StreamLimits
from tests.deploy.streams import open_stream, read_to_end, serving, until
from tests.flows.waiting import LONGEST_WAIT
from tournament.live.channels import private_channel
from tournament.runtime.publish import EVERYTHING

MAIN = str(uuid.UUID(int=1))
PRIVATE = private_channel(uuid.UUID(int=7))


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


def test_a_url_has_room_for_the_maximum_of_channels():
    source = (settings.BASE_DIR / "templates" / "static" / "updates.js").read_text()
    assert f"const MAX_CHANNELS = {stream_hub.MAX_CHANNELS};" in source
    channels = [
        name
        for event in [uuid.uuid4()] * (stream_hub.MAX_CHANNELS // 2)
        for name in (event, private_channel(event))
    ]
    assert len("/live/") + len(urlencode([("bracket", channel) for channel in channels])) <= MAX_ADDRESS


def test_a_greedy_network_is_limited_but_not_its_players(monkeypatch):
    monkeypatch.setattr(live_endpoint, "STRANGER_LIMITS", StreamLimits(streams=4, channels=100))
    monkeypatch.setattr(live_endpoint, "TOTAL_LIMITS", StreamLimits(streams=5, channels=100))

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
    application.live_endpoint.django = FakeAuth()
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


@asynccontextmanager
async def serve_with_fake_auth() -> AsyncIterator[tuple[Hub, FakeAuth, int]]:
    """Yields a hub, the check of credentials, and the port."""
    hub, auth = Hub("unix:///nowhere", "live"), FakeAuth()
    application = AsgiApplication(hub)
    application.live_endpoint.django = auth
    async with serving(application) as port:
        yield hub, auth, port


def test_a_revoked_credential_closes_its_streams_at_once():
    async def scenario():
        async with serve_with_fake_auth() as (hub, auth, port):
            public, _a = await open_stream(port, MAIN)
            mixed, _b = await open_stream(port, f"{MAIN}&bracket={PRIVATE}", "link=good")
            again, _c = await open_stream(port, PRIVATE, "link=good")
            assert (hub.open_streams, auth.requests) == (3, 2)
            hub.handle_message("ended link:8")
            hub.handle_message(f"{PRIVATE} 0")
            for reader in (mixed, again):
                await asyncio.wait_for(reader.readuntil(f"data: {PRIVATE} 0\n\n".encode()), LONGEST_WAIT)
            hub.handle_message("ended link:7")
            for reader in (mixed, again):
                await read_to_end(reader)
            again, _d = await open_stream(port, PRIVATE, "link=good")
            hub.handle_message(EVERYTHING)
            await read_to_end(again)  # a revocation may have been missed
            auth.meanwhile = lambda: hub.handle_message("ended link:7")
            again, _e = await open_stream(port, PRIVATE, "link=good")
            await read_to_end(again)  # revoked during the authorization
            await until(lambda: hub.open_streams == 1)
            hub.handle_message(f"{MAIN} 5")
            await asyncio.wait_for(public.readuntil(f"data: {MAIN} 5\n\n".encode()), LONGEST_WAIT)
            assert not hub._streams_by_credential

    asyncio.run(scenario())


def test_a_private_stream_ends_when_its_token_expires():
    async def scenario():
        async with serve_with_fake_auth() as (hub, auth, port):
            lasting, _a = await open_stream(port, f"{MAIN}&bracket={PRIVATE}", "link=good")
            auth.seconds = 0.05
            public, _b = await open_stream(port, f"{MAIN}&bracket={PRIVATE}", "link=bad")
            ending, _c = await open_stream(port, f"{MAIN}&bracket={PRIVATE}", "link=good")
            await read_to_end(ending)
            hub.handle_message(f"{MAIN} 5")
            for reader in (lasting, public):
                await asyncio.wait_for(reader.readuntil(f"data: {MAIN} 5\n\n".encode()), LONGEST_WAIT)
            assert hub.open_streams == 2

    asyncio.run(scenario())


def test_a_stranger_gets_public_channels_only():
    async def scenario():
        async with serve_with_fake_auth() as (hub, auth, port):
            for cookie in ("", "link=bad"):
                reader, _a = await open_stream(port, f"{MAIN}&bracket={PRIVATE}", cookie)
                hub.handle_message(f"{PRIVATE} 0")
                hub.handle_message(f"{MAIN} 5")
                text = await asyncio.wait_for(reader.readuntil(f"data: {MAIN} 5\n\n".encode()), LONGEST_WAIT)
                assert b"inside" not in text
                assert b" 403 " in await _status_line(port, f"/live/?bracket={PRIVATE}", cookie)
            auth.status = 503
            assert b" 503 " in await _status_line(port, f"/live/?bracket={PRIVATE}", "link=good")
            assert b" 404 " in await _status_line(port, "/live/stream-auth/", "link=good"), "an internal path"

    asyncio.run(scenario())


async def _status_line(port, path, cookie):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: hall\r\nCookie: {cookie}\r\n\r\n".encode())
    return await asyncio.wait_for(reader.readline(), LONGEST_WAIT)
