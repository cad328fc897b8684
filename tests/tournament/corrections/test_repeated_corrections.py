"""Corrections of corrections: undone, repeated and crossed by others, in every shape of bracket."""

import uuid
from copy import deepcopy

import pytest
from django.utils import timezone

from matches.keepers import Keeper
from matches.models import MatchState
from matches.rows import FinalScore, NewRow
from tests.tournament import stories
from tests.tournament.refusals import refusal
from tournament import corrections
from tournament.brackets import advancing
from tournament.corrections import Change, consistency
from tournament.draw.formats import Format, Kind
from tournament.draw.seating.corrections import Stage, Treatment
from tournament.entries import registration
from tournament.models import ResultKind
from tournament.queries.brackets.bracket import bracket_view
from tournament.queries.brackets.history import tournament_then
from tournament.queries.cards.card import load_phone_match
from tournament.queries.corrections.preview import load_correction_page
from tournament.queries.entries.path import load_path
from tournament.queries.screens.room import screen_calls
from tournament.results import desk
from tournament.room import calls

pytestmark = pytest.mark.django_db


def at(made, round_number, line, bracket="main"):
    return stories.pairings(made).get(round__bracket__key=bracket, round__number=round_number, line=line)


def right_won(pairing) -> Change:
    return Change(ResultKind.PLAYED, pairing.right_id, 1, pairing.match.length)


def left_won(pairing) -> Change:
    return Change(ResultKind.PLAYED, pairing.left_id, pairing.match.length, 1)


def correct(pairing, change, actor, keep=()):
    preview = corrections.preview(pairing.pk, change, keep)
    return corrections.correct(preview, preview.digest, "Read from the wrong side", actor)


def sound(made) -> None:
    assert consistency.differences(made.event) == []


def test_undoing_a_correction_restores_the_first_score(eight, actor):
    first = at(eight, 1, 1)
    before = (first.match.left_points, first.match.right_points, first.match.winner)
    corrections.undo(correct(first, right_won(first), actor).pk, actor)
    match = at(eight, 1, 1).match
    assert (match.left_points, match.right_points, match.winner) == before
    desk = match.cards.get(keeper="desk")
    assert (desk.left_points, desk.right_points, desk.winner) == before
    sound(eight)


def test_two_corrections_are_undone_in_turn(eight, actor):
    first = at(eight, 1, 1)
    correction = correct(first, right_won(first), actor)
    second = correct(first, Change(ResultKind.WALKOVER, first.right_id), actor)
    assert refusal(lambda: corrections.undo(correction.pk, actor)) == "newer-depends"
    corrections.undo(second.pk, actor)
    corrections.undo(correction.pk, actor)
    assert at(eight, 1, 1).winner_id == first.left_id
    assert at(eight, 2, 1).settled == "played"
    sound(eight)


def test_a_correction_cannot_be_undone_after_a_change_to_its_cancelled_matches(eight, actor):
    correction = correct(at(eight, 1, 1), right_won(at(eight, 1, 1)), actor)
    second = correct(at(eight, 1, 2), right_won(at(eight, 1, 2)), actor)
    assert refusal(lambda: corrections.undo(correction.pk, actor)) == "newer-depends"
    sound(eight)
    corrections.undo(second.pk, actor)
    corrections.undo(correction.pk, actor)
    assert at(eight, 2, 1).settled == "played"
    sound(eight)


def test_a_double_no_show_names_no_winner(eight, actor):
    first = at(eight, 1, 1)
    wrong = Change(ResultKind.DOUBLE_NO_SHOW, first.left_id)
    assert refusal(lambda: correct(first, wrong, actor)) == "winner-unknown"
    correct(first, Change(ResultKind.DOUBLE_NO_SHOW, None), actor)
    assert at(eight, 2, 1).settled == "bye"
    sound(eight)


@pytest.mark.parametrize(
    ("kind", "points", "code"),
    [
        (ResultKind.WALKOVER, (3, 1), "no-score"),
        (ResultKind.PENALTY, (None, None), "score-needed"),
        (ResultKind.UNFINISHED, (9, 1), "score-out-of-range"),
        (ResultKind.PLAYED, (None, 1), "score-needed"),
    ],
)
def test_a_correction_follows_the_rules_of_awards(eight, kind, points, code):
    first = at(eight, 1, 1)
    assert refusal(lambda: corrections.preview(first.pk, Change(kind, first.left_id, *points))) == code


@pytest.fixture(scope="module")
def finals_of_module(actor_of_module):
    """Four players with two lives. The loser of the first final plays again if it is their first loss. Both finals are
    played.
    """
    made = stories.released(actor_of_module, 4, format=Format(Kind.DOUBLE, reset=True))
    while waiting := stories.playable(made):
        stories.play(waiting[0], actor_of_module, "right" if waiting[0] == final_of(made) else "left")
    return made


@pytest.fixture
def finals(db, finals_of_module):
    return deepcopy(finals_of_module)


def final_of(made):
    return at(made, 1, 1, "final")


def again(made):
    return at(made, 2, 1, "final")


def test_a_second_final_is_cancelled_when_the_unbeaten_player_won_the_first(finals, actor):
    assert again(finals).settled == "played"
    preview = corrections.preview(final_of(finals).pk, left_won(final_of(finals)))
    assert [(match.key, match.stage) for match in preview.affected] == [(again(finals).pk, Stage.FINISHED)]
    champion = again(finals).winner_id
    made = correct(final_of(finals), left_won(final_of(finals)), actor)
    assert (again(finals).settled, again(finals).winner_id) == ("bye", final_of(finals).left_id)
    sound(finals)
    correct(final_of(finals), right_won(final_of(finals)), actor)
    assert again(finals).settled == ""
    assert again(finals).match is not None
    sound(finals)
    corrections.undo(finals.corrections.first().pk, actor)
    corrections.undo(made.pk, actor)
    assert (again(finals).settled, again(finals).winner_id) == ("played", champion)
    sound(finals)


def test_an_unnecessary_second_final_can_be_kept(finals, actor):
    before = again(finals)
    made = correct(final_of(finals), left_won(final_of(finals)), actor, keep=[before.pk])
    assert (again(finals).winner_id, again(finals).match_id) == (before.winner_id, before.match_id)
    sound(finals)
    corrections.undo(made.pk, actor)
    assert again(finals).match_id == before.match_id
    sound(finals)


@pytest.fixture(scope="module")
def play_off_of_module(actor_of_module):
    """Two groups of three with all matches won by their left side; a semifinal of the play-off is under way."""
    made = stories.released(actor_of_module, 6, format=Format(Kind.GROUPS, groups=2, qualifiers=2))
    while waiting := [row for row in stories.playable(made) if row.round.bracket.key != "play-off"]:
        stories.play(waiting[0], actor_of_module)
    stories.begin(at(made, 1, 1, "play-off"))
    return made


@pytest.fixture
def play_off(db, play_off_of_module):
    return deepcopy(play_off_of_module)


def decisive(made):
    """Returns a group match whose other outcome would change the play-off, with the preview of that correction."""
    for pairing in stories.pairings(made).filter(round__bracket__key__startswith="group"):
        preview = corrections.preview(pairing.pk, right_won(pairing))
        if any(affected.stage == Stage.UNDER_WAY for affected in preview.affected):
            return pairing, preview
    raise AssertionError("No match of a group matters.")


@pytest.mark.parametrize("keep", [False, True])
def test_a_group_correction_during_the_play_off_can_be_undone(play_off, actor, keep):
    pairing, preview = decisive(play_off)
    begun = next(match.key for match in preview.affected if match.stage == Stage.UNDER_WAY)
    before = at(play_off, 1, 1, "play-off").match_id
    made = correct(pairing, right_won(pairing), actor, [begun] if keep else [])
    assert (at(play_off, 1, 1, "play-off").match_id == before) == keep
    sound(play_off)
    corrections.undo(made.pk, actor)
    assert at(play_off, 1, 1, "play-off").match_id == before
    assert at(play_off, 1, 1, "play-off").match.state == MatchState.OPEN
    sound(play_off)


def test_a_correction_that_seats_a_withdrawn_player_gives_a_walkover(eight, actor):
    first = at(eight, 1, 1)
    registration.withdraw(first.right, actor)
    made = correct(first, right_won(first), actor)
    semifinal = at(eight, 2, 1)
    assert (semifinal.settled, semifinal.winner_id) == ("walkover", semifinal.right_id)
    assert at(eight, 3, 1).left_id == semifinal.right_id
    sound(eight)
    corrections.undo(made.pk, actor)
    assert at(eight, 2, 1).settled == "played"
    sound(eight)


def test_undoing_a_correction_does_not_restore_a_match_of_a_withdrawn_player(eight, actor):
    stories.play(at(eight, 2, 2), actor)
    stories.begin(at(eight, 3, 1))
    made = correct(at(eight, 1, 1), right_won(at(eight, 1, 1)), actor)
    registration.withdraw(at(eight, 3, 1).right, actor)
    assert refusal(lambda: corrections.undo(made.pk, actor)) == "newer-depends"
    sound(eight)


def test_a_result_that_no_worker_has_advanced_can_be_corrected(eight, actor):
    waiting = stories.post(at(eight, 2, 2), actor)
    first = at(eight, 1, 3)
    preview = corrections.preview(first.pk, right_won(first))
    assert {match.key: match.stage for match in preview.affected}[at(eight, 2, 2).pk] == Stage.FINISHED
    correct(first, right_won(first), actor)
    advancing.advance(waiting.pk)
    assert at(eight, 2, 2).settled == ""
    sound(eight)


def test_the_preview_mentions_a_second_final_not_yet_needed(actor):
    made = stories.released(actor, 4, format=Format(Kind.DOUBLE, reset=True))
    while waiting := stories.playable(made):
        stories.play(waiting[0], actor)
    preview = corrections.preview(final_of(made).pk, right_won(final_of(made)))
    assert [(match.key, match.treatment) for match in preview.affected] == [
        (again(made).pk, Treatment.REPLACE)
    ]
    correct(final_of(made), right_won(final_of(made)), actor)
    assert again(made).match is not None
    sound(made)


@pytest.fixture(scope="module")
def final_of_two_of_module(actor_of_module):
    """Two in a double elimination: the loser of their first match is whom the winner meets in the final."""
    made = stories.released(actor_of_module, 2, lengths=(5,), format=Format(Kind.DOUBLE, reset=True))
    stories.play(at(made, 1, 1), actor_of_module)
    return made


@pytest.fixture
def final_of_two(db, final_of_two_of_module):
    return deepcopy(final_of_two_of_module)


def test_swapped_finalists_before_play_keep_their_sides(final_of_two, actor):
    first, before = at(final_of_two, 1, 1), at(final_of_two, 1, 1, "final")
    made = correct(first, right_won(first), actor)
    final = at(final_of_two, 1, 1, "final")
    assert (final.left_id, final.right_id) == (before.right_id, before.left_id)
    assert (final.match.left, final.match.right) == (final.left_id, final.right_id)
    corrections.undo(made.pk, actor)
    final = at(final_of_two, 1, 1, "final")
    assert (final.match.left, final.match.right) == (before.left_id, before.right_id)
    sound(final_of_two)


@pytest.mark.parametrize("left", [5, 1])
def test_swapped_finalists_after_play_began_keep_their_points(final_of_two, actor, left):
    first, final = at(final_of_two, 1, 1), at(final_of_two, 1, 1, "final")
    ada, bo = final.left, final.right
    calls.call(final.pk, None, actor)
    row = NewRow(uuid.uuid4(), final.match_id, FinalScore(left, 6 - left))
    desk.enter(final, Keeper.LEFT, row, actor)
    correct(first, right_won(first), actor)
    final = at(final_of_two, 1, 1, "final")
    assert (final.match.left, final.right) == (ada.pk, ada)
    (called,) = screen_calls(final_of_two.event)
    assert (called.left, called.right, called.points) == (bo.name, ada.name, (6 - left, left))
    (drawn,) = bracket_view(final_of_two, "final", live=True).rounds[0].pairings
    assert (drawn.right.entry_id, drawn.right.points) == (ada.pk, left)
    meetings = load_path(ada, live=True).meetings
    assert next(meeting.mine for meeting in meetings if meeting.match_id == final.match_id) == left
    desk.confirm(final, Keeper.RIGHT, None, actor)
    phone = load_phone_match(at(final_of_two, 1, 1, "final"), Keeper.LEFT)
    assert (phone.me, phone.points) == (ada, (left, 6 - left))
    posted = final.results.get()
    assert (posted.right, posted.right_points, posted.left_points) == (ada, left, 6 - left)
    advancing.advance_waiting()
    correct(at(final_of_two, 1, 1, "final"), left_won(final), actor)
    match = at(final_of_two, 1, 1, "final").match
    assert (match.left, match.left_points, match.right_points, match.winner) == (ada.pk, 1, 5, "right")
    sound(final_of_two)


def test_a_posted_score_follows_its_player_after_a_seat_swap(final_of_two, actor):
    final = at(final_of_two, 1, 1, "final")
    stories.play(final, actor)
    ada, bo = final.left, final.right
    first = at(final_of_two, 1, 1)
    correct(first, right_won(first), actor)
    (drawn,) = bracket_view(final_of_two, "final").rounds[0].pairings
    assert [(side.entry_id, side.points) for side in (drawn.left, drawn.right)] == [(bo.pk, 4), (ada.pk, 5)]
    final_then = tournament_then(final_of_two, timezone.now()).brackets[-1]
    (then,) = final_then.rounds[0].pairings
    assert (then.left, then.score) == (bo.name, (4, 5))
    met = next(meeting for meeting in load_path(ada).meetings if meeting.match_id == final.match_id)
    assert (met.mine, met.theirs) == (5, 4)
    nobody_came = load_correction_page(corrections.preview(first.pk, Change(ResultKind.DOUBLE_NO_SHOW, None)))
    assert ((bo.name, ada.name), (4, 5)) in [(change.before, change.score) for change in nobody_came.begun]
