"""A request is taken in whole before it gets a thread; what is too long, too slow or misshapen never comes in."""

import asyncio
import json

import pytest

from deploy import intake
from deploy.intake import Intake
from deploy.safe_headers import ALWAYS

CHUNKED = [(b"transfer-encoding", b"chunked")]


class Django:
    """Reads what it is given, as a2wsgi would."""

    def __init__(self) -> None:
        self.scope: dict = {}
        self.body = b""
        self.was_asked = False

    async def __call__(self, scope, receive, send) -> None:
        self.scope, self.was_asked = scope, True
        more = True
        while more:
            message = await receive()
            self.body += message["body"]
            more = message["more_body"]


def request(path="/me/", query=b"", headers=(), method="POST"):
    return {"type": "http", "method": method, "path": path, "query_string": query, "headers": list(headers)}


def pieces(*bodies: bytes, ends=True):
    """What the network brings, one by one; then nothing for ever, or whoever sent it hangs up."""
    messages = [{"type": "http.request", "body": one, "more_body": True} for one in bodies]
    if ends:
        messages.append({"type": "http.request", "body": b"", "more_body": False})

    async def receive():
        if messages:
            return messages.pop(0)
        if ends:
            return {"type": "http.disconnect"}
        return await asyncio.get_running_loop().create_future()

    return receive


def ask(scope, receive=None) -> tuple[Django, list[dict]]:
    django, answered = Django(), []

    async def send(message):
        answered.append(message)

    asyncio.run(Intake(django)(scope, receive or pieces(), send))
    return django, answered


def refused(answered) -> int:
    """The status of a refusal, which carries the headers of every answer."""
    start, body = answered
    headers = dict(start["headers"])
    assert {name.lower().encode() for name in ALWAYS} <= set(headers)
    assert headers[b"connection"] == b"close"
    assert body["body"]
    return start["status"]


@pytest.mark.parametrize("parts", [(), (b"a",), (b"a", b"", b"b"), (b"x" * 700_000, b"y" * 900_000)])
def test_a_body_comes_in_whole_and_its_length_is_told_also_where_it_came_in_pieces(parts):
    django, answered = ask(request(headers=CHUNKED), pieces(*parts))
    whole = b"".join(parts)
    assert (django.body, answered) == (whole, [])
    assert dict(django.scope["headers"]) == {b"content-length": str(len(whole)).encode()}


@pytest.mark.parametrize(
    ("scope", "status"),
    [
        (request("/" + "a" * 9000), 414),
        (request(query=b"a" * 9000), 414),
        (request(query=b"name=\xff"), 400),
        (request(headers=[(b"cookie", b"x" * 40_000)]), 431),
        (request(headers=[(b"x-%d" % number, b"") for number in range(101)]), 431),
        (request(headers=[(b"content-length", b"999999999")]), 413),
        (request(headers=[(b"content-length", b"9" * 40)]), 413),
        (request(headers=[(b"content-length", b"-1")]), 413),
    ],
)
def test_a_head_out_of_bounds_is_refused_before_anything_is_read(scope, status):
    django, answered = ask(scope)
    assert (refused(answered), django.was_asked) == (status, False)


def test_a_program_is_refused_in_its_own_language():
    _, answered = ask(request("/api/v1/events/", query=b"a" * 9000))
    assert dict(answered[0]["headers"])[b"content-type"] == b"application/problem+json"
    assert json.loads(answered[1]["body"])["status"] == refused(answered) == 414


def test_whoever_sends_nothing_more_or_drop_by_drop_is_sent_away(monkeypatch):
    monkeypatch.setattr(intake, "SILENCE_SECONDS", 0.01)
    django, answered = ask(request(headers=CHUNKED), pieces(b"a", ends=False))
    assert (refused(answered), django.was_asked) == (408, False)
    monkeypatch.setattr(intake, "GRACE_SECONDS", -1.0)
    django, answered = ask(request(headers=CHUNKED), pieces(b"a", b"b"))
    assert (refused(answered), django.was_asked) == (408, False)


def test_a_body_without_end_is_refused_also_where_nobody_said_how_long_it_is(monkeypatch):
    monkeypatch.setattr(intake, "LARGE", 100)
    django, answered = ask(request(headers=CHUNKED), pieces(b"x" * 60, b"x" * 60))
    assert (refused(answered), django.was_asked) == (413, False)
    django, answered = ask(request(headers=[(b"content-length", b"120")]), pieces(b"x" * 60, b"x" * 60))
    assert (len(django.body), answered) == (120, [])


def test_whoever_hangs_up_in_the_middle_asks_nothing():
    async def receive():
        return {"type": "http.disconnect"}

    django, answered = ask(request(headers=CHUNKED), receive)
    assert (django.was_asked, answered) == (False, [])


def test_large_files_come_in_a_few_at_a_time(monkeypatch):
    monkeypatch.setattr(intake, "LARGE_AT_ONCE", 0)
    django, answered = ask(request(headers=[(b"content-length", b"20000000")]))
    assert (refused(answered), django.was_asked) == (503, False)
    assert dict(answered[0]["headers"])[b"retry-after"] == b"60"


def test_a_header_that_only_looks_like_a_proxys_is_not_passed_on():
    django, _ = ask(request(method="GET", headers=[(b"x_forwarded_proto", b"https"), (b"accept", b"*/*")]))
    assert django.scope["headers"] == [(b"accept", b"*/*")]
