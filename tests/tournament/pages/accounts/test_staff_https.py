"""With HTTPS beside plain HTTP, users sign in over HTTPS only; players use both."""

import pytest
from django.test import Client

from tests.tournament import stories
from tests.tournament.pages.browser import Browser
from tournament.accounts import links
from tournament.web.request import COOKIE

pytestmark = pytest.mark.django_db
HTTPS = "https://hall.test:8443"
PHONE = {"REMOTE_ADDR": "10.20.30.41", "HTTP_HOST": "10.20.30.40:8000"}
SECURE = {**PHONE, "HTTP_HOST": "hall.test:8443", "HTTP_X_FORWARDED_PROTO": "https"}


@pytest.fixture(autouse=True)
def https_in_the_hall(settings):
    settings.HALL_HTTPS = settings.STAFF_HTTPS = HTTPS
    settings.ALSO_PLAIN_HTTP = True
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")


def signed_in(**where: str) -> Client:
    client = Client(**where)
    client.force_login(stories.director().user)
    return client


def test_signing_in_over_plain_http_redirects_to_https():
    link = links.make_sign_in_link(stories.director().user)
    for path in ("/sign-in/", "/sign-in/?next=/new/", link):
        answer = Client(**PHONE).get(path)
        assert (answer.status_code, answer["Location"]) == (302, HTTPS + path)
    assert Client(**PHONE).post(link)["Location"] == HTTPS + link
    signed = Client(**SECURE).post(link)
    assert (signed.status_code, signed["Location"]) == (302, "/"), "the link is still unused"


def test_the_session_made_over_https_is_sent_over_https_only():
    user = stories.director().user
    client = Client(**SECURE)
    client.post(links.make_sign_in_link(user))
    assert client.cookies["sessionid"]["secure"]
    client.post("/sign-out/")
    assert client.cookies["sessionid"]["secure"]


def test_a_session_cookie_over_plain_http_is_rejected():
    assert signed_in(**SECURE).get("/account/sessions/").status_code == 200
    answer = signed_in(**PHONE).get("/account/sessions/")
    assert (answer.status_code, answer["Location"]) == (302, "/sign-in/?next=/account/sessions/")


def test_on_the_laptop_itself_plain_http_signs_in():
    laptop = {"REMOTE_ADDR": "127.0.0.1"}
    assert Client(**laptop).get("/sign-in/").status_code == 200
    assert signed_in(**laptop).get("/account/sessions/").status_code == 200


def test_players_use_http_and_https(hall):
    token = links.make_link(hall.pairing.left, hall.owner)
    for way in (PHONE, SECURE):
        phone = Client(**way)
        assert phone.get(f"/p/{token}/").status_code == 302
        assert not phone.cookies[COOKIE]["secure"]
        assert phone.get("/me/").status_code == 200


def test_a_helper_is_given_the_address_over_https(hall):
    browser = Browser(hall.owner.user).open("event-people", hall.tournament.event.slug)
    browser.press("Create account", **{"helper-user_name": "carla"})
    assert f"{HTTPS}/sign-in/" in browser.text


def test_without_https_of_the_hall_plain_http_signs_in(settings):
    settings.HALL_HTTPS = settings.STAFF_HTTPS = ""
    client = Client(**PHONE)
    client.post(links.make_sign_in_link(stories.director().user))
    assert not client.cookies["sessionid"]["secure"]
    assert client.get("/account/sessions/").status_code == 200
