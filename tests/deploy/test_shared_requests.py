"""Requests share a response unless it depends on the client, and it contains no data of one client."""

import asyncio

import pytest

from deploy import shared_requests
from tests.deploy.test_response_cache import API, PAGE, PATH, CachedSite
from tournament.web import request

KEY = "0123456789abcdef" * 2


@pytest.mark.parametrize(
    "options",
    [
        {"authorization": "Bearer abc"},
        {"cookie": "link=abc"},
        {"cookie": "sessionid=abc"},
        {"cookie": "link=abc; sessionid=mine"},
        {"path": PAGE, "cookie": "link=abc"},
        {"path": PAGE, "cookie": "followed=1"},
        {"path": PAGE, "cookie": "csrftoken=1; messages=abc"},
        {"path": PAGE, "cookie": "sessionid=abc"},
        {"path": PAGE, "authorization": "Bearer abc"},
        {"path": PAGE, "method": "POST"},
        {"path": PAGE, "accept_language": "de," * 100},
        {"path": PAGE, "host": "a" * 300},
        {"path": PAGE, "x_forwarded_proto": "https," * 50},
        {"path": "/e/friday/open/desk/1/"},
        {"path": "/me/fragment/"},
        {"path": "/sign-in/"},
        {"path": "/api/v1/events/friday/journal/"},
        {"path": API, "accept": "application/json; indent=4"},
        {"path": API, "accept": "*/*;indent=4"},
        {"path": API, "accept": "text/csv"},
        {"path": API, "cookie": "link=abc"},
        {"path": API, "cookie": "sessionid=abc"},
        {"path": API, "authorization": "Bearer abc"},
        {"path": API, "method": "OPTIONS"},
        {"method": "POST"},
        {"query": b"find=" + b"x" * 300},
        {"path": PAGE, "query": f"key={KEY}".encode()},
        {"path": API, "query": f"key={KEY}".encode()},
        {"path": "/e/friday/tables/4/overlay/fragment/", "query": f"key={KEY}&key=0".encode()},
        {"path": PAGE, "cookie": "visibility=abc"},
        {"path": PAGE, "cookie": f"visibility={'.'.join([KEY] * 13)}"},
    ],
)
def test_requests_with_their_own_response_always_go_to_django(options):
    async def scenario():
        site = CachedSite()
        answers = [await site.get(**options) for _ in range(3)]
        own = [cookie for cookie in site.django.cookies if options.get("cookie", "") in cookie]
        assert len(own) >= 3
        assert site.django.requests <= 4
        assert not any(b"x-live-ids" in answer.headers for answer in answers)

    asyncio.run(scenario())


@pytest.mark.parametrize(
    ("path", "cookie", "readers"),
    [
        (PAGE, "_ga=GA1.1.1", ""),
        (PAGE, "django_language=en; csrftoken=mine; followed=; link=", ""),
        (API, "_ga=GA1.1.1; followed=7", ""),
        (PATH, "followed=7; messages=abc", ""),
        (PATH, "link=abc; csrftoken=mine", "players"),
    ],
)
def test_irrelevant_cookies_get_the_shared_response(path, cookie, readers):
    async def scenario():
        site = CachedSite()
        site.django.headers["X-Shared-With"] = readers
        answers = [
            await site.get(path, cookie=cookie),
            await site.get(path),
            await site.get(path, cookie=cookie),
        ]
        assert {answer.text for answer in answers} == {"version 1"}
        assert site.django.requests == 1
        assert not any(b"x-shared-with" in answer.headers for answer in answers)

    asyncio.run(scenario())


def test_phones_share_a_page_rendered_without_a_real_link():
    async def scenario():
        site = CachedSite()
        site.django.headers["X-Shared-With"] = "players"
        phones = [await site.get(PAGE, cookie=f"link={token}; csrftoken=a") for token in ("one", "two")]
        assert {answer.text for answer in phones} == {"version 1 link=-"}
        assert (await site.get(PAGE)).text == "version 1"
        assert site.django.requests == 2

    asyncio.run(scenario())


@pytest.mark.parametrize("path", [PAGE, PATH, API])
def test_visitors_with_the_same_keys_share_a_response_that_strangers_never_get(path):
    async def scenario():
        site = CachedSite()
        cookie = f"{request.KEY_COOKIE}={KEY}.{KEY}"
        for _ in range(2):
            assert (await site.get(path)).text == "version 1"
            assert (await site.get(path, cookie=f"_ga=1; {cookie}")).text == f"version 1 {cookie}"
        assert site.django.requests == 2

    asyncio.run(scenario())


def test_the_cache_knows_the_names_of_the_cookie_and_the_parameter_with_keys():
    assert shared_requests.KEY_COOKIE == request.KEY_COOKIE
    assert shared_requests.KEY_PARAMETER == request.KEY_PARAMETER
    assert shared_requests.KEYS.fullmatch(".".join([KEY] * request.MAX_KEYS))


@pytest.mark.parametrize(
    ("cookie", "readers"),
    [("link=mine", "strangers"), ("link=mine", "?"), ("sessionid=mine", "players")],
)
def test_players_and_helpers_get_their_own_response_where_it_differs(cookie, readers):
    async def scenario():
        site = CachedSite()
        site.django.headers["X-Shared-With"] = readers
        assert (await site.get()).text == "version 1"
        for _ in range(2):
            assert (await site.get(cookie=cookie)).text == f"version 1 {cookie}"
            assert (await site.get()).text == "version 1"
        assert site.django.requests == 3

    asyncio.run(scenario())


def test_data_of_a_client_never_reaches_the_shared_response():
    """Else a greedy or hostile visitor could choose what others are shown."""

    async def scenario():
        site = CachedSite()
        sent = {
            "cookie": "csrftoken=mine; _ga=1",
            "referer": "http://evil",
            "origin": "http://evil",
            "x_forwarded_host": "evil",
            "user_agent": "evil",
            "accept": "text/evil",
            "x_http_method_override": "POST",
        }
        await site.get(PAGE, b"evil=1&round=2&evil", **sent, host="hall")
        (scope,) = site.django.scopes
        assert scope["query_string"] == b"round=2"
        assert dict(scope["headers"]) == {
            b"host": b"hall",
            b"accept-language": b"en",
            b"accept-encoding": b"gzip",
        }
        assert (await site.get(PAGE, b"round=2", host="hall")).text == "version 1"
        assert site.django.requests == 1

    asyncio.run(scenario())


def test_unknown_parameters_and_head_requests_get_the_shared_response():
    async def scenario():
        site = CachedSite()
        for query in (b"", b"x=1", b"utm_source=a&fbclid=b"):
            assert (await site.get(PAGE, query)).text == "version 1"
        head = await site.get(PAGE, method="HEAD")
        assert (head.status, site.django.requests) == (200, 1)
        assert site.django.scopes[0]["method"] == "GET"
        for query in (b"find=x", b"%66ind=x", b"y=2&find=x"):
            assert (await site.get(PAGE, query)).text == "version 1"
        assert site.django.requests == 2

    asyncio.run(scenario())
