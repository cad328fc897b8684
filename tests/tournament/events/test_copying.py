"""Copies of events and of their tournaments."""

from datetime import date, timedelta

import pytest

from tests.tournament import stories
from tournament.events import copying
from tournament.events.setup import EventPlan
from tournament.fees.refunds import RefundTier
from tournament.fees.schedule import Fee, FeeSchedule
from tournament.fees.stored import parse_schedule
from tournament.models import Event
from tournament.money import fees

pytestmark = pytest.mark.django_db

WEEK = timedelta(days=7)
TIERS = (RefundTier(date(2026, 11, 1)), RefundTier(date(2026, 11, 15), 50_00, kept=5_00))
SCHEDULE = FeeSchedule("EUR", Fee(20_00), late=Fee(5_00), refunds=TIERS, late_after=date(2026, 11, 10))


@pytest.fixture
def made(actor):
    made = stories.tournament(actor)
    fees.set_schedule(made.pk, SCHEDULE, actor)
    made.refresh_from_db()
    return made


def fees_of_copy(made, actor, later):
    plan = EventPlan("Next one", made.event.starts_on + later)
    return parse_schedule(
        copying.copy_event(Event.objects.get(pk=made.event_id), plan, actor).tournaments.get().fees
    )


def test_the_days_of_fees_and_refunds_move_with_the_event(made, actor):
    copied = fees_of_copy(made, actor, WEEK)
    assert copied.late_after == date(2026, 11, 17)
    assert [tier.until for tier in copied.refunds] == [date(2026, 11, 8), date(2026, 11, 22)]
    assert (copied.entry, copied.late, copied.refunds[1].kept) == (Fee(20_00), Fee(5_00), 5_00)
    assert parse_schedule(made.fees) == SCHEDULE


def test_a_copy_of_the_same_day_or_without_fees_changes_no_day(made, actor):
    assert fees_of_copy(made, actor, timedelta(0)) == SCHEDULE
    free = stories.tournament(actor)
    assert fees_of_copy(free, actor, WEEK) is None
    assert parse_schedule(copying.copy_tournament(made, "Second", actor).fees) == SCHEDULE
