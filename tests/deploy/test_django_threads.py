"""Requests and responses between ASGI and Django's threads."""

import asyncio
import threading

import pytest
from django.core.wsgi import get_wsgi_application

from deploy.django_threads import INDEPENDENT_PATHS, DjangoThreads

SCOPE = {"type": "http", "method": "POST", "path": "/é/", "query_string": b"a=1", "http_version": "1.1"}


class ClosableBody:
    """An answer in pieces that has to be closed."""

    def __init__(self, *pieces: bytes) -> None:
        self.pieces, self.is_closed = pieces, False

    def __iter__(self):
        return iter(self.pieces)

    def close(self) -> None:
        self.is_closed = True


def run_request(app, *pieces: bytes) -> list[dict]:
    """Sends a request with a body in these pieces and returns the messages of the response."""
    body = [{"type": "http.request", "body": piece, "more_body": True} for piece in pieces[:-1]]
    body += [{"type": "http.request", "body": piece, "more_body": False} for piece in pieces[-1:]]
    body = body or [{"type": "http.request", "body": b"", "more_body": False}]
    length = sum(len(piece) for piece in pieces)
    headers = [(b"content-length", str(length).encode()), (b"x-one", b"1")] if pieces else []

    async def ask() -> list[dict]:
        messages: list[dict] = []
        incoming = iter(body)

        async def receive() -> dict:
            return next(incoming)

        async def send(message: dict) -> None:
            messages.append(message)

        await DjangoThreads(app, 2)({**SCOPE, "headers": headers}, receive, send)
        return messages

    return asyncio.run(ask())


@pytest.mark.parametrize("pieces", [(), (b"one",), (b"on", b"e"), (b"x" * 70_000, b"y")])
def test_requests_and_responses_pass_unchanged(pieces):
    answer, environment = ClosableBody(b"an ", b"answer"), {}

    def app(environ, start_response):
        environment.update(environ, body=environ["wsgi.input"].read(), thread=threading.current_thread())
        start_response(
            "201 Created", [("Content-Type", "text/plain"), ("Set-Cookie", "a"), ("Set-Cookie", "b")]
        )
        return answer

    start, complete_body = run_request(app, *pieces)
    assert (environment["PATH_INFO"], environment["QUERY_STRING"], environment["body"]) == (
        "/é/".encode().decode("latin1"),
        "a=1",
        b"".join(pieces),
    )
    assert environment.get("HTTP_X_ONE") == ("1" if pieces else None)
    assert environment["thread"] is not threading.main_thread()
    assert (start["status"], complete_body["body"]) == (201, b"an answer")
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
        run_request(app)


def test_independent_paths_answer_while_all_threads_are_blocked():
    database_is_back, paths_answered = threading.Event(), []

    def app(environ, start_response):
        if not environ["PATH_INFO"].startswith(INDEPENDENT_PATHS):
            database_is_back.wait(10)
        start_response("200 OK", [])
        return [b""]

    async def ask() -> None:
        threads = DjangoThreads(app, 2)

        async def get(path: str) -> None:
            async def send(message: dict) -> None:
                if message["type"] == "http.response.start":
                    paths_answered.append(path)

            await threads({**SCOPE, "path": path, "headers": []}, send, send)

        blocked = [asyncio.create_task(get(f"/e/{number}/")) for number in range(4)]
        for path in INDEPENDENT_PATHS:
            await get(path)
        database_is_back.set()
        await asyncio.gather(*blocked)

    asyncio.run(ask())
    assert set(paths_answered[: len(INDEPENDENT_PATHS)]) == set(INDEPENDENT_PATHS)
    assert len(paths_answered) == len(INDEPENDENT_PATHS) + 4


def test_a_missing_independent_page_gives_404_without_a_database():
    async def ask() -> list[int]:
        threads, statuses = DjangoThreads(get_wsgi_application(), 1), []

        async def send(message: dict) -> None:
            if message["type"] == "http.response.start":
                statuses.append(message["status"])

        headers = [(b"host", b"localhost"), (b"cookie", b"sessionid=" + b"a" * 32)]
        for path in INDEPENDENT_PATHS:
            for method in ("HEAD", "POST"):
                scope = {**SCOPE, "method": method, "path": f"{path}nothing", "headers": headers}
                await threads(scope, send, send)
        return statuses

    assert asyncio.run(ask()) == [404] * 2 * len(INDEPENDENT_PATHS)
