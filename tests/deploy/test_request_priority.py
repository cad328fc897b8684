"""Players and staff never wait behind strangers, and strangers take turns by address."""

import asyncio
import json

import pytest

from deploy import request_priority, stream_auth
from deploy.body_limits import RequestRefused
from deploy.request_priority import STRANGER_PLACES, RequestPriority


class Django:
    """Answers when it is let; `link=real` lets in."""

    def __init__(self) -> None:
        self.in_progress: list[str] = []
        self.checked = 0
        self.gate = asyncio.Event()

    async def __call__(self, scope, receive, send):
        if scope["path"] == stream_auth.PATH:
            self.checked += 1
            ways = ["link:1"] if b"link=real" in dict(scope["headers"])[b"cookie"] else []
            await send({"type": "http.response.start", "status": 200, "headers": []})
            body = json.dumps({"ways": ways, "channels": [], "seconds": None}).encode()
            await send({"type": "http.response.body", "body": body})
            return
        self.in_progress.append(scope["client"][0])
        await self.gate.wait()


def request(address: str = "10.0.0.1", cookie: str = "", path: str = "/e/friday/", **more):
    headers = [(b"cookie", cookie.encode())] if cookie else []
    return {"type": "http", "method": "GET", "path": path, "client": (address, 1), "headers": headers, **more}


class Stand:
    def __init__(self) -> None:
        self.django = Django()
        self.lanes = RequestPriority(self.django)
        self.tasks: list[asyncio.Task] = []

    async def ask(self, *args, **more) -> asyncio.Task:
        task = asyncio.create_task(self.lanes(request(*args, **more), None, None))
        self.tasks.append(task)
        for _ in range(20):
            await asyncio.sleep(0)
        return task

    async def let_all_finish(self) -> None:
        self.django.gate.set()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        assert (self.lanes.strangers.in_progress, self.lanes.monitors.in_progress) == (0, 0)
        assert self.lanes.authenticated_in_progress == 0


def run(story):
    async def told():
        stand = Stand()
        await story(stand)
        await stand.let_all_finish()

    asyncio.run(told())


def test_strangers_use_only_their_own_places():
    async def story(stand):
        for _ in range(20):
            await stand.ask()
        assert len(stand.django.in_progress) == STRANGER_PLACES

    run(story)


def test_a_valid_link_is_checked_once_and_skips_the_queue():
    async def story(stand):
        await stand.ask("10.0.0.2", "csrftoken=a; link=real", path="/static/x.css")
        stand.django.gate.set()
        await stand.ask("10.0.0.2", "csrftoken=a; link=real")
        stand.django.gate.clear()
        for _ in range(20):
            await stand.ask()
        before = len(stand.django.in_progress)
        for _ in range(5):
            await stand.ask("10.0.0.2", "csrftoken=b; link=real")
        shared = {"headers": [], "client_headers": [(b"cookie", b"link=real")]}
        await stand.ask("10.0.0.2", **shared)
        assert len(stand.django.in_progress) == before + 6
        assert stand.django.checked == 1

    run(story)


@pytest.mark.parametrize("cookie", ["link=made-up", "sessionid=made-up", "a=b", "csrftoken=c"])
def test_invalid_cookies_count_as_strangers(cookie):
    async def story(stand):
        for number in range(10):
            await stand.ask(cookie=f"{cookie}{number}")
        assert len(stand.django.in_progress) <= STRANGER_PLACES

    run(story)


def test_a_second_address_is_next_even_if_many_of_the_first_wait():
    async def story(stand):
        for _ in range(20):
            await stand.ask("10.0.0.1")
        await stand.ask("10.0.0.2")
        stand.django.gate.set()
        await asyncio.gather(*stand.tasks)
        assert "10.0.0.2" in stand.django.in_progress[: STRANGER_PLACES + 1]

    run(story)


def test_the_queue_is_limited_and_no_address_can_fill_it(monkeypatch):
    monkeypatch.setattr(request_priority, "MAX_WAITING", 10)

    async def story(stand):
        asked = [await stand.ask("10.0.0.1") for _ in range(20)]
        refused = [task for task in asked if task.done()]
        assert refused
        assert all(isinstance(task.exception(), RequestRefused) for task in refused)
        other = await stand.ask("10.0.0.2")
        assert not other.done()

    run(story)


def test_a_cancelled_request_gives_its_place_to_the_next():
    async def story(stand):
        asked = [await stand.ask() for _ in range(6)]
        for task in asked[1:5]:
            task.cancel()
        stand.django.gate.set()
        await asyncio.gather(*asked, return_exceptions=True)
        assert len(stand.django.in_progress) >= 2

    run(story)


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
def test_health_and_metrics_do_not_wait_for_strangers(path):
    async def story(stand):
        for _ in range(20):
            await stand.ask()
        await stand.ask("10.0.0.9", path=path)
        assert stand.django.in_progress[-1] == "10.0.0.9"

    run(story)


@pytest.mark.parametrize("path", ["/readyz", "/metrics"])
def test_health_requests_of_strangers_share_one_place(path):
    async def story(stand):
        for _ in range(20):
            await stand.ask(path=path)
        assert len(stand.django.in_progress) == 1
        await stand.ask("10.0.0.9", path=path)
        stand.django.gate.set()
        await asyncio.gather(*stand.tasks)
        assert "10.0.0.9" in stand.django.in_progress[:3]

    run(story)


@pytest.mark.parametrize(("patience", "beside"), [(3600.0, 0), (0.0, 1)])
def test_while_a_player_is_served_strangers_are_admitted_slowly(monkeypatch, patience, beside):
    monkeypatch.setattr(request_priority, "BACKGROUND_SECONDS", patience)

    async def story(stand):
        stand.django.gate.set()
        await stand.ask("10.0.0.2", "link=real")
        stand.django.gate.clear()
        player = await stand.ask("10.0.0.2", "link=real")
        stand.django.in_progress.clear()
        for _ in range(20):
            await stand.ask()
        assert len(stand.django.in_progress) == beside
        stand.django.gate.set()
        await player
        stand.django.gate.clear()
        stand.django.in_progress.clear()
        for _ in range(20):
            await stand.ask()
        assert stand.lanes.strangers.in_progress == STRANGER_PLACES

    run(story)


def test_a_waiting_stranger_is_admitted_without_another_request(monkeypatch):
    monkeypatch.setattr(request_priority, "BACKGROUND_SECONDS", 0.05)

    async def story(stand):
        stand.django.gate.set()
        await stand.ask("10.0.0.2", "link=real")
        stand.django.gate.clear()
        await stand.ask("10.0.0.2", "link=real")
        stand.django.in_progress.clear()
        await stand.ask()
        while not stand.django.in_progress:
            await asyncio.sleep(0.01)
        assert stand.django.in_progress == ["10.0.0.1"]

    run(story)
