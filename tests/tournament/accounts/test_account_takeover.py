"""The owner of one event cannot take over an account, neither by a role nor by a sign-in link."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.tournament import stories
from tests.tournament.conftest import Program
from tests.tournament.pages.browser import Browser
from tournament.access.actors import Actor
from tournament.accounts import directors, lifecycle, links, roles
from tournament.models import Event, Invitation, Membership, SignInLink
from tournament.runtime.errors import NotFound, Refused
from tournament.runtime.rate_limiter import Limit

pytestmark = pytest.mark.django_db


@pytest.fixture
def attacker() -> Client:
    """Somebody with an event of their own."""
    client = Client()
    client.force_login(stories.event(stories.director("mallory"), "Mine").memberships.get().user)
    return client


def let_in(attacker: Client, victim: User) -> int:
    """Gives the victim a role in the attacker's event, then asks for a sign-in link. Returns the status."""
    mine = Event.objects.get(name="Mine").slug
    attacker.post(reverse("event-people", args=[mine]), {"user_name": victim.username, "role": "monitor"})
    return attacker.post(reverse("people-action", args=[mine, victim.pk, "let-in"])).status_code


def test_an_owner_cannot_sign_in_as_a_director_who_has_no_event_yet(attacker):
    carla = directors.get_director("carla")
    assert let_in(attacker, carla) in (403, 404, 409)
    assert not SignInLink.objects.filter(user=carla).exists()
    assert not Membership.objects.filter(user=carla).exists()


def test_a_stranger_to_the_event_is_not_let_in_after_accepting_a_role(attacker):
    carla = stories.director("carla")
    stories.join(
        Event.objects.get(name="Mine"), carla, "monitor", Actor(user=User.objects.get(username="mallory"))
    )
    assert let_in(attacker, carla.user) == 409
    assert not SignInLink.objects.filter(user=carla.user).exists()


@pytest.fixture
def mallory(attacker) -> Actor:
    return Actor(user=User.objects.get(username="mallory"))


@pytest.fixture
def helper(mallory) -> Actor:
    """An account that the attacker's event made, with an unused sign-in link."""
    return stories.helper(Event.objects.get(name="Mine"), "desk", mallory, "hana")


def joins_another_event(helper: Actor) -> None:
    owner = stories.director("owner")
    stories.join(stories.event(owner), helper, "director", owner)


def leaves_another_event_again(helper: Actor) -> None:
    joins_another_event(helper)
    event = Event.objects.get(memberships__user__username="owner")
    roles.remove_role(event, helper.user, Actor(user=User.objects.get(username="owner")))


def creates_an_event(helper: Actor) -> None:
    stories.event(helper)


def becomes_owner_here(helper: Actor) -> None:
    mallory = Actor(user=User.objects.get(username="mallory"))
    roles.change_role(Event.objects.get(name="Mine"), helper.user, "owner", mallory)


def is_opened_by_the_operator(helper: Actor) -> None:
    directors.get_director(helper.user.username)


@pytest.mark.parametrize(
    "grows",
    [
        joins_another_event,
        leaves_another_event_again,
        creates_an_event,
        becomes_owner_here,
        is_opened_by_the_operator,
    ],
)
def test_an_account_that_is_more_than_a_helper_is_out_of_reach_and_open_links_are_void(
    attacker, helper, grows
):
    mine = Event.objects.get(name="Mine").slug
    link = links.make_sign_in_link(helper.user)
    grows(helper)
    assert attacker.post(reverse("people-action", args=[mine, helper.user.pk, "let-in"])).status_code == 409
    assert Client().post(link).status_code == 409


def test_a_helper_reads_on_the_next_page_that_a_link_was_issued(attacker, helper):
    browser = Browser(helper.user)
    browser.open("account-activity")
    assert not browser.open("home").says("Somebody changed something in your account.")
    mine = Event.objects.get(name="Mine").slug
    assert attacker.post(reverse("people-action", args=[mine, helper.user.pk, "let-in"])).status_code == 200
    assert browser.open("home").says("Somebody changed something in your account.")
    assert browser.open("account-activity").says("Sign-in link issued")


def test_an_invitation_is_accepted_once_and_only_by_its_account(mallory):
    carla, stranger = stories.director("carla"), stories.director("other")
    event = Event.objects.get(name="Mine")
    roles.set_role(event, "carla", "monitor", mallory)
    invitation = Invitation.objects.get()
    with pytest.raises(NotFound):
        roles.accept(invitation, stranger)
    roles.accept(invitation, carla)
    with pytest.raises(NotFound):
        roles.accept(invitation, carla)
    assert event.memberships.get(user=carla.user).role == "monitor"


def test_an_invitation_whose_role_changed_is_not_accepted(mallory):
    carla = stories.director("carla")
    event = Event.objects.get(name="Mine")
    roles.set_role(event, "carla", "desk", mallory)
    invitation = Invitation.objects.get()
    roles.set_role(event, "carla", "owner", mallory)
    with pytest.raises(NotFound):
        roles.accept(invitation, carla)


def test_the_api_answers_alike_for_names_that_exist_and_names_that_do_not(mallory):
    stories.director("carla")
    program = Program(links.make_api_token(mallory.user, "program"))
    people = f"/events/{Event.objects.get(name='Mine').slug}/people/"
    for name in ("carla", "nobody"):
        assert program.put(people, {"user_name": name, "role": "desk"}).status_code == 204
        assert program.delete(f"{people}{name}/").status_code == 204
        assert program.delete(f"{people}{name}/").status_code == 404


def takes_the_role(inviter: Actor, owner: Actor, event: Event) -> None:
    roles.remove_role(event, inviter.user, owner)


def lowers_the_role(inviter: Actor, owner: Actor, event: Event) -> None:
    roles.change_role(event, inviter.user, "monitor", owner)


def closes_the_account(inviter: Actor, owner: Actor, event: Event) -> None:
    lifecycle.close(inviter.user)


@pytest.mark.parametrize("ends", [takes_the_role, lowers_the_role, closes_the_account])
def test_an_invitation_ends_with_the_ownership_of_its_maker(mallory, ends):
    owner, friend = stories.director("owner"), stories.director("friend")
    event = stories.event(owner)
    stories.join(event, mallory, "owner", owner)
    roles.set_role(event, "friend", "owner", mallory)
    ends(mallory, owner, event)
    with pytest.raises(Refused, match="no longer owns this event"):
        roles.accept(Invitation.objects.get(), friend)
    assert not Membership.objects.filter(event=event, user=friend.user).exists()
    roles.set_role(event, "friend", "desk", owner)
    roles.accept(Invitation.objects.get(), friend)
    assert Membership.objects.get(event=event, user=friend.user).role == "desk"


def test_attempts_to_look_up_account_names_are_limited(mallory, monkeypatch):
    monkeypatch.setattr(roles, "TAKEN_NAMES", Limit("taken names", 2, 10**9))
    stories.director("carla")
    mine = Event.objects.get(name="Mine")
    for _ in range(3):
        with pytest.raises(Refused, match="The user name"):
            roles.make_helper(mine, "Carla", "desk", mallory)
    for name in ("carla", "free-name"):
        with pytest.raises(Refused, match="Try again tomorrow"):
            roles.make_helper(mine, name, "desk", mallory)
    owner = stories.director("owner")
    assert roles.make_helper(stories.event(owner), "free-name", "desk", owner)
