"""The people of an event: roles and sign-in links of helpers."""

import re

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import User

from tests.tournament import stories
from tests.tournament.pages.browser import Browser
from tests.tournament.pages.places import at
from tournament.models import Membership

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hall_of_module")]


@pytest.fixture
def people(owning, hall) -> Browser:
    return owning.open("event-people", hall.tournament.event.slug)


def role_of(name: str) -> str:
    return Membership.objects.filter(user__username=name).values_list("role", flat=True).first() or ""


def link_on(browser: Browser) -> str:
    return re.search(r"/sign-in/[\w-]+/", browser.text).group()


def of(people: Browser, name: str, words: str) -> dict[str, int]:
    """Which of the buttons with these words stands beside this person."""
    pk = User.objects.get(username=name).pk
    for nth, (form, button) in enumerate(people.buttons(words)):
        if form.fields.get("user_name") == name or f"/people/{pk}/" in (button.action or form.action):
            return {"nth": nth}
    raise AssertionError(f"no “{words}” for {name}")


def make_helper(people: Browser, name: str) -> str:
    people.press("Create account", **{"helper-user_name": name})
    return link_on(people)


@pytest.mark.parametrize(("account", "typed"), [("Şule", "Şule"), ("Ana", "ana")])
def test_an_account_is_invited_by_user_name_and_has_the_role_once_it_accepts(people, account, typed):
    user = User.objects.create_user(account)
    people.press("Invite", user_name=typed, role="director")
    assert people.says(f"Invitation saved. {typed} accepts it")
    assert role_of(account) == ""
    Browser(user).open("home").press("Accept")
    assert role_of(account) == "director"
    assert not people.open("event-people", Membership.objects.first().event.slug).says("not accepted yet")


def test_an_invitation_is_declined_or_withdrawn(people, hall):
    user = User.objects.create_user("ana")
    people.press("Invite", user_name="ana", role="director")
    assert Browser(user).open("home").press("Decline").says("You declined the role")
    people.press("Invite", user_name="ana", role="desk").press("Withdraw")
    assert people.says("The invitation of ana is withdrawn.")
    assert not Browser(user).open("home").has_button("Accept")
    assert role_of("ana") == ""


def test_unknown_and_known_account_names_get_the_same_answer(people):
    User.objects.create_user("ana")
    answers = []
    for name in ("ana", "eva"):
        people.press("Invite", user_name=name, role="director")
        answers.append(people.text.replace("ana", "eva").split("csrfmiddlewaretoken")[0])
        people.press("Withdraw")
    assert answers[0] == answers[1]


def test_a_role_is_changed_and_taken_away(people):
    people.press("Change the role", **of(people, "desk", "Change the role"), role="director")
    assert role_of("desk") == "director"
    people.press("Remove the role", **of(people, "desk", "Remove the role"))
    assert people.says("desk has no role here any more.")
    assert role_of("desk") == ""


def test_the_last_owner_stays(people):
    people.press("Remove the role", **of(people, "owner", "Remove the role"))
    assert people.says("An event needs an owner.")
    assert role_of("owner") == "owner"


def test_an_owner_who_gives_up_the_role_is_redirected(people, hall):
    people.press("Invite", user_name="desk", role="owner")
    people.press("Remove the role", **of(people, "owner", "Remove the role"))
    assert (people.path, people.status) == ("/", 200)
    assert role_of("owner") == ""


def test_a_helper_joins_once_by_the_link_and_may_use_the_desk(people, hall):
    link = make_helper(people, "helper")
    helper = Browser().go(link).press("Sign in")
    assert helper.open("desk", *at(hall.tournament)).status == 200
    assert helper.open("event-people", hall.tournament.event.slug).status == 403
    assert Browser().go(link).press("Sign in").status == 409


def test_a_helpers_account_needs_an_unused_name(people):
    people.press("Create account", **{"helper-user_name": "Desk"})
    assert people.says("The user name “Desk” is taken.")
    assert people.fields("Create account")["helper-user_name"] == "Desk"


def test_a_second_sign_in_link_replaces_the_first(people, hall):
    first = make_helper(people, "helper")
    people.open("event-people", hall.tournament.event.slug)
    people.press("New sign-in link", **of(people, "helper", "New sign-in link"))
    second = link_on(people)
    assert Browser().go(first).press("Sign in").status == 409
    assert Browser().go(second).press("Sign in").status == 200


def test_nobody_is_let_into_an_account_that_has_a_password(people, hall):
    make_helper(people, "helper")
    helper = User.objects.get(username="helper")
    helper.set_password("backgammon-2026")
    helper.save()
    people.open("event-people", hall.tournament.event.slug)
    with pytest.raises(AssertionError):
        of(people, "helper", "New sign-in link")
    address = f"/e/{hall.tournament.event.slug}/people/{helper.pk}/let-in/"
    assert people.client.post(address).status_code == 409


def badges(browser: Browser) -> int:
    return browser.text.count(">second factor<")


def test_the_owner_and_the_administrator_see_who_has_a_second_factor(people, hall):
    administrator = Browser(stories.administrator().user)
    assert badges(people) == badges(administrator.open("installation")) == 0
    for kind in (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN):
        Authenticator.objects.create(user=hall.desk.user, type=kind, data={})
    assert badges(people.open("event-people", hall.tournament.event.slug)) == 1
    assert badges(administrator.open("installation")) == 1
    assert badges(administrator.open("installation-account", hall.desk.user.pk)) == 1
    assert badges(administrator.open("installation-account", hall.owner.user.pk)) == 0
