"""Where a bye becomes a match after the draw, its loser drops as the others of the round do, while there is a way."""

import random
from collections import Counter
from datetime import datetime

import pytest
from django.utils import timezone

from tests.tournament import stories
from tournament.brackets import advancing, history, storage
from tournament.brackets.clocks import RoundClock
from tournament.brackets.open_seats import entry_seats
from tournament.corrections import consistency
from tournament.draw.formats import Format, Kind
from tournament.drawing import draws, rounds, swaps
from tournament.drawing.swaps import Swap
from tournament.entries import late_entry
from tournament.entries.late_entry import LateEntryRequest
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.models import Entry, Pairing, Round, Tournament
from tournament.queries.brackets.bracket import bracket_views
from tournament.results import desk

pytestmark = pytest.mark.django_db
DROPPING = (Format(Kind.DOUBLE), Format(consolation="progressive"))


def loses(made: Tournament, entry: Entry, actor) -> None:
    first = next(row for row in stories.playable(made) if entry.pk in (row.left_id, row.right_id))
    winner = first.right_id if first.left_id == entry.pk else first.left_id
    desk.award(first, winner, "walkover", "", actor)
    advancing.advance_waiting()


def is_in_lower_bracket(made: Tournament, entry: Entry) -> bool:
    rows = Pairing.objects.filter(round__bracket__tournament=made).exclude(round__bracket__key="main")
    return any(entry.pk in (row.left_id, row.right_id) for row in rows)


def called(made: Tournament) -> dict[int, str]:
    rounds = [round_view for bracket in bracket_views(made) for round_view in bracket.rounds]
    return {
        pairing.id: pairing.called
        for round_view in rounds
        for pairing in round_view.pairings
        if pairing.called
    }


@pytest.mark.parametrize("chosen", DROPPING, ids=lambda plan: plan.kind)
def test_a_late_entry_that_loses_drops_to_the_lower_bracket(actor, chosen):
    made = stories.released(actor, 7, format=chosen)
    drawn = called(made)
    before = made.draws.get().released_at
    assert not late_entry.loser_would_be_out(made)
    late = late_entry.enter(made.pk, LateEntryRequest(EntryDetails(PlayerDetails("Late Comer"))), actor)
    assert drawn.items() < called(made).items()
    loses(made, late, actor)
    assert is_in_lower_bracket(made, late)
    then = history.draw_as_of(made, before).seating
    assert not any(late.pk in (state.left, state.right) for state in then.states.values())
    assert consistency.differences(made.event) == []


@pytest.mark.parametrize(("entries", "chosen"), [(6, Format(Kind.DOUBLE)), (3, Format(third_place=True))])
def test_a_player_swapped_into_a_bye_drops_to_the_lower_bracket(actor, entries, chosen):
    made = stories.drawn(actor, entries, format=chosen)
    seats = [seat for seat in entry_seats(made) if seat.bracket == "main"]
    bye = next(seat for seat in seats if seat.entry is None)
    player = next(seat for seat in seats if seat.opponent and seat.entry)
    drawn, moment = called(made), timezone.now()
    stood = history.draw_as_of(made, moment).seating.states
    for _ in range(3):  # swapped, swapped back, and swapped again
        first, second = (
            next(seat for seat in entry_seats(made) if seat.feed == at.feed) for at in (bye, player)
        )
        swaps.swap(made.pk, Swap(first.feed, second.feed, (first.entry, second.entry)), actor)
    assert history.draw_as_of(made, moment).seating.states == stood
    assert drawn.items() - called(made).items() == {(player.pairing, "1")}
    draws.release(made.pk, actor)
    moved = Entry.objects.get(pk=player.entry)
    loses(made, moved, actor)
    assert is_in_lower_bracket(made, moved)
    assert consistency.differences(made.event) == []


def test_history_shows_the_draw_before_a_swapped_bye_went_to_a_late_entry(actor):
    made = stories.released(actor, 10, format=Format(Kind.DOUBLE))
    seats = [seat for seat in entry_seats(made) if seat.bracket == "main"]
    bye = next(seat for seat in seats if seat.entry is None)
    player = next(seat for seat in seats if seat.opponent and seat.entry)
    drawn, moment = called(made), timezone.now()
    stood = history.draw_as_of(made, moment).seating.states
    swaps.swap(made.pk, Swap(bye.feed, player.feed, (None, player.entry)), actor, "Two of one family")
    late_entry.enter(made.pk, LateEntryRequest(EntryDetails(PlayerDetails("Late Comer")), player.feed), actor)
    assert history.draw_as_of(made, moment).seating.states == stood
    assert drawn.items() < called(made).items()
    assert consistency.differences(made.event) == []


def test_a_late_entry_to_seven_players_makes_a_draw_of_eight_in_all_brackets(actor):
    made = stories.released(actor, 7, format=Format(consolation="progressive", last_chance="simple"))
    late_entry.enter(made.pk, LateEntryRequest(EntryDetails(PlayerDetails("Late Comer"))), actor)
    assert consistency.differences(made.event) == []
    stories.play_out(made, actor, random.Random(8))
    assert not [row for row in stories.pairings(made) if row.left_is_bye or row.right_is_bye]
    assert consistency.differences(made.event) == []


@pytest.mark.parametrize(
    ("chosen", "entries"), [(Format(Kind.DOUBLE, reset=True), 6), (Format(consolation="progressive"), 5)]
)
def test_the_lower_brackets_are_rebuilt_when_no_drop_seat_is_free(actor, chosen, entries):
    made = stories.released(actor, entries, format=chosen)
    first = next(row for row in stories.playable(made) if row.round.number == 1)
    stories.play(first, actor)
    results = {row.pk: row.winner_id for row in stories.pairings(made).filter(settled="played")}
    while late_entry.available_places(made):
        assert not late_entry.loser_would_be_out(made)
        moment, stood = timezone.now(), rows_of(made)
        late = late_entry.enter(
            made.pk, LateEntryRequest(EntryDetails(PlayerDetails(f"Late {timezone.now()}"))), actor
        )
        assert as_stood(made, moment) == stood
        assert as_stood(made, timezone.now()) == rows_of(made)
        assert {row.pk: row.winner_id for row in stories.pairings(made).filter(settled="played")} == results
        assert consistency.differences(made.event) == []
    loses(made, late, actor)
    assert is_in_lower_bracket(made, late)
    stories.play_out(made, actor, random.Random(entries))
    assert consistency.differences(made.event) == []
    if chosen.kind is Kind.DOUBLE:
        assert set(losses(made).values()) <= {1, 2}
        assert sorted(losses(made).values())[:2] in ([1, 2], [2, 2])


def test_manual_lengths_and_clocks_survive_a_rebuilt_lower_bracket(actor):
    made = stories.released(actor, 6, format=Format(Kind.DOUBLE))
    final = last_of_lower(made)
    rounds.change_round_length(final.pk, made.pk, 11, actor)
    rounds.change_round_clock(final.pk, made.pk, RoundClock(120, 12), actor)
    late_entry.enter(made.pk, LateEntryRequest(EntryDetails(PlayerDetails("Late Comer"))), actor)
    again = last_of_lower(made)
    assert again.pk != final.pk
    assert (again.length, again.point_seconds, again.move_seconds) == (11, 120, 12)


def test_an_undone_draw_with_a_rebuilt_lower_bracket_is_shown_unchanged(actor):
    made = stories.drawn(actor, 5, format=Format(Kind.DOUBLE))
    moments = [(timezone.now(), rows_of(made))]
    late_entry.enter(made.pk, LateEntryRequest(EntryDetails(PlayerDetails("Late Comer"))), actor)
    moments.append((timezone.now(), rows_of(made)))
    draws.make(made.pk, draws.DrawPlan(reason="Once more"), actor)
    assert [as_stood(made, moment) for moment, _ in moments] == [stood for _, stood in moments]


def last_of_lower(made: Tournament) -> Round:
    return Round.objects.filter(bracket__tournament=made, bracket__key="lower").order_by("-number")[0]


def rows_of(made: Tournament) -> dict[tuple[str, int, int], tuple[object, object]]:
    seated = storage.read(made)
    seats = seated.seated()
    return {
        (pairing.bracket, pairing.round, pairing.line): (seats[pairing.key].left, seats[pairing.key].right)
        for pairing in seated.graph
    }


def as_stood(made: Tournament, moment: datetime) -> dict[tuple[str, int, int], tuple[object, object]]:
    then = history.draw_as_of(made, moment)
    states = then.seating.states
    return {
        (pairing.bracket, pairing.round, pairing.line): (states[pairing.key].left, states[pairing.key].right)
        for pairing in then.graph
    }


def losses(made: Tournament) -> Counter:
    return Counter(
        row.right_id if row.winner_id == row.left_id else row.left_id
        for row in stories.pairings(made).filter(settled="played")
    )


def test_the_loser_is_out_once_the_lower_bracket_has_begun(actor):
    made = stories.released(actor, 6, format=Format(Kind.DOUBLE))
    for row in [row for row in stories.playable(made) if row.round.number == 1]:
        stories.play(row, actor)
    stories.begin(next(row for row in stories.playable(made) if row.round.bracket.key == "lower"))
    assert late_entry.loser_would_be_out(made)
    late = late_entry.enter(made.pk, LateEntryRequest(EntryDetails(PlayerDetails("Late Comer"))), actor)
    loses(made, late, actor)
    assert not is_in_lower_bracket(made, late)
    assert consistency.differences(made.event) == []
