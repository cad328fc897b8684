"""Static files: versioned names, cache lifetimes and the cache in memory."""

import asyncio
import gzip
import hashlib
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from deploy.static_cache import StaticCache
from deploy.static_files import VersionedStorage, unversioned, versioned
from tests.deploy.test_response_cache import Answer

IMMUTABLE, ONE_MINUTE = b"max-age=315360000, public, immutable", b"max-age=60, public"
RULES = b"body { margin: 0 }" * 200
SHEET = f"/static/style.{hashlib.sha256(RULES).hexdigest()[:12]}.css"


class FakeDjango:
    """Replaces Django: serves one file under two names and records requests."""

    def __init__(self) -> None:
        self.requests: list[str] = []
        self.rules = RULES
        self.cache = StaticCache(self.answer, "/static/")

    async def answer(self, scope, receive, send):
        self.requests.append(scope["path"])
        await asyncio.sleep(0)
        assert {name for name, _ in scope["headers"]} <= {b"host"} or "/static/" not in scope["path"]
        is_there = unversioned(scope["path"]) == "/static/style.css"
        cache_control = IMMUTABLE if scope["path"] == SHEET else ONE_MINUTE
        headers = [(b"cache-control", cache_control), (b"last-modified", b"today"), (b"etag", b'"12-34"')]
        await send({"type": "http.response.start", "status": 200 if is_there else 404, "headers": headers})
        await send({"type": "http.response.body", "body": self.rules})

    async def get(self, path: str, method: str = "GET", **headers: str) -> Answer:
        answer = Answer()

        async def send(message):
            if message["type"] == "http.response.start":
                answer.status, answer.headers = message["status"], dict(message["headers"])
            else:
                answer.body += message["body"]

        sent = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
        scope = {"type": "http", "method": method, "path": path, "query_string": b"", "headers": sent}
        await self.cache(scope, None, send)
        return answer


def test_a_file_is_fetched_and_compressed_once():
    async def scenario():
        site = FakeDjango()
        first = await site.get(SHEET, cookie="sessionid=mine", accept_encoding="gzip, br", host="hall")
        again = await site.get(SHEET, cookie="link=theirs")
        assert site.requests == [SHEET]
        assert gzip.decompress(first.body) == again.body
        assert len(first.body) < len(again.body) / 20
        assert first.headers[b"content-encoding"] == b"gzip"
        assert first.headers[b"cache-control"] == again.headers[b"cache-control"] == IMMUTABLE
        assert first.headers[b"vary"] == b"Accept-Encoding"
        unchanged = await site.get(SHEET, if_none_match=first.headers[b"etag"].decode())
        assert (unchanged.status, unchanged.body, unchanged.headers[b"cache-control"]) == (
            304,
            b"",
            IMMUTABLE,
        )

    asyncio.run(scenario())


def test_concurrent_requests_share_a_fetch_but_not_an_error():
    async def scenario():
        site = FakeDjango()
        answers = await asyncio.gather(*(site.get(SHEET) for _ in range(1000)))
        assert {answer.status for answer in answers} == {200}
        assert site.requests == [SHEET]
        await asyncio.gather(*(site.get("/static/none.css") for _ in range(3)))
        assert site.requests == [SHEET, *["/static/none.css"] * 3]
        assert site.cache._fetches == {}

    asyncio.run(scenario())


def test_missing_files_and_other_versions_are_not_cached():
    async def scenario():
        site = FakeDjango()
        for number in range(3):
            other = await site.get(f"/static/style.00000000000{number}.css")
            assert (other.status, other.headers[b"cache-control"]) == (200, ONE_MINUTE)
            assert (await site.get("/static/none.css")).status == 404
            assert (await site.get("/e/friday/", cookie="link=mine")).status == 404
            await site.get(SHEET, method="HEAD")
        assert len(site.requests) == 12
        assert site.cache._files == {}

    asyncio.run(scenario())


def test_a_changed_file_is_not_immutable_under_its_old_name():
    async def scenario():
        site = FakeDjango()
        site.rules = b"body { margin: 1px }"
        assert (await site.get(SHEET)).headers[b"cache-control"] == ONE_MINUTE
        site.rules = RULES
        assert (await site.get(SHEET)).headers[b"cache-control"] == IMMUTABLE

    asyncio.run(scenario())


def test_the_name_of_a_file_contains_a_digest_of_its_content():
    folder = Path(settings.STATICFILES_DIRS[0])
    names = [path.name for path in folder.iterdir() if path.is_file()]
    assert {unversioned(versioned(name)) for name in names} == set(names)
    assert len({versioned(name) for name in names} | set(names)) == 2 * len(names)
    assert versioned("none.css") == "none.css"
    assert VersionedStorage().url("") == "/static/"


@pytest.mark.parametrize("autorefresh", [True, False])
def test_only_the_versioned_name_of_a_file_is_immutable(settings, autorefresh):
    settings.WHITENOISE_AUTOREFRESH = autorefresh
    client, name = Client(), VersionedStorage().url("style.css")
    for address, cache_control in (
        (name, IMMUTABLE), ("/static/style.css", ONE_MINUTE), ("/static/style.000000000000.css", ONE_MINUTE),
    ):  # fmt: skip
        answer = client.get(address)
        assert (answer.status_code, answer.headers["Cache-Control"].encode()) == (200, cache_control), address
        assert answer.headers["Content-Type"] == 'text/css; charset="utf-8"'
    assert client.get("/static/none.000000000000.css").status_code == 404
