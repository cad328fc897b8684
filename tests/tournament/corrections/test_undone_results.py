"""Results undone with their consequences, and kept matches released: previewed, made and undone."""

import uuid
from copy import deepcopy

import pytest
from django.utils import timezone

from matches.keepers import Keeper
from matches.models import MatchState
from matches.rows import NewRow, Strike
from tests.tournament import stories
from tests.tournament.access import database_rows
from tests.tournament.refusals import refusal
from tournament import corrections
from tournament.brackets import advancing, storage
from tournament.brackets.history import draw_as_of
from tournament.corrections import Change, consistency
from tournament.draw.formats import Format
from tournament.draw.graph import Seat
from tournament.draw.seating.corrections import Stage, Treatment
from tournament.entries import registration
from tournament.models import Correction, KeptSeat, Pairing, ResultKind
from tournament.results import desk

pytestmark = pytest.mark.django_db
TAKEN_BACK = Change(ResultKind.RETRACTED, None)


@pytest.fixture(scope="module")
def eight_of_module(actor_of_module):
    """Eight players with a consolation; the first round is played, and the first semifinal is finished."""
    return stories.after_one_semifinal(actor_of_module, format=Format(consolation="progressive"))


@pytest.fixture
def eight(db, eight_of_module):
    return deepcopy(eight_of_module)


def at(made, round_number, line, bracket="main"):
    return stories.pairings(made).get(round__bracket__key=bracket, round__number=round_number, line=line)


def right_won(pairing) -> Change:
    return Change(ResultKind.PLAYED, pairing.right_id, 1, 3)


def correct(pairing, change, actor, keep=()):
    preview = corrections.preview(pairing.pk, change, [pairing_kept.pk for pairing_kept in keep])
    made = corrections.correct(preview, preview.digest, "Read from the wrong side", actor)
    assert storage.read(made.tournament).seated() == preview.consequences.after.states
    return made


def sound(made) -> None:
    assert consistency.differences(made.event) == []


def seats(made):
    """Returns the players by seat, and the matches that have begun."""
    fields = "pk", "left", "right", "winner", "settled"
    rows = stories.pairings(made).order_by("pk")
    begun = rows.filter(match__began_at__isnull=False)
    return [*rows.values_list(*fields), *begun.values_list("pk", "match")]


def kept_seats(made) -> set:
    rows = KeptSeat.objects.filter(correction__tournament=made, lifted_at__isnull=True)
    return {(row.pairing_id, row.seat, row.entry_id) for row in rows}


def loser_of(made, pairing):
    """Where the loser of a match of the first round goes."""
    return stories.pairings(made).get(fed_by__source=pairing, fed_by__outcome="loser")


def test_a_result_undone_after_the_next_match_is_restored_by_undo(eight, actor):
    first, semifinal, before = at(eight, 1, 1), at(eight, 2, 1), seats(eight)
    assert refusal(lambda: desk.retract(first, "Never played", actor)) == "next-match-has-begun"
    preview = corrections.preview(first.pk, TAKEN_BACK)
    assert preview.affected[0].key == semifinal.pk
    assert (preview.affected[0].stage, preview.affected[0].treatment) == (Stage.FINISHED, Treatment.CANCEL)
    made = correct(first, TAKEN_BACK, actor)
    again = at(eight, 1, 1)
    assert (again.settled, again.match_id, again.match.state) == ("", first.match_id, MatchState.OPEN)
    assert (at(eight, 2, 1).left_id, at(eight, 2, 1).match_id) == (None, None)
    assert loser_of(eight, first).match is None
    sound(eight)
    corrections.undo(made.pk, actor)
    assert seats(eight) == before
    assert (at(eight, 1, 1).match.state, at(eight, 2, 1).match.state) == (
        MatchState.POSTED,
        MatchState.POSTED,
    )
    sound(eight)


def test_an_undone_match_played_again_is_not_restored(eight, actor):
    made = correct(at(eight, 1, 1), TAKEN_BACK, actor)
    again = at(eight, 1, 1)
    card = again.match.cards.get(keeper="desk")
    strike = NewRow(uuid.uuid4(), card.tail, Strike(), card.rows.get().key)
    desk.enter_at_desk(again, Keeper.DESK, strike, actor)
    assert refusal(lambda: corrections.undo(made.pk, actor)) == "newer-depends"
    sound(eight)


def test_kept_matches_below_an_undone_match_stay_kept(eight, actor):
    """The kept semifinal keeps its seats, so the loser of the open match stays in the lower bracket only."""
    first, semifinal = at(eight, 1, 1), at(eight, 2, 1)
    beaten = first.right_id
    made = correct(first, TAKEN_BACK, actor, keep=[semifinal])
    below = loser_of(eight, first)
    assert at(eight, 2, 1).winner_id == semifinal.winner_id
    assert beaten in (below.left_id, below.right_id)
    sound(eight)
    desk.award(first, beaten, "walkover", "Came after all", actor)
    advancing.advance_waiting()
    assert at(eight, 1, 1).winner_id == beaten
    assert at(eight, 2, 1).left_id == first.left_id
    assert beaten in (loser_of(eight, first).left_id, loser_of(eight, first).right_id)
    assert refusal(lambda: corrections.undo(made.pk, actor)) == "newer-depends"
    sound(eight)


@pytest.fixture
def kept_semifinal(eight, actor):
    """The first match was won by the other player after all; the semifinal stays as played, and who lost in it is
    kept where losers go."""
    correct(at(eight, 1, 1), right_won(at(eight, 1, 1)), actor, keep=[at(eight, 2, 1)])
    assert len(kept_seats(eight)) == 2
    sound(eight)
    return eight


def test_a_kept_seat_ends_with_its_match_and_the_preview_says_so(kept_semifinal, actor):
    made, moment = kept_semifinal, kept_semifinal.corrections.get().made_at
    corrected, semifinal, before, held = at(made, 1, 2), at(made, 2, 1), seats(made), kept_seats(made)
    preview = corrections.preview(corrected.pk, right_won(corrected))
    assert (semifinal.pk, Seat.LEFT) in preview.consequences.released_seats
    assert len(preview.consequences.released_seats) == 2
    second = correct(corrected, right_won(corrected), actor)
    assert kept_seats(made) == set()
    assert (at(made, 2, 1).left_id, at(made, 2, 1).right_id) == (at(made, 1, 1).winner_id, corrected.right_id)
    sound(made)
    first = made.corrections.get(made_at=moment)
    assert refusal(lambda: corrections.undo(first.pk, actor)) == "newer-depends"
    assert draw_as_of(made, moment).seating[semifinal.pk].left == semifinal.left_id
    assert draw_as_of(made, second.made_at).seating[semifinal.pk].left != semifinal.left_id
    corrections.undo(second.pk, actor)
    assert (seats(made), kept_seats(made)) == (before, held)
    assert draw_as_of(made, second.made_at).seating[semifinal.pk].left != semifinal.left_id
    sound(made)
    corrections.undo(first.pk, actor)
    assert kept_seats(made) == set()
    sound(made)


def test_undoing_a_kept_match_cancels_it_and_seats_the_right_players(kept_semifinal, actor):
    made = kept_semifinal
    semifinal, before = at(made, 2, 1), seats(made)
    taken = correct(semifinal, TAKEN_BACK, actor)
    right = at(made, 2, 1)
    assert (right.left_id, right.settled) == (at(made, 1, 1).right_id, "")
    assert right.match_id not in (None, semifinal.match_id)
    assert kept_seats(made) == set()
    assert correct_again_is_refused(right, actor)
    sound(made)
    corrections.undo(taken.pk, actor)
    assert seats(made) == before
    sound(made)


def correct_again_is_refused(pairing, actor) -> bool:
    """A match without a result and without kept seats cannot be undone."""
    return refusal(lambda: corrections.preview(pairing.pk, TAKEN_BACK)) == "nothing-posted"


def test_a_player_kept_in_a_match_not_begun_is_released_without_a_result(kept_semifinal, actor):
    made = kept_semifinal
    below, before = loser_of(made, at(made, 1, 1)), seats(made)
    preview = corrections.preview(below.pk, TAKEN_BACK, [at(made, 2, 1).pk])
    assert {key for key, _ in preview.consequences.released_seats} == set()
    assert (
        refusal(lambda: correct(below, Change(ResultKind.RETRACTED, None, 1, 0), actor)) == "nothing-decided"
    )
    freed = correct(below, TAKEN_BACK, actor)
    assert kept_seats(made) == set()
    assert at(made, 1, 1).left_id in (
        loser_of(made, at(made, 1, 1)).left_id,
        loser_of(made, at(made, 1, 1)).right_id,
    )
    assert at(made, 2, 1).settled == ""
    sound(made)
    corrections.undo(freed.pk, actor)
    assert seats(made) == before
    sound(made)


def test_a_kept_player_cannot_return_or_meet_themselves(actor):
    """The withdrawal of the opponent cannot be undone, and a result that seats the kept player twice is refused."""
    made = stories.released(actor, 8, lengths=(3,))
    first, third = at(made, 1, 1), at(made, 1, 3)
    registration.withdraw(first.right, actor)
    details = {"pairing": first, "reason": "By mistake", "made_at": timezone.now()}
    correction = Correction.objects.create(tournament=made, **details)
    KeptSeat.objects.create(pairing=at(made, 3, 1), seat="left", entry=first.left, correction=correction)
    Pairing.objects.filter(pk=at(made, 3, 1).pk).update(left=first.left)
    before = database_rows.rows()
    assert refusal(lambda: registration.unwithdraw(first.right, actor)) == "kept-as-played"
    assert database_rows.rows() == before
    KeptSeat.objects.update(pairing=at(made, 2, 2), seat="right", entry=third.left)
    Pairing.objects.filter(pk=at(made, 2, 2).pk).update(right=third.left)
    result = stories.post(third, actor)
    assert refusal(lambda: advancing.advance(result.pk)) == "meets-themselves"
