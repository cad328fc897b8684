"""One look for many: strangers share an answer until something in it changes, and nobody gets what is not theirs."""

import asyncio
import gzip
from dataclasses import dataclass, field

import pytest

from deploy import response_cache
from deploy.cache_request import _language
from deploy.response_cache import ResponseCache
from deploy.stream_hub import Hub

BRACKET = "5d3e"
PATH, PAGE = "/e/friday/open/fragment/", "/e/friday/open/"
API = "/api/v1/tournaments/7c0d/standings/"


@dataclass
class Product:
    """Stands where Django stands: tells what the bracket's version is, and counts how often it was asked."""

    version: int = 1
    asked: int = 0
    headers: dict[str, str] = field(default_factory=lambda: {"X-Live-Ids": BRACKET})
    status: int = 200
    etag: bool = True
    gate: asyncio.Event = field(default_factory=asyncio.Event)
    seen: list[str] = field(default_factory=list)
    scopes: list[dict] = field(default_factory=list)

    async def __call__(self, scope, receive, send):
        self.asked += 1
        version = self.version
        await asyncio.sleep(0)
        await self.gate.wait()
        known = dict(scope["headers"]).get(b"cookie", b"").decode()
        self.seen.append(known)
        self.scopes.append(scope)
        headers = [(b"Content-Length", b"9")]
        headers += [(b"ETag", f'W/"{version}"'.encode())] if self.etag else []
        headers += [(name.encode(), value.encode()) for name, value in self.headers.items()]
        body = (f"version {version} {known}" + " " * 2000).encode()
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
    def words(self) -> str:
        is_packed = b"gzip" in self.headers.get(b"content-encoding", b"")
        return (gzip.decompress(self.body) if is_packed else self.body).decode().strip()


class Stand:
    def __init__(self) -> None:
        self.hub, self.product = Hub("redis://nowhere", "live"), Product()
        self.hub.is_subscribed = True
        self.product.gate.set()
        self.looks = ResponseCache(self.product, self.hub)

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
        await self.looks(scope, None, send)
        return answer


def test_a_thousand_concurrent_requests_share_one_fetch():
    async def story():
        stand = Stand()
        stand.product.gate.clear()
        asking = [asyncio.ensure_future(stand.get()) for _ in range(1000)]
        await asyncio.sleep(0.01)
        stand.product.gate.set()
        answers = await asyncio.gather(*asking)
        assert {answer.words for answer in answers} == {"version 1"}
        assert stand.product.asked == 1

    asyncio.run(story())


def test_a_request_after_a_change_gets_no_older_response():
    async def story():
        stand = Stand()
        assert (await stand.get()).words == "version 1"
        stand.product.gate.clear()
        stand.hub.publish(BRACKET, "2")
        early = asyncio.ensure_future(stand.get())
        await asyncio.sleep(0.01)
        stand.product.version = 3
        stand.hub.publish(BRACKET, "3")
        late = asyncio.ensure_future(stand.get())
        await asyncio.sleep(0.01)
        stand.product.gate.set()
        assert (await early).words == "version 1"
        assert (await late).words == "version 3"
        assert (await stand.get()).words == "version 3"
        stand.hub.publish("another", "9")
        assert (await stand.get()).words == "version 3"
        assert stand.product.asked == 3

    asyncio.run(story())


def test_frequent_changes_delay_a_request_by_at_most_two_fetches():
    async def story():
        stand = Stand()

        async def changes_meanwhile(scope, receive, send):
            stand.hub.publish(BRACKET, str(stand.product.asked))
            await stand.product(scope, receive, send)
            stand.hub.publish(BRACKET, str(stand.product.asked))

        stand.looks._app = changes_meanwhile
        stand.product.gate.clear()
        asking = [asyncio.ensure_future(stand.get()) for _ in range(25)]
        await asyncio.sleep(0.01)
        asking += [asyncio.ensure_future(stand.get()) for _ in range(25)]
        await asyncio.sleep(0.01)
        stand.product.gate.set()
        answers = await asyncio.gather(*asking)
        assert {answer.status for answer in answers} == {200}
        assert stand.product.asked == 2

    asyncio.run(story())


def test_nothing_is_served_from_the_cache_after_a_broker_outage():
    async def story():
        stand = Stand()
        await stand.get()
        stand.hub.is_subscribed = False
        stand.product.version = 2
        assert (await stand.get()).words == "version 2"
        stand.product.version = 3
        stand.hub._resync()
        assert (await stand.get()).words == "version 3"

    asyncio.run(story())


def test_a_matching_etag_gives_304_and_others_get_gzip():
    async def story():
        stand = Stand()
        packed = await stand.get(accept_encoding="br, gzip")
        plain = await stand.get()
        assert (await stand.get(if_none_match='W/"0", W/"1"')).status == 304
        assert (await stand.get(if_none_match='W/"0"')).status == 200
        assert plain.words == packed.words == "version 1"
        assert len(packed.body) < len(plain.body)
        assert packed.headers[b"content-length"] == str(len(packed.body)).encode()
        assert b"x-live-ids" not in plain.headers
        assert stand.product.asked == 1

    asyncio.run(story())


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
    async def story():
        stand = Stand()
        stand.product.headers["Cache-Control"] = "max-age=0"
        first = await stand.get(path, cookie="csrftoken=mine")
        assert (await stand.get(path)).words == first.words == "version 1"
        stand.product.version = 2
        stand.hub.publish(BRACKET, "2")
        assert (await stand.get(path)).words == "version 2"
        assert stand.product.asked == 2
        assert first.headers[b"cache-control"] == b"no-cache, private"

    asyncio.run(story())


def test_a_page_without_an_etag_gets_one_from_its_content():
    async def story():
        stand = Stand()
        stand.product.etag = False
        etag = (await stand.get(PAGE)).headers[b"etag"].decode()
        assert (await stand.get(PAGE, if_none_match=etag)).status == 304
        stand.hub.publish(BRACKET, "1")
        assert (await stand.get(PAGE, if_none_match=etag)).status == 304
        stand.product.version = 2
        stand.hub.publish(BRACKET, "2")
        changed = await stand.get(PAGE, if_none_match=etag)
        assert (changed.status, changed.words) == (200, "version 2")
        assert (await stand.get(PAGE, if_none_match=changed.headers[b"etag"].decode() + ",")).status == 304

    asyncio.run(story())


def test_a_response_that_sets_a_cookie_is_not_shared():
    async def story():
        stand = Stand()
        stand.product.headers["Set-Cookie"] = "csrftoken=new"
        answer = await stand.get(PAGE, cookie="csrftoken=mine")
        assert answer.words == "version 1 csrftoken=mine"
        assert b"x-live-ids" not in (await stand.get(PAGE, b"find=x")).headers

    asyncio.run(story())


def test_a_recent_response_is_served_during_a_refresh_and_an_old_one_never(
    monkeypatch,
):
    async def story():
        monkeypatch.setattr(response_cache, "REFRESH_SECONDS", 0.0)
        stand = Stand()
        await stand.get(PAGE)
        stand.product.version = 2
        stand.product.gate.clear()
        answers = [await stand.get(PAGE) for _ in range(5)]
        assert {answer.words for answer in answers} == {"version 1"}
        stand.product.gate.set()
        await asyncio.gather(*stand.looks._fetches.values())
        assert stand.product.asked == 2
        assert (await stand.get(PAGE)).words == "version 2"
        await asyncio.gather(*stand.looks._fetches.values())
        monkeypatch.setattr(response_cache, "MAX_AGE_SECONDS", 0.0)
        stand.product.version = 3
        assert (await stand.get(PAGE)).words == "version 3"

    asyncio.run(story())


@pytest.mark.parametrize(("status", "shown"), [(404, 404), (200, 200), (503, 200), (429, 200)])
def test_a_removed_page_leaves_the_cache_but_errors_do_not_evict(status, shown, monkeypatch):
    async def story():
        monkeypatch.setattr(response_cache, "REFRESH_SECONDS", 0.0)
        stand = Stand()
        await stand.get(PAGE)
        stand.product.status, stand.product.version = status, 2
        stand.product.headers = {}
        assert (await stand.get(PAGE)).words == "version 1"
        await asyncio.gather(*stand.looks._fetches.values())
        answer = await stand.get(PAGE)
        assert (answer.status, answer.words) == (shown, "version 1" if status in (429, 503) else "version 2")
        await asyncio.gather(*stand.looks._fetches.values())

    asyncio.run(story())


def test_unchanged_pages_are_served_while_the_database_is_down(
    monkeypatch,
):
    async def story():
        monkeypatch.setattr(response_cache, "REFRESH_SECONDS", 0.0)
        stand = Stand()
        await stand.get(PAGE)
        stand.product.status, stand.product.headers = 503, {}
        for _ in range(3):
            monkeypatch.setattr(response_cache, "MAX_AGE_SECONDS", 0.0)
            assert (await stand.get(PAGE)).words == "version 1"
            monkeypatch.setattr(response_cache, "MAX_AGE_SECONDS", 10.0)
            assert (await stand.get(PAGE)).words == "version 1"
            await asyncio.gather(*stand.looks._fetches.values())
        stand.hub.publish(BRACKET, "2")
        assert (await stand.get(PAGE)).status == 503

    asyncio.run(story())


def test_one_page_at_a_time_is_refreshed(monkeypatch):
    async def story():
        monkeypatch.setattr(response_cache, "REFRESH_SECONDS", 0.0)
        stand = Stand()
        players = [f"{PAGE}players/{number}/" for number in range(5)]
        for page in players:
            await stand.get(page)
        stand.product.gate.clear()
        for page in players:
            assert (await stand.get(page)).words == "version 1"
        stand.product.gate.set()
        await asyncio.gather(*stand.looks._fetches.values())
        assert stand.product.asked == len(players) + 1
        stand.hub.publish(BRACKET, "2")
        await asyncio.gather(*(stand.get(page) for page in players))
        assert stand.product.asked == 2 * len(players) + 1

    asyncio.run(story())


def test_an_unshared_page_is_fetched_by_every_client_for_a_while(monkeypatch):
    async def story():
        stand = Stand()
        stand.product.headers = {}
        packed = [await stand.get(PAGE, accept_encoding="gzip") for _ in range(2)]
        assert b"gzip" in packed[1].headers[b"content-encoding"]
        stand.product.headers = {"X-Live-Ids": BRACKET}
        for _ in range(2):
            await stand.get(PAGE)
        assert stand.product.asked == 4
        monkeypatch.setattr(response_cache, "UNSHARED_SECONDS", 0.0)
        for _ in range(3):
            await stand.get(PAGE)
        assert stand.product.asked == 5

    asyncio.run(story())


def test_the_cache_key_contains_language_host_and_scheme(settings):
    settings.LANGUAGES = [("en", "English"), ("de", "German")]
    _language.cache_clear()

    async def story():
        stand = Stand()
        for languages in ("en", "en-GB,en;q=0.5", "fr", ""):
            await stand.get(PAGE, accept_language=languages)
        assert stand.product.asked == 1
        for others in (
            {"accept_language": "de-AT,en;q=0.2"},
            {"host": "hall"},
            {"x_forwarded_proto": "https"},
        ):
            await stand.get(PAGE, **others)
        await stand.get(PAGE, b"find=x")
        assert stand.product.asked == 5

    asyncio.run(story())
    _language.cache_clear()


def test_the_cache_is_limited_in_size(monkeypatch):
    async def story():
        monkeypatch.setattr(response_cache, "MAX_BYTES", 10_000)
        stand = Stand()
        for number in range(20):
            await stand.get(PAGE, b"round=%d" % number)
        assert sum(look.size for look in stand.looks._entries.values()) == stand.looks._bytes <= 10_000
        assert (await stand.get(PAGE, b"round=19")).words == "version 1"
        assert stand.product.asked == 20

    asyncio.run(story())


def test_irrelevant_cookies_are_removed_and_relevant_ones_are_part_of_the_key():
    async def story():
        stand = Stand()
        assert (await stand.get(cookie="followed=mine; csrftoken=mine")).words == "version 1"
        assert (await stand.get()).words == "version 1"
        assert stand.product.asked == 1
        await stand.get(query=b"round=2")
        await stand.get(host="elsewhere")
        assert stand.product.asked == 3

    asyncio.run(story())


@pytest.mark.parametrize(
    ("status", "headers"),
    [
        (200, {}),
        (404, {"X-Live-Ids": BRACKET}),
        (200, {"X-Live-Ids": BRACKET, "Set-Cookie": "a=b"}),
        (200, {"X-Live-Ids": BRACKET, "Content-Security-Policy": "script-src 'nonce-abc'"}),
    ],
)
def test_a_response_without_live_ids_is_not_cached(status, headers):
    async def story():
        stand = Stand()
        stand.product.status, stand.product.headers = status, headers
        answers = await asyncio.gather(*(stand.get() for _ in range(3)))
        assert [answer.status for answer in answers] == [status] * 3
        assert stand.product.asked == 3

    asyncio.run(story())


def test_a_failed_fetch_is_repeated_by_the_next_request():
    async def story():
        stand = Stand()
        good, stand.looks._app = stand.looks._app, _breaks
        first, second = await asyncio.gather(stand.get(), stand.get(), return_exceptions=True)
        assert (type(first), type(second)) == (RuntimeError, RuntimeError)
        stand.looks._app = good
        assert (await stand.get()).words == "version 1"

    asyncio.run(story())


async def _breaks(scope, receive, send):
    raise RuntimeError
