"""Games that begin or end away from the board: automatic doubles and resignations."""

from dataclasses import replace

import pytest

from rules.board.notation import parse_play
from rules.judge import judge
from rules.record.model import Format, Record, RecordedGame, Resignation, Roll
from rules.record.reading import read
from rules.ruleset import Ruleset
from rules.score import Ending, Side, Win
from tests.rules.cards import has_errors
from tests.rules.judge.texts import errors, judge_text, text

ONE_EACH = ["31: 8/5 6/5 | 42: 8/4 6/4"]
DOUBLED = ["31: 8/5 6/5 | Doubles => 2", "Takes | 42: 8/4 6/4"]
DOUBLED_TWICE = [*DOUBLED, "Doubles => 4 | Takes"]


@pytest.mark.parametrize(
    ("rows", "mark", "cube"), [(ONE_EACH, 1004, 1), (DOUBLED, 2008, 2), (DOUBLED_TWICE, 4016, 4)]
)
def test_1004_times_the_cube_marks_a_resignation(rows, mark, cube):
    verdict = judge_text(text((rows, "left", f"Wins {mark} points"), length=25))
    entry = verdict.games[0].entry
    assert (entry.ending, entry.win, entry.cube) == (Ending.RESIGNED, Win.SINGLE, cube)
    assert [problem.code for problem in verdict.problems] == ["match_not_finished"]


@pytest.mark.parametrize("points", [251, 1003, 1005])
def test_other_points_are_no_mark_of_a_resignation(points):
    assert "resigned_for_odd_points" in errors(text((ONE_EACH, "left", f"Wins {points} points"), length=25))


@pytest.mark.parametrize(("brought", "win"), [("1", Win.SINGLE), ("2", Win.GAMMON), ("3", Win.BACKGAMMON)])
def test_the_next_score_gives_the_kind_of_resignation(brought, win):
    written = text((ONE_EACH, "left", f"Wins {brought} points"), (ONE_EACH, "left", "Wins 1 point"))
    verdict = judge_text(written.replace(f"Wins {brought} points", "Wins 1004 points"))
    assert verdict.games[0].entry.win is win
    assert [problem.code for problem in verdict.problems if problem.is_error] == ["match_not_finished"]


def test_a_marked_resignation_that_ends_the_match_is_of_the_lowest_kind_that_wins_it():
    verdict = judge_text(text((ONE_EACH, "left", "Wins 1004 points and the match"), length=3))
    assert (verdict.games[0].entry.win, verdict.score.left) == (Win.BACKGAMMON, 3)
    assert verdict.problems == ()


@pytest.mark.parametrize("last", ["61: 13/7 |", "61: 8/7 |"])
def test_a_player_may_give_up_in_mid_turn(last):
    assert errors(text(([*ONE_EACH, last], "right", "Wins 1 point"), length=1)) == []


def test_the_winner_finishes_every_play():
    cut = [*ONE_EACH, "61: 13/7 |"]
    assert errors(text((cut, "left", "Wins 1 point"), length=1)) == ["more_dice_playable"]


def test_a_play_that_was_not_finished_is_illegal_where_the_game_went_on():
    written = text(
        ([*ONE_EACH, "61: 13/7 | 31: 24/23 13/10", "52: 13/8 |"], "right", "Wins 1 point"), length=1
    )
    (problem,) = (problem for problem in judge_text(written).problems if problem.is_error)
    assert (problem.code, problem.move, problem.side) == ("more_dice_playable", 2, "left")


def test_points_of_a_resignation_after_an_illegal_double_are_wrong_points():
    crawford = ["31: 8/5 6/5 | Doubles => 2", "Takes | 31: 8/5 6/5"]
    won = (ONE_EACH, "left", "Wins 3 points")
    verdict = judge_text(text(won, won, (crawford, "right", "Wins 2 points")))
    codes = [problem.code for problem in verdict.problems]
    assert "resigned_for_odd_points" not in codes
    problem = next(problem for problem in verdict.problems if problem.code == "wrong_points")
    assert problem.params == {"points": 2, "raw": 1}


@pytest.mark.parametrize(
    ("doubles", "allowed", "code"),
    [(2, 1, "automatic_doubles_too_many"), (1, 0, "automatic_doubles_not_played")],
)
def test_automatic_doubles_of_a_game_record_are_judged(doubles, allowed, code):
    verdict = judged_with(doubles, automatic_doubles=allowed)
    (problem,) = (problem for problem in verdict.problems if problem.is_error)
    assert (problem.code, problem.game) == (code, 1)


def test_as_many_automatic_doubles_as_are_played_are_no_error():
    verdict = judged_with(1, automatic_doubles=1)
    assert not has_errors(verdict)
    assert verdict.games[0].automatic_doubles == 1


def test_the_crawford_game_has_no_automatic_double():
    verdict = judged_with(1, automatic_doubles=1, score=(4, 0), is_crawford=True)
    (problem,) = (problem for problem in verdict.problems if problem.is_error)
    assert problem.code == "automatic_doubles_without_cube"


def judged_with(doubles, *, automatic_doubles, score=None, is_crawford=None):
    actions = (
        Roll(Side.LEFT, (3, 1), parse_play("8/5 6/5"), None),
        Resignation(Side.RIGHT, Win.BACKGAMMON, None),
    )
    game = RecordedGame(2, score, actions, automatic_doubles=doubles, is_crawford=is_crawford)
    record = Record(Format.JSON, 5 if score else None, entries=(game,))
    return judge(record, replace(Ruleset(), automatic_doubles=automatic_doubles))


def test_an_sgf_that_begins_with_a_turned_cube_is_judged():
    written = "(;FF[4]GM[6]MI[length:0]RE[W+2];CV[2];W[31hefe])"
    codes = [
        problem.code for problem in judge(read(written.encode()), Ruleset()).problems if problem.is_error
    ]
    assert codes[0] == "automatic_doubles_not_played"
    allowed = replace(Ruleset(), automatic_doubles=1)
    assert [
        problem.code for problem in judge(read(written.encode()), allowed).problems if problem.is_error
    ] == []
