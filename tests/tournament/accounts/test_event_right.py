"""The right to create events: who has it, how often, and for which dates."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.test import override_settings
from django.utils import timezone

from tests.tournament import stories
from tests.tournament.conftest import Program
from tests.tournament.pages.browser import Browser
from tournament.accounts import directors, links, roles
from tournament.events import setup
from tournament.models import Account, AccountEvent, Event, Membership
from tournament.runtime.errors import Refused

pytestmark = pytest.mark.django_db
SENTENCE = "Your account may not create events. Ask an administrator of this installation for the right."


def creates(browser: Browser) -> int:
    return browser.client.post(
        "/events/new/", {"name": "Mine", "starts_on": "2026-11-20", "time_zone": "UTC"}
    )


@pytest.mark.parametrize("role", ["director", "desk", "monitor"])
def test_a_helper_creates_no_events(hall, role):
    helper = getattr(hall, role)
    browser = Browser(helper.user)
    answer = creates(browser)
    assert (answer.status_code, SENTENCE in answer.content.decode()) == (403, True)
    assert not browser.open("home").says("New event")
    answer = Program(links.make_api_token(helper.user, "api")).post(
        "/events/", {"name": "Mine", "starts_on": "2026-11-20"}
    )
    assert (answer.status_code, answer.json()["code"], answer.json()["detail"]) == (
        403, "no-event-right", SENTENCE,
    )  # fmt: skip
    assert Event.objects.count() == 1


def test_a_helper_whose_role_was_taken_creates_no_events(hall):
    roles.remove_role(hall.tournament.event, hall.monitor.user, hall.owner)
    assert creates(Browser(hall.monitor.user)).status_code == 403


def test_the_director_command_gives_the_right(hall):
    call_command("director", hall.desk.user.username)
    browser = Browser(hall.desk.user)
    assert browser.open("home").says("New event")
    assert creates(browser).status_code == 302


@override_settings(EVENTS_A_DAY=2)
def test_events_of_one_account_are_limited_per_day():
    owner, second_owner = stories.director(), stories.director()
    for _ in range(2):
        stories.event(owner)
    with pytest.raises(Refused, match="2 events in 24 hours"):
        stories.event(owner)
    stories.event(second_owner)
    AccountEvent.objects.update(at=timezone.now() - timedelta(hours=25))
    stories.event(owner)


@override_settings(ACCOUNTS_A_DAY=2)
def test_helper_accounts_of_one_account_are_limited_per_day():
    owner = stories.director()
    event = stories.event(owner)
    for name in ("one", "two"):
        stories.helper(event, "desk", owner, name)
    with pytest.raises(Refused, match="2 accounts in 24 hours"):
        roles.make_helper(event, "three", "desk", owner)


@override_settings(EVENTS_A_DAY=0)
def test_a_limit_of_zero_is_no_limit():
    owner = stories.director()
    for _ in range(3):
        stories.event(owner)


@pytest.mark.parametrize("years", [-300, 6, 7000])
def test_an_event_far_from_today_is_refused(years):
    owner = stories.director()
    day = timezone.localdate().replace(day=1, year=timezone.localdate().year + years)
    with pytest.raises(Refused, match="first day"):
        setup.create_event(setup.EventPlan("Far", day), owner)
    made = stories.event(owner)
    with pytest.raises(Refused, match="first day"):
        setup.change_event(made, setup.EventPlan("Far", day), owner)


def test_an_old_event_keeps_its_date_when_something_else_changes():
    owner = stories.director()
    made = stories.event(owner)
    made.starts_on = timezone.localdate().replace(day=1, year=1900)
    made.save()
    setup.change_event(made, setup.EventPlan("Renamed", made.starts_on), owner)
    assert Event.objects.get().name == "Renamed"


def test_a_new_event_does_not_copy_the_venue_of_another_owner():
    owner, guest = stories.director(), stories.director()
    theirs = setup.create_event(
        setup.EventPlan("Theirs", timezone.localdate(), "Clubhouse", "Asia/Tokyo"), owner
    )
    stories.join(theirs, guest, "director", owner)
    assert Browser(guest.user).open("event-new").fields("Create event")["venue"] == ""
    assert Browser(owner.user).open("event-new").fields("Create event")["venue"] == "Clubhouse"


def test_an_account_without_a_row_of_its_own_creates_no_events(django_user_model):
    user = django_user_model.objects.create_user("bare")
    assert creates(Browser(user)).status_code == 403
    assert not Account.objects.filter(user=user).exists()
    assert not Membership.objects.exists()
    directors.get_director("bare")
    assert creates(Browser(user)).status_code == 302
