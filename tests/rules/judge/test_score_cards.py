"""Records with results only: penalties between games, and the chain of scores."""

import pytest

from rules.judge import judge, with_stated_rules
from rules.record.model import Claim, Format, Record, RecordedGame, StatedRules
from rules.ruleset import CrawfordForm, Ruleset, UncubedSingle
from rules.score import Ending, Game, Penalty, Side, Win
from tests.rules.cards import has_errors

LEFT, RIGHT = Side.LEFT, Side.RIGHT


def card(*entries, length=7, **fields):
    ruleset = Ruleset(**fields)
    games = tuple(entry if isinstance(entry, Penalty) else RecordedGame(result=entry) for entry in entries)
    return judge(Record(Format.JSON, length, entries=games), ruleset)


def codes(verdict):
    return [problem.code for problem in verdict.problems]


def test_a_card_is_scored_game_by_game():
    verdict = card(Game(LEFT, Win.GAMMON, cube=2), Game(RIGHT), Game(LEFT, cube=4))
    assert [(game.before.left, game.before.right) for game in verdict.games] == [(0, 0), (4, 0), (4, 1)]
    assert (verdict.score.left, verdict.score.right, verdict.is_finished) == (7, 1, True)
    assert verdict.games[2].scored.raw == 4
    assert [game.rolls for game in verdict.games] == [0, 0, 0]
    assert not has_errors(verdict)


@pytest.mark.parametrize(
    ("game", "code"),
    [
        (Game(LEFT, cube=3), "cube_not_a_power_of_two"),
        (Game(LEFT, Win.GAMMON, Ending.DROPPED), "gammon_on_a_drop"),
        (Game(LEFT, checkers_left=3), "checkers_left_not_counted"),
    ],
)
def test_an_impossible_result_is_reported_with_its_game(game, code):
    verdict = card(Game(RIGHT), game)
    problem = next(problem for problem in verdict.problems if problem.code == code)
    assert problem.game == 2


def test_a_card_gets_the_remarks_of_a_card():
    assert "cube_larger_than_useful" in codes(card(Game(LEFT, cube=16)))


def test_penalties_are_entries_of_their_own():
    verdict = card(Game(LEFT, cube=4), Game(RIGHT, Win.GAMMON), Penalty(LEFT, 2), Game(LEFT))
    assert (verdict.score.left, verdict.score.right) == (5, 4)
    assert [game.number for game in verdict.games] == [1, 2, 3]
    assert codes(card(Penalty(LEFT, 0))) == ["penalty_below_one", "match_not_finished"]


def test_a_penalty_may_bring_the_crawford_game():
    entries = (Penalty(RIGHT, 6), Game(RIGHT, cube=2))
    assert "crawford_cube" in codes(card(*entries))
    assert "crawford_cube" not in codes(card(*entries, crawford_after_penalty=False))


def test_a_game_after_the_end_counts_nothing():
    verdict = card(Game(LEFT, cube=8), Game(RIGHT))
    assert codes(verdict) == ["match_is_over"] or "match_is_over" in codes(verdict)
    assert codes(verdict).count("match_is_over") == 1
    assert verdict.score.right == 0


def claimed(points, winner=LEFT, length=9, score=None, **fields):
    game = RecordedGame(claim=Claim(winner, points, is_last=False, line=3), score=score, line=2)
    return judge(Record(Format.MAT, length, entries=(game,)), Ruleset(**fields))


@pytest.mark.parametrize(
    ("points", "win", "cube"),
    [
        (1, Win.SINGLE, 1),
        (2, Win.SINGLE, 2),
        (3, Win.BACKGAMMON, 1),
        (4, Win.SINGLE, 4),
        (6, Win.BACKGAMMON, 2),
        (8, Win.SINGLE, 8),
    ],
)
def test_where_only_points_are_written_the_likeliest_game_is_taken(points, win, cube):
    entry = claimed(points).games[0].entry
    assert (entry.winner, entry.win, entry.cube, entry.ending) == (LEFT, win, cube, Ending.PLAYED)


def test_in_the_crawford_game_points_are_no_cube():
    verdict = claimed(2, winner=RIGHT, score=(8, 0))
    assert (verdict.games[0].entry.win, verdict.games[0].entry.cube) == (Win.GAMMON, 1)
    assert verdict.games[0].is_crawford
    assert not [problem for problem in verdict.problems if problem.code == "crawford_cube"]


def test_points_that_no_game_brings_are_an_error():
    assert any(problem.is_error for problem in claimed(5).problems[:-1])
    assert claimed(5).games[0].scored.raw > 0


def test_a_claim_without_points_is_one_point():
    assert claimed(None).score.left == 1


def test_a_game_with_nothing_at_all_has_no_end():
    verdict = judge(Record(Format.MAT, 5, entries=(RecordedGame(line=4),)), Ruleset())
    assert [(problem.code, problem.line, problem.game) for problem in verdict.problems] == [
        ("game_without_end", 4, 1),
        ("match_not_finished", 4, None),
    ]
    assert verdict.games[0].scored is None
    assert verdict.games[0].entry is None


def test_under_house_scoring_a_card_states_the_losers_checkers():
    counts = {"uncubed_single": UncubedSingle.CHECKERS_LEFT, "length": 20}
    assert card(Game(LEFT, checkers_left=9), **counts).score.left == 9
    assert "checkers_left_missing" in codes(card(Game(LEFT), **counts))


def test_stake_play_has_no_end_to_miss():
    verdict = card(Game(LEFT, cube=2), Game(RIGHT), length=None)
    assert verdict.problems == ()
    assert verdict.is_finished
    assert (verdict.score.left, verdict.score.right) == (2, 1)


def test_an_unknown_length_is_no_stake_play_to_finish():
    verdict = card(Game(LEFT, cube=2), length=0)
    assert "match_not_finished" not in codes(verdict)


def test_a_record_without_a_game_is_not_finished():
    assert not card(length=None).is_finished
    assert codes(card()) == ["match_not_finished"]


STATED = {
    "jacoby": (True, "jacoby_recorded"),
    "beavers": (1, "beavers_recorded"),
    "automatic_doubles": (2, "automatic_doubles_recorded"),
    "crawford": (False, "crawford_not_recorded"),
}


@pytest.mark.parametrize("name", STATED)
def test_rules_that_a_record_states_and_this_match_has_not_are_a_remark(name):
    value, code = STATED[name]
    stated = StatedRules(**{name: value})
    record = Record(Format.SGF, 3, entries=(RecordedGame(result=Game(LEFT, cube=4)),), stated=stated)
    plain = judge(record, Ruleset())
    assert [(problem.code, problem.severity) for problem in plain.problems if problem.code == code] == [
        (code, "remark")
    ]
    own = with_stated_rules(Ruleset(), stated)
    assert code not in codes(judge(record, own))
    assert own != Ruleset()


def test_a_record_that_states_less_than_this_match_has_is_remarked_on_too():
    record = Record(Format.SGF, 3, entries=(), stated=StatedRules(jacoby=False, crawford=True))
    problem_codes = codes(judge(record, Ruleset(jacoby=True, crawford=CrawfordForm.OFF)))
    assert problem_codes[:2] == ["jacoby_differs", "crawford_recorded"]
    assert with_stated_rules(Ruleset(jacoby=True, crawford=CrawfordForm.OFF), record.stated) == Ruleset()
    assert codes(judge(record, Ruleset(jacoby=False)))[:1] == ["match_not_finished"]


def test_a_record_that_says_nothing_of_its_rules_changes_none():
    assert with_stated_rules(Ruleset(beavers=2), StatedRules()) == Ruleset(beavers=2)


def judged_session(*winners: Side, agreed: int | None, length=None):
    games = tuple(RecordedGame(result=Game(winner)) for winner in winners)
    return judge(Record(Format.JSON, length, entries=games), Ruleset(), length=length, agreed=agreed)


def test_a_session_is_judged_by_its_number_of_games():
    short = judged_session(LEFT, LEFT, agreed=3)
    assert (codes(short), short.is_finished) == (["session_not_finished"], False)
    level = judged_session(LEFT, RIGHT, agreed=2)
    assert (codes(level), level.is_finished) == (["session_not_finished"], False)
    decided = judged_session(LEFT, RIGHT, RIGHT, agreed=2)
    assert (codes(decided), decided.is_finished) == ([], True)
    assert codes(judged_session(LEFT, RIGHT, RIGHT, RIGHT, agreed=2)) == ["match_is_over"]
