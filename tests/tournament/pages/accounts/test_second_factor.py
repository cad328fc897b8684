"""Second factors: setup, every way of signing in, reset by the operator, obligatory use."""

import base64
import hashlib
import hmac
import io
import re
import time
import uuid
from datetime import timedelta

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import User
from django.core.cache import cache
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.tournament import stories
from tests.tournament.pages.browser import Browser
from tournament.accounts import links, second_factors
from tournament.models import ApiToken, Session
from tournament.pages.accounts import second_factor, second_factor_form
from tournament.runtime.rate_limiter import Limit

pytestmark = pytest.mark.django_db
PASSWORD = "five-point-prime-77"


def code_of(secret: str) -> str:
    """What an authenticator app shows now (RFC 6238)."""
    counter = (int(time.time()) // 30).to_bytes(8, "big")
    digest = hmac.new(base64.b32decode(secret), counter, hashlib.sha1).digest()
    start = digest[-1] & 15
    number = int.from_bytes(digest[start : start + 4], "big") & 0x7FFFFFFF
    return f"{number % 10**6:06}"


@pytest.fixture
def anna() -> User:
    cache.clear()
    return User.objects.create_user("anna", password=PASSWORD)


def set_up(user: User) -> str:
    """Sets up an app in a browser; its key."""
    browser = Browser(user).open("mfa_activate_totp")
    secret = re.search(r'class="code">([A-Z2-7]{32})<', browser.text).group(1)
    browser.press("Activate", code=code_of(secret))
    assert browser.path == reverse("mfa_view_recovery_codes")
    return secret


def is_in(browser: Browser) -> bool:
    return browser.client.get(reverse("password")).status_code == 200


def sign_in() -> Browser:
    return Browser().open("sign-in").press("Sign in", username="anna", password=PASSWORD)


def test_the_password_alone_does_not_sign_in_where_there_is_a_second_factor(anna):
    secret = set_up(anna)
    assert secret not in str(list(Authenticator.objects.values())), "stored secrets are encrypted"
    browser = sign_in()
    assert browser.path == reverse("mfa_authenticate")
    assert not is_in(browser)
    browser.press("Sign in", code=code_of(secret))
    assert is_in(browser)
    assert not browser.says("wrong code")


def test_a_one_time_link_also_needs_the_second_factor(anna):
    secret = set_up(anna)
    browser = Browser().go(links.make_sign_in_link(anna)).press("Sign in")
    assert not is_in(browser)
    browser.press("Sign in", code=code_of(secret))
    assert is_in(browser)


def test_a_recovery_code_signs_in_once(anna):
    set_up(anna)
    codes_page = Browser(anna).open("mfa_view_recovery_codes")
    code = re.search(r'class="code">(\d{8})<', codes_page.text).group(1)
    first, second = (sign_in().press("Sign in", code=code) for _ in range(2))
    assert (is_in(first), is_in(second)) == (True, False)


def test_guesses_of_a_code_are_limited(anna):
    secret = set_up(anna)
    browser = sign_in()
    for _ in range(6):
        browser.press("Sign in", code="000000")
    browser.press("Sign in", code=code_of(secret))
    assert not is_in(browser)


@pytest.fixture
def counted(monkeypatch) -> None:
    """Limits by day are counted, for this test alone; allauth's own limit of five minutes is not reached."""
    monkeypatch.setattr(second_factor_form, "FOR_AN_ACCOUNT", Limit(f"codes {uuid.uuid4()}", 2, 10**9))
    monkeypatch.setattr(second_factor_form, "FROM_AN_ADDRESS", Limit(f"codes {uuid.uuid4()}", 4, 10**9))


def wrong(browser: Browser, times: int) -> None:
    for _ in range(times):
        browser.press("Sign in", code="000000")


@pytest.mark.usefixtures("counted")
def test_wrong_codes_of_a_day_lock_the_account_and_then_the_address(anna):
    secret = set_up(anna)
    browser = sign_in()
    wrong(browser, 3)
    browser.press("Sign in", code=code_of(secret))
    assert browser.says("Too many wrong codes.")
    assert not is_in(browser)
    assert anna.account_events.filter(kind="locked_out").count() == 1
    ben = User.objects.create_user("ben", password=PASSWORD)
    his = set_up(ben)
    browser = Browser().open("sign-in").press("Sign in", username="ben", password=PASSWORD)
    wrong(browser, 2)
    browser.press("Sign in", code=code_of(his))
    assert browser.says("Too many wrong codes.")


def test_a_series_of_wrong_codes_is_one_line_and_the_next_sign_in_says_how_many(anna):
    secret = set_up(anna)
    wrong(sign_in(), 3)
    lines = anna.account_events.filter(kind="wrong_codes")
    assert [line.detail for line in lines] == ["3"]
    browser = sign_in().press("Sign in", code=code_of(secret))
    assert is_in(browser)
    assert browser.says("3 wrong codes")
    assert not browser.open("home").says("wrong codes")
    wrong(sign_in(), 1)
    assert sorted(line.detail for line in lines.all()) == ["1", "3"]


@pytest.mark.parametrize(
    ("resident", "words"),
    [(True, "Signs in without a password"), (False, "Used in addition to the password")],
)
def test_the_page_states_which_passkeys_sign_in_without_a_password(anna, resident, words):
    data = {"name": "Key", "credential": {"clientExtensionResults": {"credProps": {"rk": resident}}}}
    Authenticator.objects.create(user=anna, type="webauthn", data=data)
    assert Browser(anna).open("mfa_index").says(words)
    assert Browser(anna).open("mfa_list_webauthn").says(words)


def test_the_page_explains_the_passkey_checkbox(anna):
    client = Client()
    client.force_login(anna)
    page = client.get(reverse("mfa_add_webauthn"), secure=True).content.decode()
    assert "you need the passkey in addition" in page


def test_after_a_change_of_the_secret_key_no_code_is_accepted(anna, settings):
    secret = set_up(anna)
    browser = sign_in()
    settings.SECRET_KEY = "another"
    fresh = sign_in()
    fresh.press("Sign in", code=code_of(secret))
    assert fresh.status == 200
    assert not is_in(fresh)
    assert browser.path == reverse("mfa_authenticate")


def test_an_old_session_confirms_before_it_adds_a_second_factor(anna):
    browser = Browser(anna)
    session = browser.client.session
    session["confirmed_at"] -= 3600
    session.save()
    assert browser.open("mfa_activate_totp").path.startswith("/account/confirm/")
    browser.press("Confirm", password=PASSWORD)
    assert browser.path == reverse("mfa_activate_totp")


def test_the_operator_resets_a_lost_second_factor(anna):
    set_up(anna)
    output = io.StringIO()
    call_command("director", "anna", "--reset-second-factor", stdout=output)
    assert "The second factor of anna has been removed." in output.getvalue()
    assert is_in(Browser().go(links.make_sign_in_link(anna)).press("Sign in"))


def test_adding_and_removing_a_second_factor_is_logged(anna, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        set_up(anna)
        Browser(anna).open("mfa_deactivate_totp").press("Remove the app")
    kinds = set(anna.account_events.values_list("kind", flat=True))
    assert {"second_factor_added", "second_factor_removed"} <= kinds
    assert not second_factors.has_second_factor(anna)


def test_a_required_second_factor_redirects_directors_but_not_helpers(hall, settings):
    settings.REQUIRE_SECOND_FACTOR = True
    owner, desk = Browser(hall.owner.user), Browser(hall.desk.user)
    assert owner.open("home").path == reverse("mfa_index")
    assert desk.open("home").path == reverse("home")
    set_up(hall.owner.user)
    assert owner.open("home").path == reverse("home")
    owner.open("mfa_deactivate_totp").press("Remove the app")
    assert second_factors.has_second_factor(hall.owner.user)
    assert Client().get(reverse("home")).status_code == 200


@pytest.mark.parametrize(
    "path", ["/account/tokens/", "/account/invitations/1/accept/", "/api/v1/account/tokens/", "/events/new/"]
)
def test_a_director_without_a_required_second_factor_makes_no_token_and_accepts_no_role(hall, settings, path):
    settings.REQUIRE_SECOND_FACTOR = True
    client = Client()
    client.force_login(hall.owner.user)
    answer = client.post(path, {"label": "around", "scope": "full", "days": 7})
    assert (answer.status_code, answer["Location"]) == (302, reverse("mfa_index"))
    assert not ApiToken.objects.filter(user=hall.owner.user).exists()


def test_passkey_challenges_are_limited_and_their_sessions_expire_soon(db, monkeypatch):
    monkeypatch.setattr(second_factor, "PASSKEY_SIGN_INS", Limit("passkeys", 2, 10**9))
    request = {"path": reverse("mfa_login_webauthn"), "headers": {"X-Requested-With": "XMLHttpRequest"}}
    assert [Client().get(**request).status_code for _ in range(3)] == [200, 200, 429]
    ends = Session.objects.values_list("expire_date", flat=True)
    assert len(ends) == 2
    assert max(ends) < timezone.now() + timedelta(hours=2)


def test_passkeys_are_offered_over_https_only(anna):
    for scheme, offered in (("http", False), ("https", True)):
        page = Client().get("/sign-in/", secure=scheme == "https").content.decode()
        assert ("Sign in with a passkey" in page) == offered
        client = Client()
        client.force_login(anna)
        text = client.get(reverse("mfa_index"), secure=scheme == "https").content.decode()
        assert ("Add a passkey" in text) == offered


def test_password_managers_find_the_password_page():
    assert Client().get("/.well-known/change-password")["Location"] == "/account/password/"


def test_the_accounts_page_shows_second_factors(anna):
    second_account = stories.director("other").user
    set_up(anna)
    assert second_factors.users_with_second_factor([anna.pk, second_account.pk]) == {anna.pk}
