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
    monkeypatch.setattr(body_limits, "SILENCE_SECONDS", 0.01)
    django, answered = ask(request(headers=CHUNKED), pieces(b"a", ends=False))
    assert (refused(answered), django.was_asked) == (408, False)
    monkeypatch.setattr(body_limits, "GRACE_SECONDS", -1.0)
    django, answered = ask(request(headers=CHUNKED), pieces(b"a", b"b"))
    assert (refused(answered), django.was_asked) == (408, False)


def test_a_body_without_end_is_refused_also_where_nobody_said_how_long_it_is(monkeypatch):
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


def test_whoever_hangs_up_in_the_middle_asks_nothing():
    async def receive():
        return {"type": "http.disconnect"}

    django, answered = ask(request(headers=CHUNKED), receive)
    assert (django.was_asked, answered) == (False, [])


def large(who: bytes, length: bytes = b"120"):
    return request(headers=[(b"content-length", length), *([(b"cookie", who)] if who else [])])


def test_large_files_come_in_a_few_at_a_time_one_of_each_and_none_of_strangers(monkeypatch):
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


def test_small_bodies_of_one_address_leave_room_for_others_and_players_are_always_heard(monkeypatch):
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


def test_what_is_larger_than_a_form_waits_in_a_file(monkeypatch, tmp_path):
    """Where no file can be made only small bodies come in."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "pulled out"))
    django, answered = ask(request(headers=CHUNKED), pieces(b"x" * 60_000))
    assert (len(django.body), answered) == (60_000, [])
    django, answered = ask(request(headers=CHUNKED), pieces(b"x" * 70_000))
    assert (refused(answered), django.was_asked) == (503, False)


def test_a_place_for_large_files_is_not_for_whoever_sends_slowly(monkeypatch):
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


def test_a_header_that_only_looks_like_a_proxys_is_not_passed_on():
    django, _ = ask(request(method="GET", headers=[(b"x_forwarded_proto", b"https"), (b"accept", b"*/*")]))
    assert django.scope["headers"] == [(b"accept", b"*/*")]


def test_where_the_disk_has_no_room_for_a_file_it_is_to_be_sent_again(monkeypatch, tmp_path, caplog):
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
