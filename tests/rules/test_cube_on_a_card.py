"""What a card may say of the cube: CUBE and OPEN-4 rows, dead cubes and useless ones."""

from dataclasses import replace

import pytest

from rules.problem import Offer
from rules.ruleset import LARGEST_CUBE
from rules.score import largest_useful_cube, nearest_legal, play
from tests.rules.cards import (
    BACKGAMMON,
    BOXED,
    GAMMON,
    LEFT,
    NO_CUBE,
    RIGHT,
    TOURNAMENT,
    TRAILER_ONLY,
    at,
    dropped,
    post_crawford,
    refused,
    remarked,
    resigned,
    won,
)

LIMITED = replace(TOURNAMENT, cube_limit=4)
STAKE = at(0, 0, None)


@pytest.mark.parametrize("cube", [0, -2, 3, 6, 12, 63])
def test_a_cube_shows_powers_of_two(cube):
    """CUBE-6."""
    problem = refused(at(0, 0), won(LEFT, cube=cube))
    assert (problem.code, problem.rule) == ("cube_not_a_power_of_two", "CUBE-6")


@pytest.mark.parametrize("cube", [64, 128, 1024, LARGEST_CUBE])
def test_a_cube_wraps_round_above_sixty_four(cube):
    assert play(STAKE, won(LEFT, cube=cube), TOURNAMENT).raw == cube


def test_a_cube_of_millions_is_a_slip():
    assert refused(STAKE, won(LEFT, cube=LARGEST_CUBE * 2)).code == "cube_beyond_counting"


class TestLimit:
    """CUBE-6 with a director's limit."""

    def test_the_cube_goes_as_high_as_the_limit(self):
        assert play(STAKE, won(LEFT, cube=4), LIMITED).raw == 4
        assert refused(STAKE, won(LEFT, cube=8), LIMITED).code == "cube_above_limit"

    def test_a_double_beyond_it_cannot_have_been_dropped(self):
        assert play(STAKE, dropped(LEFT, 2), LIMITED).raw == 2
        assert refused(STAKE, dropped(LEFT, 4), LIMITED).code == "double_above_limit"


class TestWithoutCube:
    """CUBE-8."""

    def test_a_turned_cube_can_be_annulled(self):
        problem = refused(at(0, 0), won(LEFT, cube=2), NO_CUBE)
        assert (problem.code, problem.rule, problem.offer) == ("no_cube_in_match", "CUBE-8", Offer.ANNUL)

    def test_nothing_can_be_dropped(self):
        problem = refused(at(0, 0), dropped(LEFT), NO_CUBE)
        assert (problem.code, problem.offer) == ("no_drop_in_match", Offer.RESUME_OR_DIRECTOR)

    def test_gammons_count(self):
        assert play(at(0, 0), won(LEFT, BACKGAMMON), NO_CUBE).credited == 3


class TestAutomaticDoubles:
    """OPEN-4."""

    ONE = replace(TOURNAMENT, automatic_doubles=1)
    ANY = replace(TOURNAMENT, automatic_doubles=None)

    def test_they_are_not_played_unless_chosen(self):
        problem = refused(STAKE, won(LEFT, cube=2, automatic_doubles=1))
        assert (problem.code, problem.rule) == ("automatic_doubles_not_played", "OPEN-4")

    def test_a_game_has_no_more_than_the_ruleset_allows(self):
        assert play(STAKE, won(LEFT, cube=2, automatic_doubles=1), self.ONE).raw == 2
        game = won(LEFT, cube=4, automatic_doubles=2)
        assert refused(STAKE, game, self.ONE).code == "automatic_doubles_too_many"
        assert play(STAKE, game, self.ANY).raw == 4

    def test_any_number_is_still_one_that_a_cube_can_show(self):
        most = won(LEFT, cube=LARGEST_CUBE, automatic_doubles=20)
        assert play(STAKE, most, self.ANY).raw == LARGEST_CUBE
        assert refused(STAKE, replace(most, automatic_doubles=21), self.ANY).params["most"] == 20

    def test_the_cube_is_never_below_them(self):
        problem = refused(STAKE, won(LEFT, automatic_doubles=1), self.ONE)
        assert (problem.code, problem.params["least"]) == ("cube_below_automatic", 2)

    def test_a_first_double_dropped_after_one_pays_two(self):
        """CUBE-5."""
        assert play(STAKE, dropped(LEFT, 2, automatic_doubles=1), self.ONE).raw == 2

    def test_there_are_none_below_nought(self):
        assert refused(STAKE, won(LEFT, automatic_doubles=-1), self.ANY).code == "automatic_doubles_negative"


@pytest.mark.parametrize("win", [GAMMON, BACKGAMMON])
def test_a_drop_ends_the_game_as_a_single(win):
    """CUBE-5."""
    problem = refused(STAKE, replace(dropped(LEFT, 2), win=win))
    assert (problem.code, problem.rule) == ("gammon_on_a_drop", "CUBE-5")


class TestUsefulCubes:
    @pytest.mark.parametrize(
        ("score", "useful"),
        [(at(0, 0), 8), (at(0, 0, 1), 1), (at(0, 0, 9), 16), (at(5, 5), 2), (at(6, 3), 4), (at(6, 6), 1)],
    )
    def test_the_largest_useful_cube_wins_the_match_for_either(self, score, useful):
        assert largest_useful_cube(score) == useful

    def test_stake_play_knows_no_largest(self):
        assert largest_useful_cube(STAKE) is None
        assert remarked(STAKE, won(LEFT, cube=1024)) == []

    def test_a_cube_beyond_it_is_remarked(self):
        assert remarked(at(0, 0), won(LEFT, cube=8)) == []
        assert remarked(at(0, 0), won(LEFT, cube=16)) == ["cube_larger_than_useful"]
        assert remarked(post_crawford(6, 6), won(LEFT, cube=2)) == ["cube_larger_than_useful"]

    def test_an_automatic_double_is_no_dead_cube(self):
        ruleset = replace(TOURNAMENT, automatic_doubles=1)
        assert remarked(post_crawford(6, 6), won(LEFT, cube=2, automatic_doubles=1), ruleset) == []


class TestDeadCube:
    def test_the_trailer_doubles_at_once_after_the_crawford_game(self):
        assert remarked(post_crawford(6, 3), won(RIGHT, cube=2)) == []
        assert remarked(post_crawford(6, 3), dropped(RIGHT)) == []

    def test_a_four_cube_after_it_means_that_the_leader_doubled(self):
        assert remarked(post_crawford(6, 3), won(RIGHT, cube=4)) == ["dead_cube"]
        assert remarked(post_crawford(3, 6), won(RIGHT, cube=4)) == ["dead_cube"]

    def test_a_dropped_double_of_a_player_who_had_enough_is_remarked(self):
        assert remarked(at(4, 0), dropped(LEFT, 4)) == ["dead_cube"]
        assert remarked(at(4, 0), dropped(LEFT, 2)) == []
        assert remarked(at(4, 0), dropped(RIGHT, 4)) == []

    def test_doubles_that_can_have_been_made_in_a_useful_order_are_not(self):
        assert remarked(at(4, 0), won(LEFT, cube=4)) == []
        assert remarked(at(5, 0), won(LEFT, cube=8)) == ["dead_cube"]

    def test_an_automatic_double_is_no_double_of_the_leader(self):
        ruleset = replace(TOURNAMENT, automatic_doubles=1)
        game = won(RIGHT, cube=4, automatic_doubles=1)
        assert remarked(post_crawford(6, 3), game, ruleset) == []

    def test_with_beavers_one_side_may_have_turned_the_cube_twice(self):
        assert remarked(post_crawford(6, 3), won(RIGHT, cube=4), replace(TOURNAMENT, beavers=1)) == []

    def test_where_only_the_leader_may_double_a_turned_cube_was_dead(self):
        assert remarked(at(6, 3), won(RIGHT, cube=2), TRAILER_ONLY) == ["dead_cube"]


class TestNearestLegal:
    """The game as scored once what was illegal is annulled."""

    def test_a_crawford_cube_is_annulled(self):
        assert nearest_legal(at(6, 3), won(RIGHT, GAMMON, 4), TOURNAMENT) == won(RIGHT, GAMMON)

    def test_a_crawford_drop_counts_as_a_single_given_up(self):
        assert nearest_legal(at(6, 3), dropped(RIGHT, 2), TOURNAMENT) == resigned(RIGHT)

    def test_a_cube_of_three_counts_as_two(self):
        assert nearest_legal(at(0, 0), won(LEFT, cube=3), TOURNAMENT) == won(LEFT, cube=2)
        assert nearest_legal(at(0, 0), won(LEFT, cube=-5), TOURNAMENT) == won(LEFT)

    def test_a_gammon_on_a_drop_counts_as_the_drop(self):
        game = replace(dropped(LEFT, 2), win=GAMMON)
        assert nearest_legal(at(0, 0), game, TOURNAMENT) == dropped(LEFT, 2)

    def test_checkers_that_were_not_stated_count_as_one(self):
        assert nearest_legal(at(0, 0), won(LEFT), BOXED) == won(LEFT, checkers_left=1)
        assert nearest_legal(at(0, 0), won(LEFT, checkers_left=15), BOXED).checkers_left == 14
