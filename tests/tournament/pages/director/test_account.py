"""A director's own account: the password, tokens for programs."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.tournament.pages.director.browser import Browser
from tournament import links
from tournament.models import ApiToken

pytestmark = pytest.mark.django_db
GOOD = "five-point-prime-77"


@pytest.fixture
def keeper() -> Browser:
    return Browser(User.objects.create_user("keeper", password="old-password-1"))


def may_sign_in(password: str) -> bool:
    browser = Browser().open("sign-in").press("Sign in", nth=0, username="keeper", password=password)
    return browser.path == "/"


def test_a_password_is_changed_and_one_stays_signed_in(keeper):
    sent = {"old_password": "old-password-1", "new_password1": GOOD, "new_password2": GOOD}
    keeper.open("password").press("Save the password", **sent)
    assert keeper.says("The password is changed.")
    assert keeper.open("event-new").status == 200
    assert may_sign_in(GOOD)


@pytest.mark.parametrize(
    ("old", "first", "second"),
    [("wrong", GOOD, GOOD), ("old-password-1", GOOD, "other"), ("old-password-1", "short", "short")],
)
def test_a_password_that_is_wrong_or_weak_changes_nothing(keeper, old, first, second):
    sent = {"old_password": old, "new_password1": first, "new_password2": second}
    keeper.open("password").press("Save the password", **sent)
    assert not keeper.says("The password is changed.")
    assert may_sign_in("old-password-1")


def test_who_came_in_by_a_link_sets_a_first_password_without_an_old_one():
    browser = Browser(User.objects.create_user("keeper"))
    browser.open("password").press("Save the password", new_password1=GOOD, new_password2=GOOD)
    assert may_sign_in(GOOD)


def test_a_token_is_shown_once_works_and_is_taken_away(keeper):
    keeper.open("api-tokens").press("Make a token", label="Scoreboard")
    token = re.search(r'class="code token">([\w-]+)<', keeper.text).group(1)
    program = Client(headers={"authorization": f"Bearer {token}"})
    assert program.get("/api/v1/account/tokens/").status_code == 200
    assert token not in keeper.open("api-tokens").text
    keeper.press("Take it away")
    assert keeper.says("The token “Scoreboard” works no longer.")
    assert program.get("/api/v1/account/tokens/").status_code in (401, 403)


def test_a_token_says_what_it_is_for(keeper):
    keeper.open("api-tokens").press("Make a token", label=" ")
    assert keeper.status == 422
    assert not ApiToken.objects.exists()


def test_nobody_takes_away_somebody_elses_token(keeper, hall, owning):
    owning.open("api-tokens").press("Make a token", label="Scoreboard")
    token = ApiToken.objects.get()
    assert keeper.client.post(f"/account/tokens/{token.pk}/revoke/").status_code == 404
    token.refresh_from_db()
    assert token.revoked_at is None


def test_signing_out_everywhere_else_ends_sessions_tokens_and_links_and_nobody_elses(keeper, owning):
    keeper.open("api-tokens").press("Make a token", label="Scoreboard")
    token = re.search(r'class="code token">([\w-]+)<', keeper.text).group(1)
    lost = Browser(User.objects.get(username="keeper"))
    link = links.make_sign_in_link(User.objects.get(username="keeper"))
    assert lost.open("password").status == 200
    copied = Client()
    copied.cookies["sessionid"] = keeper.client.cookies["sessionid"].value
    assert copied.get("/account/password/").status_code == 200
    keeper.open("password").press("Sign out everywhere else")
    assert copied.get("/account/password/").status_code == 302
    assert keeper.says("You are signed in here and nowhere else.")
    assert keeper.open("password").status == owning.open("password").status == 200
    assert lost.client.get("/account/password/").status_code == 302
    assert Client(headers={"authorization": f"Bearer {token}"}).get("/api/v1/me/").status_code == 401
    assert Client().post(link).status_code == 409
