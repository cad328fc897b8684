"""Every field of a ruleset that a game record can show changes a verdict."""

import pytest

from rules.board.moves import Move
from rules.board.position import Position
from rules.judge import judge
from rules.record.model import Claim, CubeAction, CubeStep, Format, Record, RecordedGame, Roll
from rules.ruleset import BearOff, DiceObligation, Opening, Ruleset
from rules.score import Side, Win
from tests.rules.board.test_plays import side

LEFT, RIGHT = Side.LEFT, Side.RIGHT


def played(mine, theirs, *actions, length=25, **fields):
    """The verdict on one game set up so that the left player is on roll."""
    start = Position(mine, theirs)
    claim = Claim(LEFT, None, is_last=False, line=0)
    game = RecordedGame(actions=actions, start=start, first=LEFT, claim=claim)
    return judge(Record(Format.JSON, length, entries=(game,)), Ruleset(**fields))


def errors(verdict):
    return [
        problem.code
        for problem in verdict.problems
        if problem.is_error and problem.code != "match_not_finished"
    ]


def roll(dice, *moves):
    return Roll(LEFT, dice, tuple(Move(*ends) for ends in moves), 0)


THEIRS = side(p10=2, p8=2)
CASES = {
    "dice obligation: the larger die": (
        (side(p20=1), side(p16=2, p3=1), roll((6, 5), (20, 15))),
        "larger_die_playable",
        {"dice_obligation": DiceObligation.ALL},
    ),
    "dice obligation: all of them": (
        (side(p20=2, p6=3), THEIRS, roll((6, 1), (20, 14))),
        "more_dice_playable",
        {"dice_obligation": DiceObligation.LARGER_DIE_SUFFICES},
    ),
    "bearing off from below": (
        (side(p6=2, p3=2), THEIRS, roll((4, 1), (3, 0), (6, 5))),
        "higher_checker_first",
        {"bear_off": BearOff.LOWER_ALLOWED},
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_the_forms_of_the_rules_differ_in_what_they_allow(name):
    game, code, fields = CASES[name]
    assert errors(played(*game)) == [code]
    assert errors(played(*game, **fields)) == []


def test_a_hit_checker_comes_home_first_only_where_the_ruleset_says_so():
    game = (side(p22=1, p6=2, p5=2), THEIRS, roll((4, 3), (6, 2), (6, 3)))
    assert errors(played(*game)) == []
    assert errors(played(*game, hit_checker_first=True)) == ["hit_checker_first"]


def test_it_binds_a_play_of_both_dice_too_once_somebody_has_borne_off():
    home_first = (side(p22=1, p6=2, p5=2), THEIRS, roll((4, 2), (22, 18), (18, 16)))
    assert errors(played(*home_first, hit_checker_first=True)) == []


def test_an_opening_double_is_possible_only_where_the_starter_rolls_again():
    moves = tuple(Move(*ends) for ends in ((8, 5), (8, 5), (6, 3), (6, 3)))
    game = RecordedGame(actions=(Roll(LEFT, (3, 3), moves, 0),), claim=Claim(LEFT, 1, is_last=False, line=0))
    record = Record(Format.JSON, 25, entries=(game,))
    assert errors(judge(record, Ruleset())) == ["opening_double"]
    assert errors(judge(record, Ruleset(opening=Opening.ROLL_AGAIN))) == []


def test_a_checker_on_the_bar_makes_a_backgammon_only_where_the_bar_counts():
    last = (side(p1=1), side(bar=1, p6=14), roll((2, 1), (1, 0)))
    assert played(*last).games[0].entry.win is Win.BACKGAMMON
    assert played(*last, backgammon_counts_bar=False).games[0].entry.win is Win.GAMMON
    assert played(side(p1=1), side(p20=1, p6=14), roll((2, 1), (1, 0))).games[0].entry.win is Win.BACKGAMMON
    assert played(side(p1=1), side(p18=1, p6=14), roll((2, 1), (1, 0))).games[0].entry.win is Win.GAMMON
    assert played(side(p1=1), side(p6=14), roll((2, 1), (1, 0))).games[0].entry.win is Win.SINGLE


def test_the_jacoby_rule_needs_a_double_to_count_a_gammon():
    last = roll((2, 1), (1, 0))
    board = (side(p1=1), side(p6=15))
    double = (CubeAction(LEFT, CubeStep.DOUBLE, 2, 0), CubeAction(RIGHT, CubeStep.TAKE, None, 0))
    assert played(*board, last, length=None).score.left == 2
    assert played(*board, last, length=None, jacoby=True).score.left == 1
    assert played(*board, *double, last, length=None, jacoby=True).score.left == 4


def test_automatic_doubles_are_no_offer():
    game = RecordedGame(
        actions=(roll((2, 1), (1, 0)),),
        start=Position(side(p1=1), side(p6=15)),
        first=LEFT,
        automatic_doubles=1,
        claim=Claim(LEFT, 2, is_last=False, line=0),
    )
    verdict = judge(Record(Format.SGF, None, entries=(game,)), Ruleset(jacoby=True, automatic_doubles=1))
    assert verdict.games[0].scored.raw == 2
    assert verdict.games[0].automatic_doubles == 1
    limited = judge(Record(Format.SGF, None, entries=(game,)), Ruleset(jacoby=True))
    assert limited.games[0].scored.raw == 1


def test_a_player_who_has_borne_off_cannot_resign_a_gammon():
    game = RecordedGame(
        actions=(roll((2, 1), (6, 4), (6, 5)),),
        start=Position(side(p6=5), side(p6=14)),
        first=LEFT,
        claim=Claim(LEFT, 2, is_last=False, line=0),
    )
    verdict = judge(Record(Format.SGF, 25, entries=(game,)), Ruleset())
    assert errors(verdict) == ["resigned_gammon_after_bearing_off"]
    whole = RecordedGame(
        actions=game.actions, start=Position(side(p6=5), side(p6=15)), first=LEFT, claim=game.claim
    )
    assert errors(judge(Record(Format.SGF, 25, entries=(whole,)), Ruleset())) == []


def test_nothing_is_done_after_the_game_is_over():
    game = (side(p1=1), side(p6=15), roll((2, 1), (1, 0)), Roll(RIGHT, (3, 1), (Move(6, 3), Move(6, 5)), 0))
    assert errors(played(*game)) == ["action_after_the_end"]


def test_after_an_unrecorded_play_the_board_is_unknown():
    game = (
        side(p8=2),
        THEIRS,
        Roll(LEFT, (3, 1), None, 0),
        Roll(RIGHT, (6, 5), (Move(1, 0), Move(2, 0)), 0),
        CubeAction(LEFT, CubeStep.DOUBLE, 2, 0),
        CubeAction(RIGHT, CubeStep.DROP, None, 0),
    )
    verdict = played(*game)
    assert [problem.code for problem in verdict.problems if problem.severity == "warning"] == [
        "play_not_recorded"
    ]
    assert errors(verdict) == []
    assert verdict.games[0].rolls == 2
    assert verdict.score.left == 1
