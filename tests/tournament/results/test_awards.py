"""Results not played to their end: with a score where there is one, and coming back after a withdrawal."""

from copy import deepcopy
from dataclasses import replace

import pytest

from matches.models import Match
from rules.ruleset import PRESETS, ClockExpiry
from tests.tournament import stories, two_brackets
from tests.tournament.refusals import refusal
from tournament.brackets import advancing
from tournament.brackets.states import decision_of
from tournament.corrections import consistency
from tournament.entries import registration
from tournament.models import Entry, Result
from tournament.results import desk

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def made_of_module(actor_of_module):
    return stories.released(actor_of_module, 4)


@pytest.fixture
def made(db, made_of_module):
    return deepcopy(made_of_module)


@pytest.mark.parametrize(
    ("kind", "points"), [("penalty", (2, 3)), ("unfinished", (2, 1)), ("penalty", (0, 1)), ("clock", (2, 0))]
)
def test_a_match_ended_by_the_desk_keeps_its_score_and_advances_its_players(actor, kind, points, made):
    row = stories.playable(made)[0]
    desk.award(row, row.right_id, kind, "45 minutes late", actor, points)
    result = Result.objects.get()
    assert (result.kind, result.winner_id) == (kind, row.right_id)
    assert (result.left_points, result.right_points) == points
    assert decision_of(result).points == (points[1], points[0])
    advancing.advance_waiting()
    assert row.right_id in stories.pairings(made).last().__dict__.values()
    assert consistency.differences(made.event) == []


def test_a_walkover_with_a_later_match_cannot_change_its_winner(actor, made):
    first, second = stories.playable(made)
    registration.withdraw(first.left, actor)
    stories.play(second, actor)
    final = stories.pairings(made).last()
    desk.award(first, first.left_id, "walkover", "Here after all", actor)
    assert stories.pairings(made).last().left_id == first.left_id, "at once, while nobody plays upon it"
    desk.award(first, first.right_id, "walkover", "Not here", actor)
    desk.retract(first, "Not posted", actor)
    stories.begin(stories.pairings(made).get(pk=final.pk))
    assert refusal(desk.award, first, first.left_id, "walkover", "", actor) == "next-match-has-begun"
    assert consistency.differences(made.event) == []


def test_an_impossible_or_missing_score_is_refused(actor, made):
    row = stories.playable(made)[0]
    for kind, points, code in (
        ("penalty", None, "score-needed"),
        ("unfinished", None, "score-needed"),
        ("clock", None, "score-needed"),
        ("clock", (3, 1), "score-out-of-range"),
        ("unfinished", (3, 1), "score-out-of-range"),
        ("unfinished", (1, 3), "score-out-of-range"),
        ("penalty", (1, 3), "score-out-of-range"),
        ("penalty", (4, 1), "score-out-of-range"),
        ("walkover", (3, 0), "no-score"),
        ("played", (3, 0), "kind-unknown"),
    ):
        assert refusal(desk.award, row, row.left_id, kind, "", actor, points) == code
    assert refusal(desk.award, row, None, "penalty", "", actor, (1, 2)) == "winner-unknown"
    assert not Result.objects.exists()


def test_a_played_result_can_be_corrected_to_a_penalty_loss(actor, made):
    row = stories.playable(made)[0]
    stories.play(row, actor)
    desk.award(row, row.right_id, "penalty", "phone at the table", actor, (2, 3))
    row.refresh_from_db()
    assert row.winner_id == row.right_id
    assert consistency.differences(made.event) == []


def test_a_double_no_show_advances_byes_in_both_brackets(actor):
    made = two_brackets.released(actor)
    first, second = stories.playable(made)
    desk.award(first, None, "double_no_show", "", actor)
    advancing.advance_waiting()
    stories.play(second, actor)
    final = stories.pairings(made).get(round__bracket__key="main", round__number=2)
    lower = stories.pairings(made).get(round__bracket__key="consolation")
    assert (final.settled, final.winner_id) == ("bye", second.left_id)
    assert (lower.settled, lower.winner_id) == ("bye", second.right_id)
    assert consistency.differences(made.event) == []


def test_an_undone_withdrawal_restores_play_in_every_bracket(actor):
    made = two_brackets.released(actor)
    first, second = stories.playable(made)
    gone = Entry.objects.get(pk=first.left_id)
    registration.withdraw(gone, actor)
    stories.play(second, actor)
    lower = stories.pairings(made).get(round__bracket__key="consolation")
    assert (lower.settled, lower.winner_id) == ("walkover", second.right_id)
    registration.unwithdraw(gone, actor)
    lower.refresh_from_db()
    assert (lower.settled, lower.left_id) == ("", None)
    assert consistency.differences(made.event) == []
    stories.play(stories.pairings(made).get(pk=first.pk), actor, "right")
    lower = stories.pairings(made).get(pk=lower.pk)
    assert {lower.left_id, lower.right_id} == {gone.pk, second.right_id}
    assert lower.match is not None


def test_undoing_a_withdrawal_undoes_consolation_walkovers(actor):
    made = two_brackets.released(actor)
    first, second = stories.playable(made)
    stories.play(first, actor)
    stories.play(second, actor)
    gone = Entry.objects.get(pk=first.right_id)
    registration.withdraw(gone, actor)
    lower = stories.pairings(made).get(round__bracket__key="consolation")
    assert (lower.settled, lower.winner_id) == ("walkover", second.right_id)
    registration.unwithdraw(gone, actor)
    lower = stories.pairings(made).get(pk=lower.pk)
    assert (lower.settled, lower.match.state) == ("", "open")
    assert consistency.differences(made.event) == []


@pytest.mark.parametrize(
    ("rules", "code"),
    [
        ({"clock_expiry": ClockExpiry.OVERTIME}, "clock-costs-points"),
        ({"clock": None}, "no-clock"),
    ],
)
def test_time_losses_are_refused_with_overtime_or_without_clocks(actor, rules, code, made):
    row = stories.playable(made)[0]
    ruleset = replace(PRESETS["tournament"], **rules)
    Match.objects.filter(pk=row.match_id).update(ruleset=ruleset.as_json())
    assert refusal(desk.award, row, row.left_id, "clock", "", actor, (2, 1)) == code
    assert not Result.objects.exists()
