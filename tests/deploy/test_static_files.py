"""Static files: compressed, cached for ever under a name with a digest, and never with a database."""

import asyncio
import gzip
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.conf import settings
from django.templatetags.static import static
from django.test import override_settings

from deploy.security_headers import ASGI_HEADERS
from deploy.static_files import StaticFiles

IMMUTABLE, ONE_MINUTE = b"max-age=315360000, public, immutable", b"max-age=60, public"
SOURCE = Path(settings.STATICFILES_DIRS[0])
OTHER_VERSION = "/static/style.000000000000.css"


def get(path: str, method: str = "GET", files: StaticFiles | None = None, **headers: str) -> SimpleNamespace:
    """Returns the response. Requests that are passed on get status 0."""
    response = SimpleNamespace(status=0, headers={}, body=b"")
    sent = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "method": method, "path": path, "query_string": b"\xff", "headers": sent}

    async def send(message):
        if message["type"] == "http.response.start":
            response.status, response.headers = message["status"], dict(message["headers"])
        else:
            response.body += message["body"]

    async def pass_on(_scope, _receive, _send):
        """The page behind the static files."""

    files = files or StaticFiles(pass_on)
    asyncio.run(files({**scope, "http_version": "1.1"}, None, send))
    return response


def test_a_file_is_compressed_and_immutable_under_its_versioned_name():
    plain, packed = get(static("style.css")), get(static("style.css"), accept_encoding="gzip, br")
    assert (plain.status, packed.status) == (200, 200)
    assert gzip.decompress(packed.body) == plain.body
    assert packed.headers[b"content-encoding"] == b"gzip"
    assert packed.headers[b"content-type"] == b'text/css; charset="utf-8"'
    assert packed.headers[b"cache-control"] == plain.headers[b"cache-control"] == IMMUTABLE
    assert packed.headers[b"vary"] == b"Accept-Encoding"
    unchanged = get(static("style.css"), if_none_match=plain.headers[b"etag"].decode())
    assert (unchanged.status, unchanged.body, unchanged.headers[b"cache-control"]) == (304, b"", IMMUTABLE)


@pytest.mark.parametrize("path", ["/static/style.css", OTHER_VERSION])
def test_other_names_of_a_file_give_the_current_one_for_a_minute(path):
    response = get(path)
    assert (response.status, response.headers[b"cache-control"]) == (200, ONE_MINUTE)
    assert response.body == get(static("style.css")).body


@pytest.mark.parametrize(
    "path", ["/static/none.css", "/static/none.000000000000.css", "/static/", "/static/../deploy/asgi.py"]
)
def test_missing_files_give_404(path):
    response = get(path)
    assert (response.status, response.body) == (404, b"There is no such file.")


@pytest.mark.parametrize("path", ["/static/style.css", "/static/logo.svg", "/static/none.css"])
def test_every_response_has_the_security_headers(path):
    assert set(ASGI_HEADERS) <= set(get(path).headers.items())


def test_other_paths_are_passed_on():
    assert get("/e/friday/").status == 0


def test_only_reading_is_allowed():
    assert get("/static/style.css", method="POST").status == 405
    head = get("/static/style.css", method="HEAD")
    assert (head.status, head.body) == (200, b"")


def test_every_source_file_has_a_versioned_name():
    names = [path.name for path in SOURCE.iterdir() if path.is_file()]
    assert [name for name in names if get(static(name)).headers[b"cache-control"] != IMMUTABLE] == []


@pytest.fixture
def debug() -> Iterator[None]:
    with override_settings(DEBUG=True):
        yield


@pytest.mark.usefixtures("debug")
def test_with_debug_a_changed_file_is_visible_at_once(tmp_path, settings):
    settings.STATICFILES_DIRS = [tmp_path]
    files = StaticFiles(lambda *_: None)
    for content in ("body {}", "html {}"):
        (tmp_path / "style.css").write_text(content)
        response = get(static("style.css"), files=files)
        assert (response.body, response.headers[b"cache-control"]) == (content.encode(), b"max-age=0, public")
