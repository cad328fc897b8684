"""Later errors after the first illegal turn of a game are likely consequences; others are not."""

from dataclasses import replace

import pytest

from rules.judge import faults, sources
from rules.problem import problem
from tests.rules.judge.texts import judge_text
from tests.rules.oracles import OWN


def problem_of(code, game=1, move=None, **params):
    return replace(problem(code, game=game, **params), move=move)


def test_errors_after_an_illegal_play_follow_from_it():
    problems = [
        problem_of("blocked_point", move=3),
        problem_of("no_checker_there", move=4),
        problem_of("wrong_points"),
    ]
    assert sources(problems) == (None, 0, 0)


def test_the_next_game_is_independent():
    problems = [problem_of("blocked_point", move=3), problem_of("bar_first", game=2, move=5)]
    assert sources(problems) == (None, None)


def test_earlier_problems_do_not_follow_from_an_illegal_play():
    problems = [problem_of("wrong_score_line"), problem_of("blocked_point", move=3)]
    assert sources(problems) == (None, None)


@pytest.mark.parametrize("code", ["no_double_in_crawford", "match_is_over", "double_above_limit"])
def test_errors_by_the_score_alone_never_follow(code):
    assert sources([problem_of("blocked_point", move=3), problem_of(code, move=5)]) == (None, None)


@pytest.mark.parametrize("code", ["dead_cube", "play_not_recorded"])
def test_remarks_and_warnings_neither_follow_nor_lead(code):
    problems = [problem_of(code, move=2), problem_of("blocked_point", move=3), problem_of(code, move=5)]
    assert sources(problems) == (None, None, None)


def test_a_turn_that_could_not_be_read_upsets_the_board_too():
    assert sources([problem_of("play_not_understood", text="?"), problem_of("out_of_turn", move=4)]) == (
        None,
        0,
    )


def test_a_wrong_claim_at_the_end_leads_nothing():
    assert sources([problem_of("wrong_winner"), problem_of("wrong_points")]) == (None, None)


def test_problems_of_the_whole_record_never_follow():
    problems = [problem_of("blocked_point", move=3), problem_of("match_not_finished", game=None)]
    assert sources(problems) == (None, None)


def test_faults_are_in_order_each_with_its_consequences():
    problems = [
        problem_of("blocked_point", move=3),
        problem_of("dead_cube", move=4),
        problem_of("bar_first", move=5),
        problem_of("opening_double", game=2, move=1),
        problem_of("wrong_winner", game=1),
    ]
    assert [(fault.index, fault.consequences) for fault in faults(problems)] == [
        (0, (2, 4)),
        (1, ()),
        (3, ()),
    ]


def test_every_problem_appears_exactly_once():
    for path in sorted((OWN / "invalid").glob("*.mat")):
        problems = judge_text(path.read_bytes().decode()).problems
        indexes = [index for fault in faults(problems) for index in (fault.index, *fault.consequences)]
        assert sorted(indexes) == list(range(len(problems))), path.name
