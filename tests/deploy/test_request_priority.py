"""Authenticated requests do not wait; requests of strangers are queued fairly by address."""

import asyncio
import json

import pytest

from deploy import request_priority, stream_auth
from deploy.request_priority import STRANGER_PLACES, RequestPriority
from deploy.request_refusals import RequestRefused


class FakeDjango:
    """Blocks until `gate` is set. The cookie `link=real` is a valid credential."""

    def __init__(self) -> None:
        self.in_progress: list[str] = []
        self.checked = 0
        self.gate = asyncio.Event()

    async def __call__(self, scope, receive, send):
        if scope["path"] == stream_auth.PATH:
            self.checked += 1
            credentials = ["link:1"] if b"link=real" in dict(scope["headers"])[b"cookie"] else []
            await send({"type": "http.response.start", "status": 200, "headers": []})
            body = json.dumps({"ways": credentials, "channels": [], "seconds": None}).encode()
            await send({"type": "http.response.body", "body": body})
            return
        self.in_progress.append(scope["client"][0])
        await self.gate.wait()


def request(address: str = "10.0.0.1", cookie: str = "", path: str = "/e/friday/", **more):
    headers = [(b"cookie", cookie.encode())] if cookie else []
    return {"type": "http", "method": "GET", "path": path, "client": (address, 1), "headers": headers, **more}


class PrioritySetup:
    def __init__(self) -> None:
        self.django = FakeDjango()
        self.priority = RequestPriority(self.django)
        self.tasks: list[asyncio.Task] = []

    async def send(self, *args, **more) -> asyncio.Task:
        task = asyncio.create_task(self.priority(request(*args, **more), None, None))
        self.tasks.append(task)
        for _ in range(20):
            await asyncio.sleep(0)
        return task

    async def finish_all(self) -> None:
        self.django.gate.set()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        assert (self.priority.strangers.in_progress, self.priority.monitors.in_progress) == (0, 0)
        assert self.priority.authenticated_in_progress == 0


def run(scenario):
    async def run_scenario():
        setup = PrioritySetup()
        await scenario(setup)
        await setup.finish_all()

    asyncio.run(run_scenario())


def test_strangers_use_only_their_own_places():
    async def scenario(setup):
        for _ in range(20):
            await setup.send()
        assert len(setup.django.in_progress) == STRANGER_PLACES

    run(scenario)


def test_a_valid_link_is_checked_once_and_skips_the_queue():
    async def scenario(setup):
        await setup.send("10.0.0.2", "csrftoken=a; link=real", path="/static/x.css")
        setup.django.gate.set()
        await setup.send("10.0.0.2", "csrftoken=a; link=real")
        setup.django.gate.clear()
        for _ in range(20):
            await setup.send()
        in_progress_before = len(setup.django.in_progress)
        for _ in range(5):
            await setup.send("10.0.0.2", "csrftoken=b; link=real")
        shared = {"headers": [], "client_headers": [(b"cookie", b"link=real")]}
        await setup.send("10.0.0.2", **shared)
        assert len(setup.django.in_progress) == in_progress_before + 6
        assert setup.django.checked == 1

    run(scenario)


@pytest.mark.parametrize("cookie", ["link=made-up", "sessionid=made-up", "a=b", "csrftoken=c"])
def test_invalid_cookies_count_as_strangers(cookie):
    async def scenario(setup):
        for number in range(10):
            await setup.send(cookie=f"{cookie}{number}")
        assert len(setup.django.in_progress) <= STRANGER_PLACES

    run(scenario)


def test_a_second_address_is_next_even_if_many_of_the_first_wait():
    async def scenario(setup):
        for _ in range(20):
            await setup.send("10.0.0.1")
        await setup.send("10.0.0.2")
        setup.django.gate.set()
        await asyncio.gather(*setup.tasks)
        assert "10.0.0.2" in setup.django.in_progress[: STRANGER_PLACES + 1]

    run(scenario)


def test_the_queue_is_limited_and_no_address_can_fill_it(monkeypatch):
    monkeypatch.setattr(request_priority, "MAX_WAITING", 10)

    async def scenario(setup):
        tasks = [await setup.send("10.0.0.1") for _ in range(20)]
        refused = [task for task in tasks if task.done()]
        assert refused
        assert all(isinstance(task.exception(), RequestRefused) for task in refused)
        task = await setup.send("10.0.0.2")
        assert not task.done()

    run(scenario)


def test_a_cancelled_request_gives_its_place_to_the_next():
    async def scenario(setup):
        tasks = [await setup.send() for _ in range(6)]
        for task in tasks[1:5]:
            task.cancel()
        setup.django.gate.set()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert len(setup.django.in_progress) >= 2

    run(scenario)


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
def test_health_and_metrics_do_not_wait_for_strangers(path):
    async def scenario(setup):
        for _ in range(20):
            await setup.send()
        await setup.send("10.0.0.9", path=path)
        assert setup.django.in_progress[-1] == "10.0.0.9"

    run(scenario)


@pytest.mark.parametrize("path", ["/readyz", "/metrics"])
def test_health_requests_of_strangers_share_one_place(path):
    async def scenario(setup):
        for _ in range(20):
            await setup.send(path=path)
        assert len(setup.django.in_progress) == 1
        await setup.send("10.0.0.9", path=path)
        setup.django.gate.set()
        await asyncio.gather(*setup.tasks)
        assert "10.0.0.9" in setup.django.in_progress[:3]

    run(scenario)


@pytest.mark.parametrize(("interval", "admitted"), [(3600.0, 0), (0.0, 1)])
def test_while_a_player_is_served_strangers_are_admitted_slowly(monkeypatch, interval, admitted):
    monkeypatch.setattr(request_priority, "BACKGROUND_SECONDS", interval)

    async def scenario(setup):
        setup.django.gate.set()
        await setup.send("10.0.0.2", "link=real")
        setup.django.gate.clear()
        player = await setup.send("10.0.0.2", "link=real")
        setup.django.in_progress.clear()
        for _ in range(20):
            await setup.send()
        assert len(setup.django.in_progress) == admitted
        setup.django.gate.set()
        await player
        setup.django.gate.clear()
        setup.django.in_progress.clear()
        for _ in range(20):
            await setup.send()
        assert setup.priority.strangers.in_progress == STRANGER_PLACES

    run(scenario)


def test_a_waiting_stranger_is_admitted_without_another_request(monkeypatch):
    monkeypatch.setattr(request_priority, "BACKGROUND_SECONDS", 0.05)

    async def scenario(setup):
        setup.django.gate.set()
        await setup.send("10.0.0.2", "link=real")
        setup.django.gate.clear()
        await setup.send("10.0.0.2", "link=real")
        setup.django.in_progress.clear()
        await setup.send()
        while not setup.django.in_progress:
            await asyncio.sleep(0.01)
        assert setup.django.in_progress == ["10.0.0.1"]

    run(scenario)
