"""Lateness: penalties are proposed from the call on until the match begins."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from rules.score import Side
from tournament.models import Call
from tournament.queries.room.lateness import lateness_of
from tournament.room import calls

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hall_of_module")]


@pytest.fixture
def called(hall):
    """The match of the hall, called without a table."""
    return calls.call(hall.pairing.pk, None, hall.owner)


def late_after(hall, minutes: int):
    begun = Call.objects.get().called_at
    hall.pairing.refresh_from_db()
    return lateness_of(hall.pairing, ("Ana", "Zoë"), begun + timedelta(minutes=minutes))


def test_penalties_for_lateness_increase_from_the_call_on(hall, called):
    assert late_after(hall, 4) is None
    five, ten = late_after(hall, 5), late_after(hall, 10)
    assert (five.points, [side.points for side in five.sides]) == (1, [1, 1])
    assert ten.points == 2
    assert [side.name for side in ten.sides] == ["Ana", "Zoë"]
    assert [line.side for line in ten.sides] == [Side.LEFT, Side.RIGHT]
    assert not five.match_lost
    length = hall.pairing.match.length
    assert late_after(hall, 5 * (length // 2 + 1)).match_lost


def test_a_player_who_plays_or_is_not_called_is_not_late(hall, called):
    calls.mark_playing(called.pk, hall.owner)
    assert late_after(hall, 30) is None
    Call.objects.update(playing_at=None, ended_at=timezone.now())
    assert late_after(hall, 30) is None


def test_the_desk_sees_the_proposed_penalty_and_none_is_given_automatically(hall, called):
    Call.objects.update(called_at=timezone.now() - timedelta(minutes=6))
    desk = Client()
    desk.force_login(hall.owner.user)
    here = [hall.tournament.event.slug, hall.tournament.slug, hall.pairing.pk]
    page = desk.get(reverse("desk-match", args=here)).content.decode()
    assert "Called 6 minutes ago" in page
    assert "gets 1 penalty point. You decide." in page
    assert "kind=penalty&amp;against=left&amp;points=1" in page
    assert not hall.pairing.match.cards.exists()
