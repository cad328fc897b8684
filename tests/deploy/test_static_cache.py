"""Style sheets and scripts: kept for good under names that say what is in them, and sent from memory."""

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

FOR_GOOD, A_MINUTE = b"max-age=315360000, public, immutable", b"max-age=60, public"
RULES = b"body { margin: 0 }" * 200
SHEET = f"/static/style.{hashlib.sha256(RULES).hexdigest()[:12]}.css"


class Shelf:
    """Stands where Django stands: has one file under two names, and counts how often it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.rules = RULES
        self.files = StaticCache(self.answer, "/static/")

    async def answer(self, scope, receive, send):
        self.asked.append(scope["path"])
        await asyncio.sleep(0)
        assert {name for name, _ in scope["headers"]} <= {b"host"} or "/static/" not in scope["path"]
        is_there = unversioned(scope["path"]) == "/static/style.css"
        lasts = FOR_GOOD if scope["path"] == SHEET else A_MINUTE
        headers = [(b"cache-control", lasts), (b"last-modified", b"today"), (b"etag", b'"12-34"')]
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
        await self.files(scope, None, send)
        return answer


def test_a_file_is_fetched_and_compressed_once():
    async def story():
        shelf = Shelf()
        first = await shelf.get(SHEET, cookie="sessionid=mine", accept_encoding="gzip, br", host="hall")
        again = await shelf.get(SHEET, cookie="link=theirs")
        assert shelf.asked == [SHEET]
        assert gzip.decompress(first.body) == again.body
        assert len(first.body) < len(again.body) / 20
        assert first.headers[b"content-encoding"] == b"gzip"
        assert first.headers[b"cache-control"] == again.headers[b"cache-control"] == FOR_GOOD
        assert first.headers[b"vary"] == b"Accept-Encoding"
        known = await shelf.get(SHEET, if_none_match=first.headers[b"etag"].decode())
        assert (known.status, known.body, known.headers[b"cache-control"]) == (304, b"", FOR_GOOD)

    asyncio.run(story())


def test_concurrent_requests_share_a_fetch_but_not_an_error():
    async def story():
        shelf = Shelf()
        answers = await asyncio.gather(*(shelf.get(SHEET) for _ in range(1000)))
        assert {answer.status for answer in answers} == {200}
        assert shelf.asked == [SHEET]
        await asyncio.gather(*(shelf.get("/static/none.css") for _ in range(3)))
        assert shelf.asked == [SHEET, *["/static/none.css"] * 3]
        assert shelf.files._fetches == {}

    asyncio.run(story())


def test_missing_files_and_other_versions_are_not_cached():
    async def story():
        shelf = Shelf()
        for number in range(3):
            other = await shelf.get(f"/static/style.00000000000{number}.css")
            assert (other.status, other.headers[b"cache-control"]) == (200, A_MINUTE)
            assert (await shelf.get("/static/none.css")).status == 404
            assert (await shelf.get("/e/friday/", cookie="link=mine")).status == 404
            await shelf.get(SHEET, method="HEAD")
        assert len(shelf.asked) == 12
        assert shelf.files._files == {}

    asyncio.run(story())


def test_a_changed_file_is_not_immutable_under_its_old_name():
    async def story():
        shelf = Shelf()
        shelf.rules = b"body { margin: 1px }"
        assert (await shelf.get(SHEET)).headers[b"cache-control"] == A_MINUTE
        shelf.rules = RULES
        assert (await shelf.get(SHEET)).headers[b"cache-control"] == FOR_GOOD

    asyncio.run(story())


def test_the_name_of_a_file_contains_a_digest_of_its_content():
    folder = Path(settings.STATICFILES_DIRS[0])
    names = [one.name for one in folder.iterdir() if one.is_file()]
    assert {unversioned(versioned(name)) for name in names} == set(names)
    assert len({versioned(name) for name in names} | set(names)) == 2 * len(names)
    assert versioned("none.css") == "none.css"
    assert VersionedStorage().url("") == "/static/"


@pytest.mark.parametrize("is_listed_anew", [True, False])
def test_only_the_versioned_name_of_a_file_is_immutable(settings, is_listed_anew):
    settings.WHITENOISE_AUTOREFRESH = is_listed_anew
    client, name = Client(), VersionedStorage().url("style.css")
    for address, lasts in (
        (name, FOR_GOOD), ("/static/style.css", A_MINUTE), ("/static/style.000000000000.css", A_MINUTE),
    ):  # fmt: skip
        answer = client.get(address)
        assert (answer.status_code, answer.headers["Cache-Control"].encode()) == (200, lasts), address
        assert answer.headers["Content-Type"] == 'text/css; charset="utf-8"'
    assert client.get("/static/none.000000000000.css").status_code == 404
