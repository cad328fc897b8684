"""Fourteen games that every scorer of a match to 7 must get right."""

from dataclasses import replace

import pytest

from rules.problem import Offer, Severity
from rules.score import Penalty, Side, play
from tests.rules.cards import (
    BOXED,
    CHECKERS,
    GAMMON,
    JACOBY,
    LEFT,
    RIGHT,
    TOURNAMENT,
    after,
    at,
    dropped,
    fined,
    points_of,
    post_crawford,
    refused,
    won,
)


def test_a_gammon_on_a_two_cube_brings_four():
    line = play(at(0, 0), won(LEFT, GAMMON, 2), TOURNAMENT)
    assert (line.raw, points_of(line.after)) == (4, (4, 0))


def test_points_beyond_the_match_are_raw_but_not_credited():
    line = play(at(4, 0), dropped(LEFT, 4), TOURNAMENT)
    assert (line.before.left + line.raw, line.raw, line.credited) == (8, 4, 3)
    assert points_of(line.after) == (7, 0)
    assert line.after.is_over
    assert line.after.winner is LEFT


@pytest.mark.parametrize("cube", [2, 4, 64])
def test_a_turned_cube_in_a_crawford_game_that_was_played_out_can_be_annulled(cube):
    problem = refused(at(6, 3), won(RIGHT, GAMMON, cube))
    assert (problem.code, problem.rule, problem.offer) == ("crawford_cube", "CRAW-1", Offer.ANNUL)
    assert problem.offer_sentence == "Annul the double: score the game with the cube at 1."


@pytest.mark.parametrize("cube", [1, 2])
def test_a_double_dropped_in_the_crawford_game_is_for_resuming_or_the_director(cube):
    problem = refused(at(6, 3), dropped(RIGHT, cube))
    assert (problem.code, problem.rule, problem.offer) == (
        "crawford_drop",
        "CRAW-1",
        Offer.RESUME_OR_DIRECTOR,
    )


def test_the_trailer_wins_a_gammon_in_the_crawford_game():
    line = play(at(6, 3), won(RIGHT, GAMMON), TOURNAMENT)
    assert line.is_crawford
    assert points_of(line.after) == (6, 5)
    assert line.after.is_post_crawford
    assert not line.after.is_crawford


def test_after_the_crawford_game_the_trailer_doubles_and_the_leader_drops():
    assert points_of(after(post_crawford(6, 4), dropped(RIGHT))) == (6, 5)


def test_double_match_point_is_no_second_crawford_game():
    score = after(post_crawford(6, 5), won(RIGHT))
    assert points_of(score) == (6, 6)
    assert score.is_double_match_point
    assert not score.is_crawford


def test_a_single_on_a_two_cube_at_five_all_wins_the_match():
    score = after(at(5, 5), won(RIGHT, cube=2))
    assert (points_of(score), score.winner) == ((5, 7), RIGHT)


def test_a_drop_is_never_a_gammon():
    assert refused(at(0, 0), replace(dropped(LEFT), win=GAMMON)).code == "gammon_on_a_drop"


def test_a_cube_of_three_is_an_error_and_a_cube_of_sixteen_a_remark():
    assert refused(at(0, 0), won(LEFT, cube=3)).code == "cube_not_a_power_of_two"
    (remark,) = play(at(0, 0), won(LEFT, cube=16), TOURNAMENT).remarks
    assert (remark.severity, remark.code) == (Severity.REMARK, "cube_larger_than_useful")


@pytest.mark.parametrize("entry", [won(LEFT), dropped(RIGHT, 2), fined(LEFT, 1)])
def test_nothing_is_played_after_the_end(entry):
    assert refused(at(7, 5), entry).code == "match_is_over"


def test_a_one_point_match_has_no_cube():
    problem = refused(at(0, 0, length=1), won(LEFT, cube=2))
    assert (problem.code, problem.offer) == ("no_cube_in_one_point_match", Offer.ANNUL)


def test_late_penalty_points_go_to_the_other_side_and_are_no_game():
    line = play(at(5, 2), fined(LEFT, 2), TOURNAMENT)
    assert points_of(line.after) == (5, 4)
    assert isinstance(line.entry, Penalty)
    assert (line.number, line.after.games) == (None, 0)


def test_jacoby_cuts_a_gammon_on_a_centred_cube():
    stake = at(0, 0, length=None)
    assert play(stake, won(LEFT, GAMMON), JACOBY).raw == 1
    automatic = replace(JACOBY, automatic_doubles=1)
    assert play(stake, won(LEFT, GAMMON, 2, automatic_doubles=1), automatic).raw == 2


@pytest.mark.parametrize("brings_crawford", [True, False])
def test_match_point_by_a_penalty_in_mid_game_brings_the_crawford_game_as_the_ruleset_says(brings_crawford):
    ruleset = replace(TOURNAMENT, crawford_after_penalty=brings_crawford)
    during = after(at(5, 2), fined(RIGHT, 1, mid_game=True), ruleset=ruleset)
    assert points_of(during) == (6, 2)
    assert not during.is_crawford
    done = after(during, won(RIGHT, cube=2), ruleset=ruleset)
    assert points_of(done) == (6, 4)
    assert done.is_crawford is brings_crawford


def test_a_boxed_set_card_states_the_losers_checkers_left():
    assert refused(at(0, 0), won(LEFT), BOXED).code == "checkers_left_missing"
    assert play(at(0, 0), won(LEFT, checkers_left=5), BOXED).raw == 5
    assert play(at(0, 0), won(LEFT, checkers_left=5), CHECKERS).after.points(Side.LEFT) == 5
