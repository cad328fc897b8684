"""The cube in a game record: turns, offered values, drops, the Crawford game."""

from rules.record.reading import read
from rules.ruleset import CrawfordForm, CubeTiming, FirstDouble, Opening
from rules.score import Ending, Win
from tests.rules.cards import has_errors
from tests.rules.judge.texts import DROPPED, codes, errors, judge_text, text

ONE_EACH = ["31: 8/5 6/5 | 31: 8/5 6/5"]
TO_SIX = [
    (["31: 8/5 6/5 | Doubles => 2", "Takes | 31: 8/5 6/5"], "left", "Wins 6 points"),
]


def test_a_dropped_double_pays_the_stake_before_it():
    verdict = judge_text(text((DROPPED, "right", "Wins 1 point"), length=1 + 1))
    game = verdict.games[0]
    assert (game.entry.ending, game.entry.cube, game.scored.raw) == (Ending.DROPPED, 1, 1)
    assert (verdict.score.left, verdict.score.right) == (0, 1)


def test_a_redouble_is_the_owners_alone():
    rows = ["31: 8/5 6/5 | Doubles => 2", "Takes | 31: 8/5 6/5", "61: 13/7 8/7 | Doubles => 4", "Takes |"]
    assert "cube_not_yours" in errors(text((rows, "right", "Wins 4 points")))


def test_the_value_that_is_offered_is_twice_the_stake():
    rows = ["31: 8/5 6/5 | Doubles => 4", "Drops |"]
    problem = judge_text(text((rows, "right", "Wins 1 point"))).problems[0]
    assert (problem.code, problem.rule, problem.move, problem.params["offered"]) == (
        "wrong_cube_value",
        "CUBE-6",
        1,
        2,
    )


def test_a_take_needs_a_double():
    assert errors(text((["31: 8/5 6/5 | Takes"], "left", "Wins 1 point")))[0] == "no_double_to_answer"


def test_a_double_is_answered_before_the_next_roll():
    rows = ["31: 8/5 6/5 | Doubles => 2", "| 31: 8/5 6/5"]
    assert "double_not_answered" in errors(text((rows, "left", "Wins 2 points")))


def test_a_player_doubles_on_their_own_turn():
    rows = ["31: 8/5 6/5 | 31: 8/5 6/5", "| Doubles => 2", "Drops |"]
    assert "double_out_of_turn" in errors(text((rows, "right", "Wins 1 point")))
    assert "double_out_of_turn" not in errors(
        text((rows, "right", "Wins 1 point")), cube_timing=CubeTiming.ANY_TIME
    )


def test_no_double_before_the_opening_roll():
    rows = ["Doubles => 2 | Drops"]
    assert "double_before_opening_roll" in errors(text((rows, "left", "Wins 1 point")))
    again = {"opening": Opening.ROLL_AGAIN}
    assert "double_before_opening_roll" not in errors(text((rows, "left", "Wins 1 point")), **again)


def test_the_ruleset_can_forbid_doubles_before_the_first_throw():
    rows = ["Doubles => 2 | Drops"]
    waits = {"opening": Opening.ROLL_AGAIN, "first_double": FirstDouble.AFTER_FIRST_THROW}
    assert "double_before_first_throw" in errors(text((rows, "left", "Wins 1 point")), **waits)


def test_beavers_are_played_only_where_the_ruleset_has_them():
    rows = ["31: 8/5 6/5 | Doubles => 2", "Beavers => 4 | 31: 8/5 6/5"]
    written = text((rows, "left", "Wins 4 points"))
    assert "no_beavers" in errors(written)
    assert errors(written, beavers=1) == ["match_not_finished"]
    raccoon = ["31: 8/5 6/5 | Doubles => 2", "Beavers => 4 | Beavers => 8", "| 31: 8/5 6/5"]
    assert "too_many_beavers" in errors(text((raccoon, "left", "Wins 8 points")), beavers=1)
    assert "too_many_beavers" not in errors(text((raccoon, "left", "Wins 8 points")), beavers=2)


def test_a_cube_limit_applies_to_a_record():
    rows = ["31: 8/5 6/5 | Doubles => 2", "Takes | 31: 8/5 6/5", "Doubles => 4 | Drops"]
    assert "double_above_limit" in errors(text((rows, "left", "Wins 2 points")), cube_limit=2)


def test_a_double_that_cannot_help_is_a_remark():
    rows = ["31: 8/5 6/5 | Doubles => 2", "Drops |"]
    verdict = judge_text(
        text((rows, "right", "Wins 1 point"), start=(0, 6), length=7), crawford=CrawfordForm.OFF
    )
    assert [problem.code for problem in verdict.problems if problem.severity == "remark"] == ["dead_cube"]
    assert not has_errors(verdict)


def crawford_game(rows, side, claim):
    return text((ONE_EACH, "left", "Wins 3 points"), (ONE_EACH, "left", "Wins 3 points"), (rows, side, claim))


def test_a_double_in_the_crawford_game_that_was_played_on_may_be_annulled():
    rows = ["31: 8/5 6/5 | Doubles => 2", "Takes | 31: 8/5 6/5"]
    verdict = judge_text(crawford_game(rows, "right", "Wins 2 points"))
    problem = next(problem for problem in verdict.problems if problem.code == "no_double_in_crawford")
    assert (problem.rule, problem.offer, problem.game) == ("CRAW-1", "annul", 3)
    assert problem.offer_sentence.endswith("the cube at 1.")
    assert verdict.games[2].is_crawford
    assert verdict.score.right == 1


def test_a_drop_in_the_crawford_game_goes_back_to_the_players_or_the_director():
    verdict = judge_text(crawford_game(DROPPED, "right", "Wins 1 point"))
    problem = next(problem for problem in verdict.problems if problem.code == "no_double_in_crawford")
    assert problem.offer == "resume_or_director"


def test_where_only_the_trailer_is_bound_the_leader_may_double():
    leader = ["| 31: 8/5 6/5", "Doubles => 2 | Drops"]
    trailer_only = {"crawford": CrawfordForm.TRAILER_ONLY}
    assert errors(crawford_game(leader, "left", "Wins 1 point"), **trailer_only) == []
    assert "no_double_in_crawford_trailer" in errors(
        crawford_game(DROPPED, "right", "Wins 1 point"), **trailer_only
    )


def test_without_the_crawford_rule_the_cube_stays():
    assert "no_double_in_crawford" not in codes(
        crawford_game(DROPPED, "right", "Wins 1 point"), crawford=CrawfordForm.OFF
    )


def test_a_match_to_one_point_and_a_match_without_a_cube_have_none():
    assert "no_double_in_one_point_match" in errors(text((DROPPED, "right", "Wins 1 point"), length=1))
    assert "no_double_in_match" in errors(text((DROPPED, "right", "Wins 1 point")), cube=False)


def test_an_automatic_double_shows_in_the_first_double_that_is_offered():
    rows = ["31: 8/5 6/5 | Doubles => 4", "Drops |"]
    written = text((rows, "right", "Wins 2 points"), length=0)
    verdict = judge_text(written, automatic_doubles=1)
    assert not has_errors(verdict)
    assert verdict.games[0].automatic_doubles == 1
    assert verdict.games[0].scored.raw == 2
    assert "wrong_cube_value" in errors(written)


def test_by_the_jacoby_rule_an_undoubled_gammon_counts_once():
    written = text((ONE_EACH, "left", "Wins 2 points"), length=0)
    plain, jacoby = judge_text(written), judge_text(written, jacoby=True)
    assert plain.games[0].entry.win is Win.GAMMON
    assert plain.score.left == 2
    assert jacoby.score.left == 1


def test_the_record_is_read_as_it_is_written():
    assert len(read(crawford_game(DROPPED, "right", "Wins 1 point").encode()).games) == 3
