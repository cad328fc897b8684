"""The response cache: clients share a response until its data changes, and nobody gets a private response."""

import asyncio
import gzip
import time
from dataclasses import dataclass, field

import pytest

from deploy import response_cache
from deploy.change_log import ChangeLog
from deploy.response_cache import ResponseCache

BRACKET = "5d3e"
PATH, PAGE = "/e/friday/open/fragment/", "/e/friday/open/"
API = "/api/v1/tournaments/7c0d/standings/"


@dataclass
class FakeDjango:
    """Replaces Django: responds with the bracket's version and counts requests."""

    version: int = 1
    requests: int = 0
    headers: dict[str, str] = field(default_factory=lambda: {"X-Live-Ids": BRACKET})
    status: int = 200
    etag: bool = True
    gate: asyncio.Event = field(default_factory=asyncio.Event)
    cookies: list[str] = field(default_factory=list)
    scopes: list[dict] = field(default_factory=list)

    async def __call__(self, scope, receive, send):
        self.requests += 1
        version = self.version
        await asyncio.sleep(0)
        await self.gate.wait()
        cookie = dict(scope["headers"]).get(b"cookie", b"").decode()
        self.cookies.append(cookie)
        self.scopes.append(scope)
        headers = [(b"Content-Length", b"9")]
        headers += [(b"ETag", f'W/"{version}"'.encode())] if self.etag else []
        headers += [(name.encode(), value.encode()) for name, value in self.headers.items()]
        body = (f"version {version} {cookie}" + " " * 2000).encode()
        if b"gzip" in dict(scope["headers"]).get(b"accept-encoding", b""):
            body = gzip.compress(body)
            headers.append((b"Content-Encoding", b"gzip"))
        await send({"type": "http.response.start", "status": self.status, "headers": headers})
        await send({"type": "http.response.body", "body": body, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


@dataclass
class Answer:
    status: int = 0
    headers: dict[bytes, bytes] = field(default_factory=dict)
    body: bytes = b""

    @property
    def text(self) -> str:
        is_gzipped = b"gzip" in self.headers.get(b"content-encoding", b"")
        return (gzip.decompress(self.body) if is_gzipped else self.body).decode().strip()


class CachedSite:
    def __init__(self) -> None:
        self.changes, self.django = ChangeLog(), FakeDjango()
        self.changes.is_complete = True
        self.django.gate.set()
        self.cache = ResponseCache(self.django, self.changes)

    async def get(self, path: str = PATH, query: bytes = b"", method: str = "GET", **headers: str) -> Answer:
        answer = Answer()

        async def send(message):
            if message["type"] == "http.response.start":
                answer.status = message["status"]
                answer.headers = {name.lower(): value for name, value in message["headers"]}
            else:
                answer.body += message.get("body", b"")

        sent = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
        scope = {"type": "http", "method": method, "path": path, "query_string": query, "headers": sent}
        await self.cache(scope, None, send)
        return answer


def test_a_thousand_concurrent_requests_share_one_fetch():
    async def scenario():
        site = CachedSite()
        site.django.gate.clear()
        tasks = [asyncio.ensure_future(site.get()) for _ in range(1000)]
        await asyncio.sleep(0.01)
        site.django.gate.set()
        answers = await asyncio.gather(*tasks)
        assert {answer.text for answer in answers} == {"version 1"}
        assert site.django.requests == 1

    asyncio.run(scenario())


def test_a_request_after_a_change_gets_no_older_response():
    async def scenario():
        site = CachedSite()
        assert (await site.get()).text == "version 1"
        site.django.gate.clear()
        site.changes.record(BRACKET)
        early = asyncio.ensure_future(site.get())
        await asyncio.sleep(0.01)
        site.django.version = 3
        site.changes.record(BRACKET)
        late = asyncio.ensure_future(site.get())
        await asyncio.sleep(0.01)
        site.django.gate.set()
        assert (await early).text == "version 1"
        assert (await late).text == "version 3"
        assert (await site.get()).text == "version 3"
        site.changes.record("another")
        assert (await site.get()).text == "version 3"
        assert site.django.requests == 3

    asyncio.run(scenario())


def test_frequent_changes_delay_a_request_by_at_most_two_fetches():
    async def scenario():
        site = CachedSite()

        async def publish_during_fetch(scope, receive, send):
            site.changes.record(BRACKET)
            await site.django(scope, receive, send)
            site.changes.record(BRACKET)

        site.cache._app = publish_during_fetch
        site.django.gate.clear()
        tasks = [asyncio.ensure_future(site.get()) for _ in range(25)]
        await asyncio.sleep(0.01)
        tasks += [asyncio.ensure_future(site.get()) for _ in range(25)]
        await asyncio.sleep(0.01)
        site.django.gate.set()
        answers = await asyncio.gather(*tasks)
        assert {answer.status for answer in answers} == {200}
        assert site.django.requests == 2

    asyncio.run(scenario())


def test_nothing_is_served_from_the_cache_after_a_broker_outage():
    async def scenario():
        site = CachedSite()
        await site.get()
        site.changes.is_complete = False
        site.django.version = 2
        assert (await site.get()).text == "version 2"
        site.django.version = 3
        site.changes.record_everything()
        site.changes.is_complete = True
        assert (await site.get()).text == "version 3"

    asyncio.run(scenario())


def test_a_matching_etag_gives_304_and_others_get_gzip():
    async def scenario():
        site = CachedSite()
        gzipped = await site.get(accept_encoding="br, gzip")
        plain = await site.get()
        assert (await site.get(if_none_match='W/"0", W/"1"')).status == 304
        assert (await site.get(if_none_match='"1"')).status == 304
        assert (await site.get(if_none_match='W/"0"')).status == 200
        assert plain.text == gzipped.text == "version 1"
        assert len(gzipped.body) < len(plain.body)
        assert gzipped.headers[b"content-length"] == str(len(gzipped.body)).encode()
        assert b"x-live-ids" not in plain.headers
        assert site.django.requests == 1

    asyncio.run(scenario())


@pytest.mark.parametrize(
    "path",
    [
        "/e/friday/",
        PAGE,
        f"{PAGE}bracket/last-chance/",
        f"{PAGE}standings/main/",
        f"{PAGE}players/",
        f"{PAGE}rules/",
        "/",
        "/e/friday/find/",
        f"{PAGE}players/7c0d/",
        f"{PAGE}match/7c0d/",
        f"{PAGE}match/7c0d/board/8d1e/",
        f"{PAGE}draw-proof/",
        f"{PAGE}draw-proof/1/",
        f"{PAGE}bracket/main/print/",
        f"{PAGE}standings.xlsx",
        f"{PAGE}bracket/main.svg",
        API,
        "/api/v1/events/",
        "/api/v1/tournaments/7c0d/brackets/main/",
        "/api/v1/matches/7c0d/",
    ],
)
def test_pages_and_fragments_are_shared_until_a_change_is_published(path):
    async def scenario():
        site = CachedSite()
        first = await site.get(path, cookie="csrftoken=mine")
        assert (await site.get(path)).text == first.text == "version 1"
        site.django.version = 2
        site.changes.record(BRACKET)
        assert (await site.get(path)).text == "version 2"
        assert site.django.requests == 2

    asyncio.run(scenario())


def test_a_response_that_sets_a_cookie_is_not_shared():
    async def scenario():
        site = CachedSite()
        site.django.headers["Set-Cookie"] = "csrftoken=new"
        answer = await site.get(PAGE, cookie="csrftoken=mine")
        assert answer.text == "version 1 csrftoken=mine"
        assert b"x-live-ids" not in (await site.get(PAGE, b"find=x")).headers

    asyncio.run(scenario())


def test_an_old_response_is_fetched_again_without_a_change(monkeypatch):
    async def scenario():
        site = CachedSite()
        await site.get(PAGE)
        site.django.version = 2
        assert (await site.get(PAGE)).text == "version 1"
        monkeypatch.setattr(
            time, "monotonic", lambda now=time.monotonic: now() + response_cache.MAX_AGE_SECONDS
        )
        assert (await site.get(PAGE)).text == "version 2"

    asyncio.run(scenario())


@pytest.mark.parametrize(
    ("status", "text"), [(404, "version 2"), (200, "version 2"), (503, "version 1"), (429, "version 1")]
)
def test_an_old_response_replaces_an_error_until_a_change(status, text, monkeypatch):
    async def scenario():
        monkeypatch.setattr(response_cache, "MAX_AGE_SECONDS", 0.0)
        site = CachedSite()
        await site.get(PAGE)
        site.django.status, site.django.version, site.django.headers = status, 2, {}
        for _ in range(3):
            assert (await site.get(PAGE)).text == text
        site.changes.record(BRACKET)
        answer = await site.get(PAGE)
        assert (answer.status, answer.text) == (status, "version 2")

    asyncio.run(scenario())


def test_an_unshared_page_is_fetched_by_every_client_for_a_while(monkeypatch):
    async def scenario():
        site = CachedSite()
        site.django.headers = {}
        for _ in range(2):
            await site.get(PAGE)
        site.django.headers = {"X-Live-Ids": BRACKET}
        for _ in range(2):
            await site.get(PAGE)
        assert site.django.requests == 5, "once for all clients, then once for each"
        monkeypatch.setattr(
            time, "monotonic", lambda now=time.monotonic: now() + response_cache.MAX_AGE_SECONDS
        )
        for _ in range(3):
            await site.get(PAGE)
        assert site.django.requests == 6

    asyncio.run(scenario())


def test_unused_responses_leave_a_full_cache_first(monkeypatch):
    async def scenario():
        monkeypatch.setattr(response_cache, "MAX_ENTRIES", 3)
        site = CachedSite()
        for number in range(10):
            await site.get(PAGE)
            await site.get(PAGE, b"round=%d" % number)
        assert site.django.requests == 11

    asyncio.run(scenario())


def test_the_cache_key_contains_language_host_and_scheme(settings):
    settings.LANGUAGES = [("en", "English"), ("de", "German")]

    async def scenario():
        site = CachedSite()
        for languages in ("en", "en-GB,en;q=0.5", "fr", ""):
            await site.get(PAGE, accept_language=languages)
        assert site.django.requests == 1
        for other_headers in (
            {"accept_language": "de-AT,en;q=0.2"},
            {"host": "hall"},
            {"x_forwarded_proto": "https"},
        ):
            await site.get(PAGE, **other_headers)
        await site.get(PAGE, b"find=x")
        assert site.django.requests == 5

    asyncio.run(scenario())


def test_the_cache_is_limited_in_size(monkeypatch):
    async def scenario():
        monkeypatch.setattr(response_cache, "MAX_BYTES", 10_000)
        site = CachedSite()
        for number in range(20):
            await site.get(PAGE, b"round=%d" % number)
        assert sum(entry.size for entry in site.cache._entries.values()) == site.cache._bytes <= 10_000
        assert (await site.get(PAGE, b"round=19")).text == "version 1"
        assert site.django.requests == 20

    asyncio.run(scenario())


def test_irrelevant_cookies_are_removed_and_relevant_ones_are_part_of_the_key():
    async def scenario():
        site = CachedSite()
        assert (await site.get(cookie="followed=mine; csrftoken=mine")).text == "version 1"
        assert (await site.get()).text == "version 1"
        assert site.django.requests == 1
        await site.get(query=b"round=2")
        await site.get(host="elsewhere")
        assert site.django.requests == 3

    asyncio.run(scenario())


@pytest.mark.parametrize(
    ("status", "headers"),
    [
        (200, {}),
        (404, {"X-Live-Ids": BRACKET}),
        (200, {"X-Live-Ids": BRACKET, "Set-Cookie": "a=b"}),
    ],
)
def test_a_response_without_live_ids_is_not_cached(status, headers):
    async def scenario():
        site = CachedSite()
        site.django.status, site.django.headers = status, headers
        answers = await asyncio.gather(*(site.get() for _ in range(3)))
        assert [answer.status for answer in answers] == [status] * 3
        assert site.django.requests >= 3

    asyncio.run(scenario())


def test_a_failed_fetch_is_repeated_by_the_next_request():
    async def scenario():
        site = CachedSite()
        good, site.cache._app = site.cache._app, _raise_error
        first, second = await asyncio.gather(site.get(), site.get(), return_exceptions=True)
        assert (type(first), type(second)) == (RuntimeError, RuntimeError)
        site.cache._app = good
        assert (await site.get()).text == "version 1"

    asyncio.run(scenario())


async def _raise_error(scope, receive, send):
    raise RuntimeError
