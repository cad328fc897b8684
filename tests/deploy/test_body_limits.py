"""Bodies are buffered before a thread handles the request; oversized, slow and invalid requests are refused."""

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


class FakeDjango:
    """Reads the body as a2wsgi does. Every cookie `link=NAME` is a valid credential."""

    def __init__(self) -> None:
        self.scope: dict = {}
        self.body = b""
        self.was_called = False
        self.status = 200

    async def __call__(self, scope, receive, send) -> None:
        if scope["path"] == stream_auth.PATH:
            cookie = dict(scope["headers"])[b"cookie"].decode()
            answer = json.dumps(
                {
                    "ways": [part[5:] for part in cookie.split() if part[:5] == "link="],
                    "channels": [],
                    "seconds": None,
                }
            )
            await send({"type": "http.response.start", "status": self.status, "headers": []})
            await send({"type": "http.response.body", "body": answer.encode()})
            return
        self.scope, self.was_called = scope, True
        more = True
        while more:
            message = await receive()
            self.body += message["body"]
            more = message["more_body"]


def request(path="/me/", query=b"", headers=(), method="POST"):
    return {"type": "http", "method": method, "path": path, "query_string": query, "headers": list(headers)}


def receive_chunks(*bodies: bytes, completes=True):
    """Returns a receive function that yields the chunks; then it disconnects, or blocks if not `completes`."""
    messages = [{"type": "http.request", "body": body, "more_body": True} for body in bodies]
    if completes:
        messages.append({"type": "http.request", "body": b"", "more_body": False})

    async def receive():
        if messages:
            return messages.pop(0)
        if completes:
            return {"type": "http.disconnect"}
        return await asyncio.get_running_loop().create_future()

    return receive


def ask(scope, receive=None) -> tuple[FakeDjango, list[dict]]:
    django, messages_sent = FakeDjango(), []

    async def send(message):
        messages_sent.append(message)

    asyncio.run(BodyLimits(django)(scope, receive or receive_chunks(), send))
    return django, messages_sent


def refusal_status(messages) -> int:
    """Checks the headers of a refusal and returns its status."""
    start, body = messages
    headers = dict(start["headers"])
    assert {name.lower().encode() for name in SECURITY_HEADERS} <= set(headers)
    assert headers[b"connection"] == b"close"
    assert body["body"]
    return start["status"]


@pytest.mark.parametrize("chunks", [(), (b"a",), (b"a", b"", b"b"), (b"x" * 700_000, b"y" * 900_000)])
def test_a_chunked_body_is_passed_on_with_its_length(chunks):
    django, messages_sent = ask(request(headers=CHUNKED), receive_chunks(*chunks))
    body = b"".join(chunks)
    assert (django.body, messages_sent) == (body, [])
    assert dict(django.scope["headers"]) == {b"content-length": str(len(body)).encode()}


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
    django, messages_sent = ask(scope)
    assert (refusal_status(messages_sent), django.was_called) == (status, False)


def test_a_refusal_under_the_api_is_problem_json():
    _, messages_sent = ask(request("/api/v1/events/", query=b"a" * 9000))
    assert dict(messages_sent[0]["headers"])[b"content-type"] == b"application/problem+json"
    assert json.loads(messages_sent[1]["body"])["status"] == refusal_status(messages_sent) == 414


def test_slow_and_stalled_senders_are_refused(monkeypatch):
    monkeypatch.setattr(body_limits, "SILENCE_SECONDS", 0.01)
    django, messages_sent = ask(request(headers=CHUNKED), receive_chunks(b"a", completes=False))
    assert (refusal_status(messages_sent), django.was_called) == (408, False)
    monkeypatch.setattr(body_limits, "GRACE_SECONDS", -1.0)
    django, messages_sent = ask(request(headers=CHUNKED), receive_chunks(b"a", b"b"))
    assert (refusal_status(messages_sent), django.was_called) == (408, False)


def test_an_endless_body_is_refused_with_or_without_a_length(monkeypatch):
    monkeypatch.setattr(body_limits, "MAX_SMALL_BODY", 50)
    monkeypatch.setattr(body_limits, "MAX_UNDECLARED_BODY", 100)
    authenticated = [*CHUNKED, (b"cookie", b"link=7")]
    for headers, limit in ((CHUNKED, 50), (authenticated, 100)):
        assert len(ask(request(headers=headers), receive_chunks(b"x" * limit))[0].body) == limit
        django, messages_sent = ask(request(headers=headers), receive_chunks(b"x" * limit, b"x"))
        assert (refusal_status(messages_sent), django.was_called) == (413, False)
    assert refusal_status(ask(request(headers=[(b"content-length", b"60")]))[1]) == 413
    django, messages_sent = ask(request(headers=LARGE), receive_chunks(b"x" * 60, b"x" * 60))
    assert (len(django.body), messages_sent) == (120, [])


def test_an_aborted_body_never_reaches_django():
    async def receive():
        return {"type": "http.disconnect"}

    django, messages_sent = ask(request(headers=CHUNKED), receive)
    assert (django.was_called, messages_sent) == (False, [])


def large(cookie: bytes, length: bytes = b"120"):
    return request(headers=[(b"content-length", length), *([(b"cookie", cookie)] if cookie else [])])


def test_large_uploads_need_credentials_and_are_limited_in_number(monkeypatch):
    monkeypatch.setattr(body_limits, "MAX_SMALL_BODY", 50)
    monkeypatch.setattr(body_limits, "MAX_LARGE_BODIES", 240)

    async def scenario():
        django = FakeDjango()
        middleware, messages_sent = BodyLimits(django), []

        async def send(message):
            messages_sent.append(message)

        async def upload_status(cookie: bytes) -> int:
            messages_sent.clear()
            await middleware(large(cookie), receive_chunks(b"x" * 120), send)
            return refusal_status(messages_sent) if messages_sent else 200

        def start_endless_upload(cookie: bytes):
            return asyncio.create_task(middleware(large(cookie), receive_chunks(b"x", completes=False), send))

        assert [await upload_status(cookie) for cookie in (b"", b"followed=7")] == [413, 413]
        first = start_endless_upload(b"link=7")
        await asyncio.sleep(0)
        assert [await upload_status(cookie) for cookie in (b"link=8", b"link=7")] == [200, 503]
        assert dict(messages_sent[0]["headers"])[b"retry-after"] == b"60"
        second = start_endless_upload(b"link=8")
        await asyncio.sleep(0)
        assert await upload_status(b"link=9") == 503
        for sender in (first, second):
            sender.cancel()
        await asyncio.wait([first, second])
        assert await upload_status(b"link=7") == 200
        django.status = 500
        assert await upload_status(b"link=7") == 503, "credentials cannot be checked"

    asyncio.run(scenario())


def test_small_bodies_are_limited_per_address_except_for_players(monkeypatch):
    monkeypatch.setattr(body_limits, "MAX_SMALL_BODY", 50)
    monkeypatch.setattr(body_limits, "MAX_SMALL_BODIES", 100)

    async def scenario():
        middleware, messages_sent = BodyLimits(FakeDjango()), []

        async def send(message):
            messages_sent.append(message)

        def sent(address: str, *headers: tuple[bytes, bytes]):
            return {**request(headers=headers), "client": (address, 5000)}

        async def status(*headers) -> int:
            messages_sent.clear()
            await middleware(sent(*headers), receive_chunks(b"x" * 40), send)
            return refusal_status(messages_sent) if messages_sent else 200

        forty = (b"content-length", b"40")
        slow = asyncio.create_task(
            middleware(sent("greedy", *CHUNKED), receive_chunks(b"x", completes=False), send)
        )
        await asyncio.sleep(0)
        assert (await status("greedy", forty), await status("greedy", *CHUNKED)) == (503, 503)
        assert (await status("home", forty), await status("home", *CHUNKED)) == (200, 200)
        assert await status("greedy", forty, (b"cookie", b"link=7")) == 200
        slow.cancel()
        await asyncio.wait([slow])
        assert await status("greedy", forty) == 200

    asyncio.run(scenario())


def test_a_larger_body_is_buffered_in_a_file(monkeypatch, tmp_path):
    """Without a temporary folder only small bodies are accepted."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "pulled out"))
    django, messages_sent = ask(request(headers=CHUNKED), receive_chunks(b"x" * 60_000))
    assert (len(django.body), messages_sent) == (60_000, [])
    django, messages_sent = ask(request(headers=CHUNKED), receive_chunks(b"x" * 70_000))
    assert (refusal_status(messages_sent), django.was_called) == (503, False)


def test_header_names_with_underscores_are_dropped():
    django, _ = ask(request(method="GET", headers=[(b"x_forwarded_proto", b"https"), (b"accept", b"*/*")]))
    assert django.scope["headers"] == [(b"accept", b"*/*")]


def test_a_full_disk_gives_503_for_an_upload(monkeypatch, tmp_path, caplog):
    """First the temporary folder is missing; then the disk is full, which shows only at the flush."""
    monkeypatch.setattr(body_limits, "IN_MEMORY", 10)
    headers = [(b"content-length", b"40")]
    with monkeypatch.context() as patch:
        patch.setattr(tempfile, "tempdir", str(tmp_path / "pulled out"))
        django, messages_sent = ask(request(headers=headers), receive_chunks(b"x" * 20, b"x" * 20))
    assert (refusal_status(messages_sent), django.was_called, len(caplog.records)) == (503, False, 1)
    full = lambda **_: Path("/dev/full").open("w+b")  # noqa: E731, SIM115 (closed by the code under test)
    monkeypatch.setattr(tempfile, "TemporaryFile", full)
    django, messages_sent = ask(request(headers=headers), receive_chunks(b"x" * 20, b"x" * 20))
    assert (refusal_status(messages_sent), django.was_called, len(caplog.records)) == (503, False, 2)
