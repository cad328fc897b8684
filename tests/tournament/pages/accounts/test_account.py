"""A director's own account: the password, tokens for programs."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.tournament.pages.browser import Browser
from tournament.accounts import links, sessions
from tournament.models import ApiToken, Session

pytestmark = pytest.mark.django_db
WEAK = [
    ("password123", "This password is too common."),
    ("five-pt-9", "It must contain at least 10 characters."),
]
GOOD = "five-point-prime-77"


@pytest.fixture
def keeper() -> Browser:
    return Browser(User.objects.create_user("keeper", password="old-password-1"))


def may_sign_in(password: str) -> bool:
    browser = Browser().open("sign-in").press("Sign in", nth=0, username="keeper", password=password)
    return browser.path == "/"


def test_a_user_who_changes_the_password_stays_signed_in(keeper):
    sent = {"old_password": "old-password-1", "new_password1": GOOD, "new_password2": GOOD}
    keeper.open("password").press("Save the password", **sent)
    assert keeper.says("The password is changed.")
    assert keeper.open("password").status == 200
    assert may_sign_in(GOOD)


@pytest.mark.parametrize(
    ("old", "first", "second"),
    [("wrong", GOOD, GOOD), ("old-password-1", GOOD, "other")],
)
def test_a_password_that_is_wrong_or_differs_changes_nothing(keeper, old, first, second):
    sent = {"old_password": old, "new_password1": first, "new_password2": second}
    keeper.open("password").press("Save the password", **sent)
    assert not keeper.says("The password is changed.")
    assert may_sign_in("old-password-1")


def test_a_user_signed_in_by_a_link_sets_a_first_password():
    browser = Browser(User.objects.create_user("keeper"))
    browser.open("password").press("Save the password", new_password1=GOOD, new_password2=GOOD)
    assert may_sign_in(GOOD)


@pytest.mark.parametrize(("weak", "sentence"), WEAK)
def test_a_common_or_short_password_is_refused_with_a_sentence(keeper, weak, sentence):
    by_link = User.objects.create_user("carla")
    for browser, old in ((keeper, {"old_password": "old-password-1"}), (Browser(by_link), {})):
        browser.open("password").press("Save the password", **old, new_password1=weak, new_password2=weak)
        assert browser.says(sentence)
        assert not browser.says("The password is changed.")
    assert may_sign_in("old-password-1")
    assert not User.objects.get(pk=by_link.pk).has_usable_password()


def test_a_token_is_shown_once_works_and_is_revoked(keeper):
    keeper.open("api-tokens").press("Create token", label="Scoreboard")
    token = re.search(r'class="code token">([\w-]+)<', keeper.text).group(1)
    program = Client(headers={"authorization": f"Bearer {token}"})
    assert program.get("/api/v1/account/tokens/").status_code == 200
    assert token not in keeper.open("api-tokens").text
    keeper.press("Revoke the token")
    assert keeper.says("The token “Scoreboard” is revoked.")
    assert program.get("/api/v1/account/tokens/").status_code in (401, 403)


def test_a_user_cannot_revoke_the_token_of_another_user(keeper, hall, owning):
    owning.open("api-tokens").press("Create token", label="Scoreboard")
    token = ApiToken.objects.get()
    assert keeper.client.post(f"/account/tokens/{token.pk}/revoke/").status_code == 404
    token.refresh_from_db()
    assert token.revoked_at is None


def test_signing_out_everywhere_else_ends_sessions_tokens_and_links_and_nobody_elses(keeper, owning):
    keeper.open("api-tokens").press("Create token", label="Scoreboard")
    token = re.search(r'class="code token">([\w-]+)<', keeper.text).group(1)
    lost = Browser(User.objects.get(username="keeper"))
    link = links.make_sign_in_link(User.objects.get(username="keeper"))
    assert lost.open("password").status == 200
    copied = Client()
    copied.cookies["sessionid"] = keeper.client.cookies["sessionid"].value
    assert copied.get("/account/password/").status_code == 200
    keeper.open("sessions").press("Sign out everywhere else")
    assert copied.get("/account/password/").status_code == 302
    assert keeper.says("You are signed in here and nowhere else.")
    assert keeper.open("password").status == owning.open("password").status == 200
    assert lost.client.get("/account/password/").status_code == 302
    assert Client(headers={"authorization": f"Bearer {token}"}).get("/api/v1/me/").status_code == 401
    assert Client().post(link).status_code == 409


def test_ending_one_session_keeps_the_others(keeper):
    second_browser = Browser(User.objects.get(username="keeper"))
    assert keeper.open("sessions").text.count("signed in ") == 2
    assert keeper.says("this browser")
    keeper.press("End")
    assert keeper.says("The session is ended.")
    assert second_browser.client.get("/account/password/").status_code == 302
    assert keeper.open("sessions").text.count("signed in ") == 1


def test_a_user_cannot_end_the_session_of_another_user(keeper, hall):
    owner = Browser(hall.owner.user)
    name = sessions.session_name(Session.objects.get(user=hall.owner.user))
    assert keeper.client.post(f"/account/sessions/{name}/end/").status_code == 404
    assert owner.open("password").status == 200


def long_ago(browser: Browser) -> None:
    """The browser signed in an hour before."""
    session = browser.client.session
    session["confirmed_at"] -= 3600
    session.save()


def test_a_token_needs_a_recent_sign_in_or_the_password_again(keeper):
    long_ago(keeper)
    assert not keeper.open("api-tokens").has_button("Create token")
    assert (
        keeper.client.post("/account/tokens/", {"label": "x", "scope": "full", "days": 9}).status_code == 302
    )
    assert not ApiToken.objects.exists()
    keeper.open("confirm-identity", query="?next=/account/tokens/").press("Confirm", password="wrong")
    assert (keeper.status, keeper.says("This is not your password.")) == (422, True)
    keeper.press("Confirm", password="old-password-1")
    assert keeper.path == "/account/tokens/"
    keeper.press("Create token", label="Scoreboard", days=30)
    token = ApiToken.objects.get()
    assert (token.scope, (token.expires_at - token.made_at).days) == ("read", 30)


def test_confirming_does_not_redirect_to_another_site(keeper):
    keeper.open("confirm-identity", query="?next=https://example.org/").press(
        "Confirm", password="old-password-1"
    )
    assert keeper.path == "/account/password/"


def test_an_old_session_without_a_password_cannot_set_one():
    browser = Browser(User.objects.create_user("keeper"))
    long_ago(browser)
    assert browser.open("password").says("Your account has no password.")
    assert browser.says("manage.py director")
    browser.client.post("/account/password/", {"new_password1": GOOD, "new_password2": GOOD})
    assert not may_sign_in(GOOD)


def test_a_new_password_ends_tokens_links_and_other_sessions(keeper):
    user = User.objects.get(username="keeper")
    token, link = links.make_api_token(user, "Scoreboard"), links.make_sign_in_link(user)
    second_browser = Browser(user)
    sent = {"old_password": "old-password-1", "new_password1": GOOD, "new_password2": GOOD}
    keeper.open("password").press("Save the password", **sent)
    assert keeper.says("other sessions, tokens and links are ended")
    assert keeper.open("password").status == 200
    assert (
        Client(headers={"authorization": f"Bearer {token}"}).get("/api/v1/account/tokens/").status_code == 401
    )
    assert Client().post(link).status_code == 409
    assert second_browser.client.get("/account/password/").status_code == 302
    assert list(Session.objects.filter(user=user)) == list(Session.objects.all())


def test_the_page_shows_scope_event_end_and_last_use_of_a_token(hall):
    owner = Browser(hall.owner.user)
    owner.open("api-tokens").press(
        "Create token", label="Board", scope="full", event=hall.tournament.event_id, days=365
    )
    assert owner.says("read and change")
    assert owner.says("never used")
    token = re.search(r'class="code token">([\w-]+)<', owner.text).group(1)
    Client(headers={"authorization": f"Bearer {token}"}).get("/api/v1/events/")
    assert owner.open("api-tokens").says("last used")


def test_a_token_has_a_purpose_and_ends_within_a_year(keeper):
    keeper.open("api-tokens")
    for typed in ({"label": " "}, {"days": 0}, {"days": 366}, {"days": 10**12}, {"days": "x"}):
        keeper.press("Create token", **{"label": "Board", **typed})
        assert keeper.status == 422
        assert not ApiToken.objects.exists()


def test_sign_ins_tokens_and_passwords_are_logged():
    user = User.objects.create_user("anna", password="old-password-1")
    browser = Browser().open("sign-in").press("Sign in", username="anna", password="old-password-1")
    browser.open("api-tokens").press("Create token", label="Board")
    browser.press("Revoke the token")
    sent = {"old_password": "old-password-1", "new_password1": GOOD, "new_password2": GOOD}
    browser.open("password").press("Save the password", **sent)
    browser.open("sessions").press("Sign out everywhere else")
    kinds = user.account_events.order_by("pk").values_list("kind", flat=True)
    expected = ["signed_in", "token_made", "token_revoked", "password_changed", "ended_everywhere"]
    assert list(kinds) == expected
