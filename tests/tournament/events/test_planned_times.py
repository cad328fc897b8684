"""Planned starts of rounds: stored, announced to everybody, and compared with the day."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from tests.tournament import stories
from tests.tournament.pages.browser import Browser
from tests.tournament.pages.places import at
from tournament.access.actors import Actor
from tournament.draw.formats import Format, Kind
from tournament.events import copying, planned_times
from tournament.events.setup import EventPlan
from tournament.models import Tournament
from tournament.queries.desk.late_rounds import find_late_rounds
from tournament.queries.entries.path import load_path
from tournament.queries.forecast.forecast import forecast_event, forecast_page
from tournament.runtime.errors import Refused

pytestmark = pytest.mark.django_db
DAY = datetime(2026, 11, 20, 10, tzinfo=UTC)
SWISS = Format(Kind.SWISS, rounds=3)


@pytest.fixture
def actor() -> Actor:
    return stories.director()


@pytest.fixture
def made(actor) -> Tournament:
    made = stories.released(actor, 4, format=SWISS)
    planned_times.plan_times(made.pk, {1: DAY, 2: DAY + timedelta(hours=2)}, actor)
    return Tournament.objects.get(pk=made.pk)


def test_a_director_plans_the_rounds_and_every_page_announces_them(actor, made):
    browser = Browser(actor.user)
    browser.open("times", *at(made)).press("Save times", round_3="2026-11-20T15:15")
    made.refresh_from_db()
    assert list(made.planned_times) == [1, 2, 3]
    anybody = Browser()
    assert anybody.open("event", made.event.slug).says("round 3")
    assert anybody.open("bracket", *at(made)).says("10:00")
    browser.open("times", *at(made)).press("Save times", round_1="2026-11-20T15:20")
    assert browser.status == 422
    assert browser.says("Round 2 starts before round 1.")
    browser.press("Save times", round_1="", round_2="", round_3="")
    assert Tournament.objects.get(pk=made.pk).planned_times == {}


def test_a_phone_says_when_the_next_round_starts(actor, made):
    pairing, *_ = stories.playable(made)
    assert load_path(pairing.left).next_start == (1, DAY)
    for playable in stories.playable(made):
        stories.play(playable, actor)
    assert load_path(pairing.left).next_start == (2, DAY + timedelta(hours=2))


def test_the_desk_names_a_round_that_is_late(actor, made):
    assert find_late_rounds([made], (), DAY - timedelta(minutes=1)) == ()
    (late,) = find_late_rounds([made], (), DAY + timedelta(minutes=1))
    assert (late.number, late.planned_at) == (1, DAY)
    stories.begin(stories.playable(made)[0])
    assert find_late_rounds([made], (), DAY + timedelta(minutes=1)) == ()
    assert find_late_rounds([made], (), DAY + timedelta(hours=3))[0].number == 2
    assert find_late_rounds([made], {made.pk}, DAY + timedelta(hours=3)) == ()
    browser = Browser(actor.user)
    is_late = made.planned_times[2] < timezone.now()
    assert browser.open("desk", *at(made)).says("was planned for") == is_late


def test_the_forecast_compares_the_plan_with_the_likely_end_of_the_round_before(made):
    (tournament,) = forecast_page(forecast_event(made.event, DAY + timedelta(hours=3))).tournaments
    first, second, *_ = tournament.rounds
    assert (first.planned_at, first.late) == (DAY, 0)
    assert second.late >= 60


def test_a_plan_out_of_order_is_refused(actor, made):
    with pytest.raises(Refused, match="Round 2 starts before round 1"):
        planned_times.plan_times(made.pk, {1: DAY, 2: DAY - timedelta(minutes=1)}, actor)


def test_a_copy_of_the_event_moves_the_times_to_its_day(actor, made):
    plan = EventPlan("Next week", made.event.starts_on + timedelta(days=7))
    copy = copying.copy_event(made.event, plan, actor).tournaments.get()
    assert copy.planned_times == {number: at + timedelta(days=7) for number, at in made.planned_times.items()}
