"""Where a bye becomes a match after the draw, its loser drops as the others of the round do, while there is a way."""

import random

import pytest
from django.utils import timezone

from tests.tournament import stories
from tournament import asat, desk, drawing, late_entry, progression, rebuilding, swapping
from tournament.draw.formats import Format, Kind
from tournament.late_entry import LateEntry
from tournament.models import Entry, Pairing, Tournament
from tournament.openseats import entry_seats
from tournament.registration import EntryCard, PlayerCard
from tournament.showing.bracket import brackets_shown
from tournament.swapping import Swap

pytestmark = pytest.mark.django_db
DROPPING = (Format(Kind.DOUBLE), Format(consolation="progressive"))


@pytest.fixture
def actor(db):
    return stories.director()


def loses(made: Tournament, entry: Entry, actor) -> None:
    first = next(row for row in stories.playable(made) if entry.pk in (row.left_id, row.right_id))
    winner = first.right_id if first.left_id == entry.pk else first.left_id
    desk.award(first.pk, winner, "walkover", "", actor)
    progression.advance_waiting()


def sits_below(made: Tournament, entry: Entry) -> bool:
    rows = Pairing.objects.filter(round__bracket__tournament=made).exclude(round__bracket__key="main")
    return any(entry.pk in (row.left_id, row.right_id) for row in rows)


def called(made: Tournament) -> dict[int, str]:
    rounds = [shown for bracket in brackets_shown(made) for shown in bracket.rounds]
    return {pairing.id: pairing.called for shown in rounds for pairing in shown.pairings if pairing.called}


@pytest.mark.parametrize("chosen", DROPPING, ids=lambda given: given.kind)
def test_who_came_late_and_loses_drops_like_everybody_else(actor, chosen):
    made = stories.released(actor, 7, format=chosen)
    drawn = called(made)
    before = made.draws.get().released_at
    assert not late_entry.loser_would_be_out(made)
    late = late_entry.enter(made.pk, LateEntry(EntryCard(PlayerCard("Late Comer"))), actor)
    assert drawn.items() < called(made).items()
    loses(made, late, actor)
    assert sits_below(made, late)
    then = asat.as_at(made, before).seating
    assert not any(late.pk in (state.left, state.right) for state in then.states.values())
    stories.play_out(made, actor, random.Random(7))
    assert rebuilding.differences(made.event) == []


@pytest.mark.parametrize(("entries", "chosen"), [(6, Format(Kind.DOUBLE)), (3, Format(third_place=True))])
def test_who_takes_the_place_of_a_bye_by_a_swap_drops_too(actor, entries, chosen):
    made = stories.drawn(actor, entries, format=chosen)
    seats = [seat for seat in entry_seats(made) if seat.bracket == "main"]
    bye = next(seat for seat in seats if seat.entry is None)
    player = next(seat for seat in seats if seat.opponent and seat.entry)
    drawn, moment = called(made), timezone.now()
    stood = asat.as_at(made, moment).seating.states
    for _ in range(3):  # swapped, swapped back, and swapped again
        one, other = (
            next(seat for seat in entry_seats(made) if seat.feed == at.feed) for at in (bye, player)
        )
        swapping.swap(made.pk, Swap(one.feed, other.feed, (one.entry, other.entry)), actor)
    assert asat.as_at(made, moment).seating.states == stood
    assert drawn.items() - called(made).items() == {(player.pairing, "1")}
    drawing.release(made.pk, actor)
    moved = Entry.objects.get(pk=player.entry)
    loses(made, moved, actor)
    assert sits_below(made, moved)
    assert rebuilding.differences(made.event) == []


def test_what_stood_before_a_swapped_bye_was_given_to_one_who_came_late_is_told_as_it_was(actor):
    made = stories.released(actor, 10, format=Format(Kind.DOUBLE))
    seats = [seat for seat in entry_seats(made) if seat.bracket == "main"]
    bye = next(seat for seat in seats if seat.entry is None)
    player = next(seat for seat in seats if seat.opponent and seat.entry)
    drawn, moment = called(made), timezone.now()
    stood = asat.as_at(made, moment).seating.states
    swapping.swap(made.pk, Swap(bye.feed, player.feed, (None, player.entry)), actor, "Two of one family")
    late_entry.enter(made.pk, LateEntry(EntryCard(PlayerCard("Late Comer")), player.feed), actor)
    assert asat.as_at(made, moment).seating.states == stood
    assert drawn.items() < called(made).items()
    assert rebuilding.differences(made.event) == []


def test_one_who_came_late_to_seven_makes_it_a_draw_of_eight_down_to_the_last_chance(actor):
    made = stories.released(actor, 7, format=Format(consolation="progressive", last_chance="simple"))
    late_entry.enter(made.pk, LateEntry(EntryCard(PlayerCard("Late Comer"))), actor)
    assert rebuilding.differences(made.event) == []
    stories.play_out(made, actor, random.Random(8))
    assert not [row for row in stories.pairings(made) if row.left_is_bye or row.right_is_bye]
    assert rebuilding.differences(made.event) == []


def test_where_no_way_is_left_the_loser_is_out_as_it_is_told_beforehand(actor):
    made = stories.released(actor, 6, format=Format(Kind.DOUBLE))
    assert late_entry.loser_would_be_out(made)
    late = late_entry.enter(made.pk, LateEntry(EntryCard(PlayerCard("Late Comer"))), actor)
    loses(made, late, actor)
    assert not sits_below(made, late)
    assert rebuilding.differences(made.event) == []
