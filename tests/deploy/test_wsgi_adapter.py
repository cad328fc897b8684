"""From the port to Django's threads and back."""

import asyncio
import threading

import pytest
from django.core.wsgi import get_wsgi_application

from deploy.wsgi_adapter import INDEPENDENT_PATHS, MAX_BUFFERED_BODY, WsgiAdapter

GIVEN = {"type": "http", "method": "POST", "path": "/é/", "query_string": b"a=1", "http_version": "1.1"}


class Pieces:
    """An answer in pieces that has to be closed."""

    def __init__(self, *pieces: bytes) -> None:
        self.pieces, self.is_closed = pieces, False

    def __iter__(self):
        return iter(self.pieces)

    def close(self) -> None:
        self.is_closed = True


def asked(app, *pieces: bytes) -> list[dict]:
    """What comes back for a body that arrives in these pieces."""
    body = [{"type": "http.request", "body": one, "more_body": True} for one in pieces[:-1]]
    body += [{"type": "http.request", "body": one, "more_body": False} for one in pieces[-1:]]
    length = sum(len(one) for one in pieces)
    headers = [(b"content-length", str(length).encode()), (b"x-one", b"1")] if pieces else []

    async def ask() -> list[dict]:
        said: list[dict] = []
        messages = iter(body)

        async def receive() -> dict:
            return next(messages)

        async def send(message: dict) -> None:
            said.append(message)

        await WsgiAdapter(app, 2)({**GIVEN, "headers": headers}, receive, send)
        return said

    return asyncio.run(ask())


@pytest.mark.parametrize("pieces", [(), (b"one",), (b"on", b"e"), (b"x" * MAX_BUFFERED_BODY, b"y")])
def test_requests_and_responses_pass_the_adapter_unchanged(pieces):
    answer, seen = Pieces(b"an ", b"answer"), {}

    def app(environ, start_response):
        seen.update(environ, body=environ["wsgi.input"].read(), thread=threading.current_thread())
        start_response(
            "201 Created", [("Content-Type", "text/plain"), ("Set-Cookie", "a"), ("Set-Cookie", "b")]
        )
        return answer

    start, *rest = asked(app, *pieces)
    assert (seen["PATH_INFO"], seen["QUERY_STRING"], seen["body"]) == (
        "/é/".encode().decode("latin1"),
        "a=1",
        b"".join(pieces),
    )
    assert seen.get("HTTP_X_ONE") == ("1" if pieces else None)
    assert seen["thread"] is not threading.main_thread()
    assert (start["status"], b"".join(one["body"] for one in rest)) == (201, b"an answer")
    assert start["headers"] == [
        (b"content-type", b"text/plain"),
        (b"set-cookie", b"a"),
        (b"set-cookie", b"b"),
    ]
    assert answer.is_closed


def test_an_error_in_the_application_is_raised():
    def app(environ, start_response):
        start_response("200 OK", [])
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        asked(app)


def test_independent_paths_answer_while_all_threads_are_blocked():
    is_back, answered = threading.Event(), []

    def app(environ, start_response):
        if not environ["PATH_INFO"].startswith(INDEPENDENT_PATHS):
            is_back.wait(10)
        start_response("200 OK", [])
        return [b""]

    async def ask() -> None:
        bridge = WsgiAdapter(app, 2)

        async def get(path: str) -> None:
            async def send(_message: dict) -> None:
                answered.append(path)

            await bridge({**GIVEN, "path": path, "headers": []}, send, send)

        waiting = [asyncio.create_task(get(f"/e/{number}/")) for number in range(4)]
        for path in INDEPENDENT_PATHS:
            await get(path)
        is_back.set()
        await asyncio.gather(*waiting)

    asyncio.run(ask())
    assert answered[:8] == [path for path in INDEPENDENT_PATHS for _ in range(2)]
    assert len(answered) == 16


def test_a_missing_static_file_gives_404_without_a_database():
    async def ask() -> list[int]:
        bridge, said = WsgiAdapter(get_wsgi_application(), 1), []

        async def send(message: dict) -> None:
            said.append(message.get("status"))

        headers = [(b"host", b"localhost"), (b"cookie", b"sessionid=" + b"a" * 32)]
        for path in INDEPENDENT_PATHS:
            for method in ("HEAD", "POST"):
                asked_for = {**GIVEN, "method": method, "path": f"{path}nothing", "headers": headers}
                await bridge(asked_for, send, send)
        return said

    assert asyncio.run(ask())[::2] == [404] * 8
