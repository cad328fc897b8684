"""A request is taken in whole before it gets a thread; what is too long, too slow or misshapen never comes in."""

import asyncio
import json
import tempfile
from pathlib import Path

import pytest

from deploy import body_limits, stream_auth
from deploy.body_limits import BodyLimits
from deploy.security_headers import SECURITY_HEADERS

LARGE = [(b"content-length", b"120"), (b"cookie", b"link=7")]
CHUNKED = [(b"transfer-encoding", b"chunked")]


class Django:
    """Reads what it is given, as a2wsgi would; says of `link=NAME` that NAME lets in."""

    def __init__(self) -> None:
        self.scope: dict = {}
        self.body = b""
        self.was_asked = False
        self.status = 200

    async def __call__(self, scope, receive, send) -> None:
        if scope["path"] == stream_auth.PATH:
            cookie = dict(scope["headers"])[b"cookie"].decode()
            told = json.dumps(
                {
                    "ways": [one[5:] for one in cookie.split() if one[:5] == "link="],
                    "channels": [],
                    "seconds": None,
                }
            )
            await send({"type": "http.response.start", "status": self.status, "headers": []})
            await send({"type": "http.response.body", "body": told.encode()})
            return
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

    asyncio.run(BodyLimits(django)(scope, receive or pieces(), send))
    return django, answered


def refused(answered) -> int:
    """The status of a refusal, which carries the headers of every answer."""
    start, body = answered
    headers = dict(start["headers"])
    assert {name.lower().encode() for name in SECURITY_HEADERS} <= set(headers)
    assert headers[b"connection"] == b"close"
    assert body["body"]
    return start["status"]


@pytest.mark.parametrize("parts", [(), (b"a",), (b"a", b"", b"b"), (b"x" * 700_000, b"y" * 900_000)])
def test_a_chunked_body_is_passed_on_with_its_length(parts):
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
def test_oversized_headers_are_refused_before_the_body_is_read(scope, status):
    django, answered = ask(scope)
    assert (refused(answered), django.was_asked) == (status, False)


def test_a_refusal_under_the_api_is_problem_json():
    _, answered = ask(request("/api/v1/events/", query=b"a" * 9000))
    assert dict(answered[0]["headers"])[b"content-type"] == b"application/problem+json"
    assert json.loads(answered[1]["body"])["status"] == refused(answered) == 414


def test_slow_and_stalled_senders_are_refused(monkeypatch):
    monkeypatch.setattr(body_limits, "SILENCE_SECONDS", 0.01)
    django, answered = ask(request(headers=CHUNKED), pieces(b"a", ends=False))
    assert (refused(answered), django.was_asked) == (408, False)
    monkeypatch.setattr(body_limits, "GRACE_SECONDS", -1.0)
    django, answered = ask(request(headers=CHUNKED), pieces(b"a", b"b"))
    assert (refused(answered), django.was_asked) == (408, False)


def test_an_endless_body_is_refused_with_or_without_a_length(monkeypatch):
    monkeypatch.setattr(body_limits, "MAX_SMALL_BODY", 50)
    monkeypatch.setattr(body_limits, "MAX_MEDIUM_BODY", 100)
    known = [*CHUNKED, (b"cookie", b"link=7")]
    for headers, most in ((CHUNKED, 50), (known, 100)):
        assert len(ask(request(headers=headers), pieces(b"x" * most))[0].body) == most
        django, answered = ask(request(headers=headers), pieces(b"x" * most, b"x"))
        assert (refused(answered), django.was_asked) == (413, False)
    assert refused(ask(request(headers=[(b"content-length", b"60")]))[1]) == 413
    django, answered = ask(request(headers=LARGE), pieces(b"x" * 60, b"x" * 60))
    assert (len(django.body), answered) == (120, [])


def test_an_aborted_body_never_reaches_django():
    async def receive():
        return {"type": "http.disconnect"}

    django, answered = ask(request(headers=CHUNKED), receive)
    assert (django.was_asked, answered) == (False, [])


def large(who: bytes, length: bytes = b"120"):
    return request(headers=[(b"content-length", length), *([(b"cookie", who)] if who else [])])


def test_large_uploads_need_credentials_and_are_limited_in_number(monkeypatch):
    monkeypatch.setattr(body_limits, "MAX_SMALL_BODY", 50)
    monkeypatch.setattr(body_limits, "MAX_MEDIUM_BODY", 100)
    monkeypatch.setattr(body_limits, "MAX_LARGE_BODIES", 2)

    async def story():
        django = Django()
        taking, answered = BodyLimits(django), []

        async def send(message):
            answered.append(message)

        async def tried(who: bytes) -> int:
            answered.clear()
            await taking(large(who), pieces(b"x" * 120), send)
            return refused(answered) if answered else 200

        def sending_for_ever(who: bytes):
            return asyncio.create_task(taking(large(who), pieces(b"x", ends=False), send))

        assert [await tried(who) for who in (b"", b"followed=7")] == [413, 413]
        one = sending_for_ever(b"link=7")
        await asyncio.sleep(0)
        assert [await tried(who) for who in (b"link=7", b"link=8", b"link=8 link=7")] == [503, 200, 503]
        assert dict(answered[0]["headers"])[b"retry-after"] == b"60"
        two = sending_for_ever(b"link=8")
        await asyncio.sleep(0)
        assert await tried(b"link=9") == 503
        for sender in (one, two):
            sender.cancel()
        await asyncio.wait([one, two])
        assert await tried(b"link=7") == 200
        django.status = 500
        assert await tried(b"link=7") == 503, "while nobody can say who may"

    asyncio.run(story())


def test_small_bodies_are_limited_per_address_except_for_players(monkeypatch):
    monkeypatch.setattr(body_limits, "MAX_SMALL_BODY", 50)
    monkeypatch.setattr(body_limits, "MAX_SMALL_BODIES", 100)

    async def story():
        taking, answered = BodyLimits(Django()), []

        async def send(message):
            answered.append(message)

        def sent(address: str, *headers: tuple[bytes, bytes]):
            return {**request(headers=headers), "client": (address, 5000)}

        async def status(*asked) -> int:
            answered.clear()
            await taking(sent(*asked), pieces(b"x" * 40), send)
            return refused(answered) if answered else 200

        forty = (b"content-length", b"40")
        slow = asyncio.create_task(taking(sent("greedy", *CHUNKED), pieces(b"x", ends=False), send))
        await asyncio.sleep(0)
        assert (await status("greedy", forty), await status("greedy", *CHUNKED)) == (503, 503)
        assert (await status("home", forty), await status("home", *CHUNKED)) == (200, 200)
        assert await status("greedy", forty, (b"cookie", b"link=7")) == 200
        slow.cancel()
        await asyncio.wait([slow])
        assert await status("greedy", forty) == 200

    asyncio.run(story())


def test_a_larger_body_is_buffered_in_a_file(monkeypatch, tmp_path):
    """Where no file can be made only small bodies come in."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "pulled out"))
    django, answered = ask(request(headers=CHUNKED), pieces(b"x" * 60_000))
    assert (len(django.body), answered) == (60_000, [])
    django, answered = ask(request(headers=CHUNKED), pieces(b"x" * 70_000))
    assert (refused(answered), django.was_asked) == (503, False)


def test_large_uploads_need_a_higher_rate(monkeypatch):
    monkeypatch.setattr(body_limits, "MAX_SMALL_BODY", 50)
    monkeypatch.setattr(body_limits, "MAX_MEDIUM_BODY", 100)
    monkeypatch.setattr(body_limits, "GRACE_SECONDS", 0.0)
    monkeypatch.setattr(body_limits, "MIN_BYTES_PER_SECOND_LARGE", 1)

    def slowly():
        sent = 0

        async def receive():
            nonlocal sent
            sent += 1
            await asyncio.sleep(0.02)
            return {"type": "http.request", "body": b"x" * 60, "more_body": sent < 2}

        return receive

    assert len(ask(large(b"link=7"), slowly())[0].body) == 120
    monkeypatch.setattr(body_limits, "MIN_BYTES_PER_SECOND_LARGE", 100_000)
    django, answered = ask(large(b"link=7"), slowly())
    assert (refused(answered), django.was_asked) == (408, False)


def test_header_names_with_underscores_are_dropped():
    django, _ = ask(request(method="GET", headers=[(b"x_forwarded_proto", b"https"), (b"accept", b"*/*")]))
    assert django.scope["headers"] == [(b"accept", b"*/*")]


def test_a_full_disk_gives_503_for_an_upload(monkeypatch, tmp_path, caplog):
    """A folder that was pulled out; and a full disk, which says so only when what is written comes to it."""
    monkeypatch.setattr(body_limits, "IN_MEMORY", 10)
    headers = [(b"content-length", b"40")]
    with monkeypatch.context() as gone:
        gone.setattr(tempfile, "tempdir", str(tmp_path / "pulled out"))
        django, answered = ask(request(headers=headers), pieces(b"x" * 20, b"x" * 20))
    assert (refused(answered), django.was_asked, len(caplog.records)) == (503, False, 1)
    full = lambda **_: Path("/dev/full").open("w+b")  # noqa: E731, SIM115 (the one who takes in closes it)
    monkeypatch.setattr(tempfile, "TemporaryFile", full)
    django, answered = ask(request(headers=headers), pieces(b"x" * 20, b"x" * 20))
    assert (refused(answered), django.was_asked, len(caplog.records)) == (503, False, 2)
