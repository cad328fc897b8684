"""Rate limits of passwords, links and files."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournament import stories
from tournament.accounts import links
from tournament.pages.accounts import sign_in as accounts
from tournament.runtime.networks import network_of
from tournament.runtime.rate_limiter import Limit
from tournament.web import page_rate_limits

pytestmark = pytest.mark.django_db
ENDLESS = 10**9  # seconds
PASSWORD = "five-point-prime-77"
ELSEWHERE = "192.0.2.7"


@pytest.fixture
def owner():
    owner = stories.director("owner")
    owner.user.set_password(PASSWORD)
    owner.user.save()
    return owner


def sign_in(password: str, name: str = "owner", address: str = "127.0.0.1") -> int:
    return Client(REMOTE_ADDR=address).post("/sign-in/", {"username": name, "password": password}).status_code


def test_passwords_for_many_names_from_one_address_are_limited(owner, monkeypatch):
    monkeypatch.setattr(accounts, "FROM_AN_ADDRESS", Limit("address", 2, ENDLESS))
    assert [sign_in("wrong", name) for name in ("a", "b", "c")] == [200, 200, 429]
    assert sign_in(PASSWORD, address=ELSEWHERE) == 302


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("2001:db8:1:2::", "2001:db8:1:2::"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("fe80::7%eth0", "fe80::"),
        ("", ""),
        ("a:socket", "a:socket"),
    ],
)
def test_addresses_of_one_ipv6_network_count_as_one(address, counted):
    assert network_of(address) == counted


def test_passwords_for_one_name_from_many_addresses_are_limited_and_a_link_still_opens(owner, monkeypatch):
    monkeypatch.setattr(accounts, "FOR_A_NAME", Limit("name", 2, ENDLESS))
    statuses = [
        sign_in("wrong", name, f"192.0.2.{number}")
        for number, name in enumerate(("owner", "OWNER ", "owner"))
    ]
    assert statuses == [200, 200, 429]
    answer = Client().post("/sign-in/", {"username": "owner", "password": PASSWORD})
    assert (answer.status_code, int(answer["Retry-After"]) > 0) == (429, True)
    assert "one-time sign-in link" in answer.content.decode()
    assert Client().post(links.make_sign_in_link(owner.user)).status_code == 302


def test_the_same_name_from_the_same_address_is_locked_after_eight_wrong_passwords(owner, monkeypatch):
    monkeypatch.setattr(accounts, "WRONG_PASSWORDS", Limit("wrong passwords", 7, ENDLESS))
    assert [sign_in("wrong") for _ in range(8)] == [200] * 7 + [429]
    credentials = {"username": "owner", "password": PASSWORD}
    locked = Client().post("/sign-in/", credentials, headers={"X-Requested-With": "XMLHttpRequest"})
    assert (locked.status_code, int(locked["Retry-After"]) > 0) == (429, True)
    assert "Access-Control-Allow-Origin" not in locked
    assert sign_in(PASSWORD, name="OWNER") == 429
    assert sign_in(PASSWORD, address=ELSEWHERE) == 302
    [line] = owner.user.account_events.filter(kind="locked_out")
    assert line.address == "127.0.0.x"


def test_good_passwords_are_not_counted_as_wrong_ones(owner, monkeypatch):
    monkeypatch.setattr(accounts, "WRONG_PASSWORDS", Limit("wrong passwords now and then", 2, ENDLESS))
    assert [sign_in(password) for password in ("wrong", PASSWORD, PASSWORD, PASSWORD)] == [200, 302, 302, 302]


def test_confirming_the_password_is_locked_too(owner, monkeypatch):
    monkeypatch.setattr(accounts, "WRONG_PASSWORDS", Limit("wrong passwords again", 2, ENDLESS))
    browser = Client()
    browser.force_login(owner.user)
    statuses = [browser.post("/account/confirm/", {"password": "wrong"}).status_code for _ in range(3)]
    assert statuses == [422, 422, 429]
    assert browser.post("/account/confirm/", {"password": PASSWORD}).status_code == 429


def test_invalid_links_are_limited_and_valid_ones_are_not(hall, monkeypatch):
    monkeypatch.setattr(page_rate_limits, "WRONG_LINKS", Limit("wrong links", 3, ENDLESS))
    phone = Client()
    statuses = [phone.get(f"/p/guess-{number}/").status_code for number in range(2)]
    statuses += [phone.get("/d/guess/").status_code, phone.post("/sign-in/guess/").status_code]
    assert statuses == [404, 404, 404, 429]
    assert [phone.get(path).status_code for path in ("/p/guess/", "/d/guess/")] == [429, 429]
    assert phone.get(reverse("personal-link", args=[hall.left])).status_code == 302
    assert phone.post(links.make_sign_in_link(hall.owner.user)).status_code == 302


def test_downloads_are_limited_and_pages_are_not(hall, monkeypatch):
    monkeypatch.setattr("tournament.pages.exports.FILE_DOWNLOADS", Limit("files", 1, ENDLESS))
    arguments = [hall.tournament.event.slug, hall.tournament.slug]
    statuses = [
        Client().get(reverse("results-export", args=[*arguments, kind])).status_code
        for kind in ("csv", "xlsx")
    ]
    assert statuses == [200, 429]
    assert Client().get(reverse("standings", args=arguments)).status_code == 200


def test_link_requests_at_the_poster_are_limited(hall, monkeypatch):
    monkeypatch.setattr("tournament.pages.phones.poster.LINK_REQUESTS", Limit("asking", 1, ENDLESS))
    address = reverse("poster", args=[hall.tournament.event.slug])
    statuses = [Client().post(address, {"entry": hall.pairing.right_id}).status_code for _ in range(2)]
    assert statuses == [302, 429]


def test_a_removed_role_and_a_new_password_apply_to_the_next_request(hall):
    desk = Client()
    desk.force_login(hall.desk.user)
    address = reverse("desk", args=[hall.tournament.event.slug, hall.tournament.slug])
    assert desk.get(address).status_code == 200
    hall.tournament.event.memberships.filter(user=hall.desk.user).delete()
    assert desk.get(address).status_code == 403
    assert desk.get(reverse("password")).status_code == 200
    hall.desk.user.set_password(PASSWORD)
    hall.desk.user.save()
    assert desk.get(reverse("password")).status_code == 302
