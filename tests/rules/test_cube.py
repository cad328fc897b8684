"""The cube within a game: who turns it, when, and who answers what. CUBE rows and OPEN-4."""

from dataclasses import replace

import pytest

from rules.cube import Cube, Moment, beaver, double, drop, initial_cube, take
from rules.problem import Problem, RuleBroken
from rules.ruleset import CubeTiming, FirstDouble, Ruleset
from rules.score import Score, Side, play
from tests.rules.cards import (
    LEFT,
    NO_CRAWFORD,
    NO_CUBE,
    RIGHT,
    TOURNAMENT,
    TRAILER_ONLY,
    at,
    dropped,
    post_crawford,
    won,
)

STAKE = at(0, 0, None)
BEAVERS = replace(TOURNAMENT, beavers=1)
RACCOONS = replace(TOURNAMENT, beavers=None)
AUTOMATIC = replace(TOURNAMENT, automatic_doubles=1)
LIMITED = replace(TOURNAMENT, cube_limit=4)


def doubled(cube: Cube, by: Side, ruleset: Ruleset = TOURNAMENT, score: Score = STAKE) -> Cube:
    return double(cube, by, Moment(turn=by), score, ruleset)


def turned(*doublers: Side) -> Cube:
    cube = Cube()
    for by in doublers:
        cube = take(doubled(cube, by), by.other)
    return cube


def no(action, *arguments) -> Problem:
    with pytest.raises(RuleBroken) as raised:
        action(*arguments)
    return raised.value.problem


class TestOwnership:
    """CUBE-4, CUBE-6."""

    @pytest.mark.parametrize("side", Side)
    def test_either_player_may_double_first(self, side):
        assert take(doubled(Cube(), side), side.other) == Cube(value=2, owner=side.other)

    def test_only_the_taker_may_redouble(self):
        assert no(doubled, turned(LEFT), LEFT).code == "cube_not_yours"
        assert turned(LEFT, RIGHT, LEFT) == Cube(value=8, owner=RIGHT)

    def test_a_double_waits_for_its_answer(self):
        assert no(doubled, doubled(Cube(), LEFT), RIGHT).code == "cube_already_offered"

    def test_only_the_player_who_was_doubled_answers(self):
        offered = doubled(Cube(), LEFT)
        assert (offered.answering, Cube().answering) == (RIGHT, None)
        for answer in (take, drop):
            assert no(answer, offered, LEFT).code == "not_yours_to_answer"
            assert no(answer, Cube(), RIGHT).code == "no_double_to_answer"

    def test_no_double_goes_beyond_the_limit(self):
        four = turned(LEFT, RIGHT)
        assert no(doubled, four, LEFT, LIMITED).code == "double_above_limit"
        assert doubled(turned(LEFT), RIGHT, LIMITED).doubler is RIGHT
        assert doubled(four, LEFT).doubler is LEFT


class TestMoment:
    def test_a_player_doubles_on_their_own_turn_before_rolling(self):
        """CUBE-1."""
        assert no(double, Cube(), LEFT, Moment(RIGHT), STAKE, TOURNAMENT).code == "double_out_of_turn"
        rolled = Moment(LEFT, has_rolled=True)
        assert no(double, Cube(), LEFT, rolled, STAKE, TOURNAMENT).rule == "CUBE-1"

    @pytest.mark.parametrize("moment", [Moment(RIGHT), Moment(LEFT, has_rolled=True)])
    def test_or_at_any_time(self, moment):
        """CUBE-2."""
        any_time = replace(TOURNAMENT, cube_timing=CubeTiming.ANY_TIME)
        assert double(Cube(), LEFT, moment, STAKE, any_time).doubler is LEFT

    def test_even_then_only_with_access_to_the_cube(self):
        any_time = replace(TOURNAMENT, cube_timing=CubeTiming.ANY_TIME)
        assert no(double, turned(LEFT), LEFT, Moment(RIGHT), STAKE, any_time).code == "cube_not_yours"

    def test_a_ruleset_can_forbid_doubles_before_the_first_throw(self):
        """CUBE-3."""
        opening = Moment(LEFT, is_first_throw_made=False)
        later = replace(TOURNAMENT, first_double=FirstDouble.AFTER_FIRST_THROW)
        assert no(double, Cube(), LEFT, opening, STAKE, later).rule == "CUBE-3"
        assert double(Cube(), LEFT, Moment(LEFT), STAKE, later).doubler is LEFT
        assert double(Cube(), LEFT, opening, STAKE, TOURNAMENT).doubler is LEFT


class TestDrop:
    """CUBE-5."""

    def test_the_doubler_wins_the_stake_as_it_stood(self):
        assert drop(doubled(Cube(), LEFT), RIGHT) == dropped(LEFT)
        assert drop(doubled(turned(LEFT, RIGHT), LEFT), RIGHT) == dropped(LEFT, 4)

    def test_after_an_automatic_double_that_is_two(self):
        game = drop(doubled(initial_cube(1, STAKE, AUTOMATIC), LEFT), RIGHT)
        assert game == dropped(LEFT, 2, automatic_doubles=1)
        assert play(STAKE, game, AUTOMATIC).raw == 2


class TestAutomaticDoubles:
    """OPEN-4."""

    def test_a_tied_opening_turns_the_cube_and_leaves_it_in_the_middle(self):
        assert initial_cube(1, STAKE, AUTOMATIC) == Cube(value=2, owner=None, automatic_doubles=1)

    def test_no_more_often_than_the_ruleset_allows(self):
        assert initial_cube(3, STAKE, AUTOMATIC).value == 2
        assert initial_cube(3, STAKE, replace(TOURNAMENT, automatic_doubles=None)).value == 8
        assert initial_cube(3, STAKE, TOURNAMENT) == Cube()

    def test_never_beyond_the_limit_nor_where_there_is_no_cube(self):
        both = replace(LIMITED, automatic_doubles=None)
        assert initial_cube(9, STAKE, both) == Cube(value=4, automatic_doubles=2)
        assert initial_cube(1, at(6, 3), AUTOMATIC) == Cube()


class TestBeavers:
    """CUBE-7."""

    OFFERED = doubled(Cube(), LEFT)

    def test_the_doubled_player_redoubles_at_once_and_keeps_the_cube(self):
        beavered = beaver(self.OFFERED, RIGHT, STAKE, BEAVERS)
        assert beavered.answering is LEFT
        assert take(beavered, LEFT) == Cube(value=4, owner=RIGHT)

    def test_refusing_a_beaver_pays_what_the_double_offered(self):
        assert drop(beaver(self.OFFERED, RIGHT, STAKE, BEAVERS), LEFT) == dropped(RIGHT, 2)

    def test_a_raccoon_answers_a_beaver_and_the_cube_stays_where_it_was(self):
        raccooned = beaver(beaver(self.OFFERED, RIGHT, STAKE, RACCOONS), LEFT, STAKE, RACCOONS)
        assert (raccooned.answering, drop(raccooned, RIGHT)) == (RIGHT, dropped(LEFT, 4))
        assert take(raccooned, RIGHT) == Cube(value=8, owner=RIGHT)

    def test_there_are_as_many_as_the_ruleset_allows(self):
        assert no(beaver, self.OFFERED, RIGHT, STAKE, TOURNAMENT).code == "no_beavers"
        beavered = beaver(self.OFFERED, RIGHT, STAKE, BEAVERS)
        assert no(beaver, beavered, LEFT, STAKE, BEAVERS).code == "too_many_beavers"
        two = replace(BEAVERS, beavers=2)
        third = no(beaver, beaver(beavered, LEFT, STAKE, two), RIGHT, STAKE, two)
        assert third.sentence.startswith("A double may be beavered 2 times at most")

    def test_the_next_double_may_be_beavered_again(self):
        cube = take(beaver(self.OFFERED, RIGHT, STAKE, BEAVERS), LEFT)
        again = beaver(doubled(cube, RIGHT, BEAVERS), LEFT, STAKE, BEAVERS)
        assert take(again, RIGHT) == Cube(value=16, owner=LEFT)

    def test_only_a_double_is_beavered_and_only_by_who_was_doubled(self):
        assert no(beaver, Cube(), RIGHT, STAKE, BEAVERS).code == "no_double_to_answer"
        assert no(beaver, self.OFFERED, LEFT, STAKE, BEAVERS).code == "not_yours_to_answer"

    def test_a_beaver_keeps_to_the_limit_and_to_the_crawford_game(self):
        tight = replace(BEAVERS, cube_limit=2)
        assert no(beaver, self.OFFERED, RIGHT, STAKE, tight).code == "double_above_limit"
        assert beaver(self.OFFERED, RIGHT, STAKE, replace(BEAVERS, cube_limit=4)).value == 2
        trailer_only = replace(TRAILER_ONLY, beavers=1)
        offered = doubled(Cube(), LEFT, trailer_only, at(6, 3))
        assert no(beaver, offered, RIGHT, at(6, 3), trailer_only).rule == "CRAW-2"


class TestNoCube:
    @pytest.mark.parametrize(
        ("score", "ruleset", "rule"),
        [
            (at(6, 3), TOURNAMENT, "CRAW-1"),
            (at(0, 0, 1), NO_CRAWFORD, "CRAW-1"),
            (at(3, 6), TRAILER_ONLY, "CRAW-2"),
            (at(0, 0), NO_CUBE, "CUBE-8"),
            (at(7, 3), TOURNAMENT, "MATCH-1"),
        ],
    )
    def test_no_double_without_a_cube(self, score, ruleset, rule):
        assert no(doubled, Cube(), LEFT, ruleset, score).rule == rule

    def test_elsewhere_everybody_may(self):
        assert doubled(Cube(), RIGHT, TRAILER_ONLY, at(3, 6)).doubler is RIGHT
        assert doubled(Cube(), LEFT, NO_CRAWFORD, at(6, 3, ruleset=NO_CRAWFORD)).doubler is LEFT
        assert doubled(Cube(), LEFT, TOURNAMENT, post_crawford(6, 3)).doubler is LEFT


def test_a_played_out_game_and_its_card_agree():
    cube = turned(RIGHT, LEFT)
    assert play(STAKE, won(LEFT, cube=cube.value), TOURNAMENT).raw == 4
