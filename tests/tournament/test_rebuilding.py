"""Whatever is derived can be computed again from the facts, now or as at any moment, and must come out the same."""

import random

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from matches.models import Card
from tests.tournament import stories
from tournament import asat, correcting, drawsheet, rebuilding, registration
from tournament.correcting import Change
from tournament.models import Entry, Pairing, ResultKind

pytestmark = pytest.mark.django_db


@pytest.fixture
def actor():
    return stories.director()


@pytest.fixture
def played(actor):
    made = stories.released(actor, 6)
    stories.play_out(made, actor, random.Random(3))
    return made


def test_a_played_event_is_what_its_facts_say(played, capsys):
    call_command("rebuild", played.event.slug, "--check")
    assert "Everything is as the facts say." in capsys.readouterr().out


def test_a_changed_seat_is_found_and_put_right(played):
    final = stories.pairings(played).last()
    other = Entry.objects.filter(tournament=played).exclude(pk__in=[final.left_id, final.right_id])[0]
    Pairing.objects.filter(pk=final.pk).update(left=other, winner=None, settled="")
    assert rebuilding.differences(played.event)
    with pytest.raises(CommandError):
        call_command("rebuild", played.event.slug, "--check")
    assert rebuilding.rebuild(played.event) == 1
    assert rebuilding.differences(played.event) == []


def test_a_miscounted_card_is_found(played):
    card = Card.objects.all()[0]
    Card.objects.filter(pk=card.pk).update(left_points=card.left_points + 1)
    assert next(one.what for one in rebuilding.differences(played.event)).endswith("left_points")


def test_an_event_can_be_told_as_it_was_at_every_moment(actor):
    made = stories.released(actor, 5)
    told = []
    chance = random.Random(5)
    leaves = Entry.objects.filter(tournament=made)[0]
    for step in range(4):
        told.append((timezone.now(), drawsheet.read(made).seated()))
        if step == 2:
            registration.withdraw(leaves, actor)
            told.append((timezone.now(), drawsheet.read(made).seated()))
        if waiting := stories.playable(made):
            stories.play(chance.choice(waiting), actor)
    first = stories.pairings(made).filter(settled="played").first()
    told.append((timezone.now(), drawsheet.read(made).seated()))
    change = Change(ResultKind.WALKOVER, first.right_id)
    shown = correcting.preview(first.pk, change)
    correcting.correct(shown, shown.digest, "Never came", actor)
    told.append((timezone.now(), drawsheet.read(made).seated()))
    for moment, seated in told:
        assert asat.as_at(made, moment).seating.states == seated
