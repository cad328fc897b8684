"""Claims of a record against its games: points, winners, scores, lengths, the end."""

import pytest

from rules.ruleset import UncubedSingle
from rules.score import Ending, Win
from tests.rules.cards import has_errors
from tests.rules.judge.texts import DROPPED, codes, errors, judge_text, text

ROLLED = ["31: 8/5 6/5 | 31: 8/5 6/5"]
RIGHT = (ROLLED, "right", "Wins 1 point")


def test_a_missing_ending_is_a_resignation():
    for points, win in ((1, Win.SINGLE), (2, Win.GAMMON), (3, Win.BACKGAMMON)):
        game = judge_text(text((ROLLED, "left", f"Wins {points} points"))).games[0]
        assert (game.entry.ending, game.entry.win, game.scored.raw) == (Ending.RESIGNED, win, points)


def test_a_resignation_brings_once_twice_or_three_times_the_cube():
    problem = judge_text(text((ROLLED, "left", "Wins 5 points"))).problems[0]
    assert (problem.code, problem.rule) == ("resigned_for_odd_points", "SCORE-7")
    doubled = ["31: 8/5 6/5 | Doubles => 2", "Takes | 31: 8/5 6/5"]
    assert errors(text((doubled, "left", "Wins 6 points"))) == ["match_not_finished"]
    assert "resigned_for_odd_points" in errors(text((doubled, "left", "Wins 3 points")))


def test_points_may_be_capped_at_the_points_needed():
    written = text(
        (ROLLED, "left", "Wins 3 points"), (ROLLED, "left", "Wins 1 point and the match"), length=4
    )
    assert errors(written) == []
    over = text((ROLLED, "left", "Wins 3 points"), (ROLLED, "left", "Wins 3 points and the match"), length=4)
    verdict = judge_text(over)
    assert not has_errors(verdict)
    assert (verdict.score.left, verdict.games[1].scored.raw, verdict.games[1].scored.credited) == (4, 3, 1)


def test_one_wrong_score_line_is_reported_once():
    games = [(ROLLED, "left", "Wins 1 point")] * 4
    written = text(*games).replace("Anna : 2", "Anna : 3")
    problems = [problem for problem in judge_text(written).problems if problem.code == "wrong_score_line"]
    assert len(problems) == 1
    assert (problems[0].game, problems[0].params["left"], problems[0].params["written_left"]) == (3, 2, 3)


def test_an_error_repeated_in_score_lines_is_reported_once():
    games = [(ROLLED, "left", "Wins 1 point")] * 5
    written = text(*games).replace("Anna : 3", "Anna : 4").replace("Anna : 4\n", "Anna : 5\n")
    assert codes(written).count("wrong_score_line") <= 2


def test_games_after_the_end_are_errors():
    written = text((ROLLED, "left", "Wins 3 points"), RIGHT, length=3)
    problems = [problem for problem in judge_text(written).problems if problem.code == "match_is_over"]
    assert [problem.game for problem in problems] == [2]
    assert judge_text(written).score.right == 0


def test_the_match_is_not_won_before_somebody_has_the_points():
    assert "match_not_won_yet" in errors(text((ROLLED, "left", "Wins 1 point and the match"), length=3))


def test_a_record_that_stops_is_no_whole_match():
    verdict = judge_text(text(RIGHT, length=3))
    assert [problem.code for problem in verdict.problems] == ["match_not_finished"]
    assert not verdict.is_finished
    whole = judge_text(text((ROLLED, "right", "Wins 3 points"), length=3))
    assert whole.is_finished
    assert whole.problems == ()


def test_a_game_without_an_end_is_reported_at_its_heading():
    written = text(RIGHT, RIGHT).rsplit("Wins", 1)[0].rstrip() + "\n"
    problem = next(problem for problem in judge_text(written).problems if problem.code == "game_without_end")
    assert problem.game == 2
    assert written.splitlines()[problem.line - 1].strip() == "Game 2"


def test_a_wrong_length_is_reported_with_an_offer():
    written = text((ROLLED, "left", "Wins 3 points"), (ROLLED, "left", "Wins 2 points"), length=5)
    longer = judge_text(written, posted=7).problems[0]
    assert (longer.code, longer.offer) == ("wrong_match_length", "resume_match")
    assert "7" in longer.offer_sentence
    shorter = judge_text(written, posted=3)
    assert shorter.problems[0].offer == "first_to_posted"
    assert shorter.score.left == 3
    assert shorter.score.is_over


def test_the_posted_length_may_be_the_recorded_one():
    assert "wrong_match_length" not in codes(text(RIGHT, length=5), posted=5)


def test_a_reported_score_that_differs_is_a_problem_of_its_own():
    written = text((ROLLED, "right", "Wins 3 points"), length=3)
    assert codes(written, reported=(0, 3)) == []
    problem = judge_text(written, reported=(3, 0)).problems[0]
    assert (problem.code, problem.is_error) == ("reported_score_differs", True)
    assert "0-3" in problem.sentence
    assert "3-0" in problem.sentence


def test_an_uncubed_single_counts_the_losers_checkers_where_the_ruleset_says_so():
    counts = {"uncubed_single": UncubedSingle.CHECKERS_LEFT}
    verdict = judge_text(text((ROLLED, "left", "Wins 15 points"), length=25), **counts)
    assert (verdict.games[0].entry.checkers_left, verdict.score.left) == (15, 15)
    assert "resigned_for_odd_points" not in [problem.code for problem in verdict.problems]
    dropped = judge_text(text((DROPPED, "right", "Wins 1 point"), length=25), **counts)
    assert (dropped.games[0].entry.checkers_left, dropped.score.right) == (None, 1)


def test_a_record_that_begins_in_mid_match_says_what_cannot_be_checked():
    written = text((ROLLED, "right", "Wins 1 point"), start=(3, 2), length=4).replace("Game 1", "Game 4")
    verdict = judge_text(written)
    assert ("begins_in_mid_match", "remark") in [
        (problem.code, problem.severity) for problem in verdict.problems
    ]
    assert verdict.games[0].is_crawford
    assert (verdict.score.left, verdict.score.right) == (3, 3)


def test_a_first_game_that_begins_with_points_is_a_warning():
    verdict = judge_text(text((ROLLED, "right", "Wins 1 point"), start=(1, 0), length=4))
    (problem,) = (problem for problem in verdict.problems if problem.code == "first_game_begins_scored")
    assert (problem.severity, problem.params) == ("warning", {"left": 1, "right": 0})
    assert (verdict.score.left, verdict.score.right) == (1, 1)


def test_a_missing_game_is_reported():
    written = text(RIGHT, RIGHT, RIGHT).replace("Game 3", "Game 4")
    problem = next(problem for problem in judge_text(written).problems if problem.code == "game_missing")
    assert (problem.severity, problem.params["number"], problem.params["last"]) == ("remark", 4, 2)


@pytest.mark.parametrize("rows", [["33: 8/5(2) 6/3(2) |"], ["| 11: 8/7(2) 6/5(2)"]])
def test_the_opening_roll_is_never_a_double(rows):
    assert errors(text((rows, "left", "Wins 1 point")))[0] == "opening_double"


def test_a_roll_with_nothing_written_is_no_pass_where_the_game_ended_with_it():
    ended = ["31: 8/5 6/5 | 31:"]
    assert errors(text((ended, "left", "Wins 1 point"))) == ["match_not_finished"]
    went_on = ["31: 8/5 6/5 | 31:", "31: 8/5 6/5 |"]
    assert errors(text((went_on, "left", "Wins 1 point")))[0] == "passed_with_a_legal_play"
