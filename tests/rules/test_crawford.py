"""The Crawford game in its three forms, and after penalties: CRAW rows."""

from dataclasses import replace

import pytest

from rules.problem import Offer
from rules.score import Score, Side, play
from tests.rules.cards import (
    BOXED,
    FUNDEX,
    GAMMON,
    LEFT,
    NO_CRAWFORD,
    NO_CUBE,
    PARKER,
    RIGHT,
    STANDARD,
    TOURNAMENT,
    TRAILER_ONLY,
    after,
    at,
    dropped,
    fined,
    points_of,
    post_crawford,
    refused,
    resigned,
    won,
)


class TestOn:
    """CRAW-1."""

    def test_it_comes_when_a_player_first_needs_one_point(self):
        assert not at(5, 3).is_crawford
        assert at(6, 3).is_crawford
        assert at(3, 6).is_crawford

    def test_it_is_one_game_only(self):
        score = after(at(6, 0), won(RIGHT))
        assert score.is_post_crawford
        assert points_of(after(score, won(RIGHT, cube=2), won(RIGHT, cube=2))) == (6, 5)

    def test_the_other_player_at_match_point_brings_no_second_one(self):
        score = after(at(6, 4), won(RIGHT, GAMMON))
        assert (score.is_double_match_point, score.is_crawford) == (True, False)

    def test_the_leader_can_win_it_and_the_match(self):
        line = play(at(6, 4), won(LEFT, GAMMON), TOURNAMENT)
        assert (line.is_crawford, line.credited, line.after.is_post_crawford) == (True, 1, False)

    def test_a_resignation_with_a_turned_cube_is_scored_without_it(self):
        assert refused(at(6, 3), resigned(RIGHT, cube=2)).offer == Offer.ANNUL

    def test_before_and_after_it_the_cube_is_in_use(self):
        assert play(at(5, 3), dropped(LEFT), TOURNAMENT).after.is_crawford
        assert play(post_crawford(6, 3), won(RIGHT, cube=2), TOURNAMENT).credited == 2

    def test_a_one_point_match_has_neither_cube_nor_crawford_game(self):
        score = at(0, 0, 1)
        assert (score.is_double_match_point, score.is_crawford) == (True, False)
        assert not Score(0, 0, 1).is_crawford
        assert refused(score, dropped(LEFT)).code == "no_drop_in_one_point_match"
        assert refused(score, dropped(LEFT)).offer == Offer.RESUME_OR_DIRECTOR
        assert play(score, won(LEFT), TOURNAMENT).after.winner is LEFT

    def test_automatic_doubles_leave_it_alone(self):
        ruleset = replace(TOURNAMENT, automatic_doubles=1)
        assert refused(at(6, 3), won(LEFT, cube=2, automatic_doubles=1), ruleset).code == "crawford_cube"
        only_claimed = won(LEFT, automatic_doubles=1)
        assert refused(at(6, 3), only_claimed, ruleset).code == "automatic_doubles_without_cube"

    def test_a_two_point_match_begins_with_the_cube(self):
        assert not at(0, 0, 2).is_crawford
        assert after(at(0, 0, 2), won(LEFT)).is_crawford


class TestTrailerOnly:
    """CRAW-2."""

    def test_the_leader_may_double(self):
        assert play(at(6, 3), won(RIGHT, cube=2), TRAILER_ONLY).credited == 2
        assert play(at(6, 3), dropped(LEFT), TRAILER_ONLY).after.winner is LEFT

    def test_the_trailer_may_not_double(self):
        problem = refused(at(6, 3), dropped(RIGHT), TRAILER_ONLY)
        assert (problem.code, problem.rule) == ("crawford_trailer_drop", "CRAW-2")
        assert problem.offer == Offer.RESUME_OR_DIRECTOR

    def test_nor_redouble_so_the_cube_reaches_two_at_most(self):
        problem = refused(at(3, 6), won(LEFT, cube=4), TRAILER_ONLY)
        assert (problem.code, problem.offer) == ("crawford_trailer_cube", Offer.ANNUL)
        assert problem.offer_sentence.endswith("with the cube at 2.")
        assert refused(at(3, 6), dropped(RIGHT, 2), TRAILER_ONLY).code == "crawford_trailer_drop"

    def test_an_automatic_double_comes_on_top(self):
        ruleset = replace(TRAILER_ONLY, automatic_doubles=1)
        game = won(LEFT, cube=4, automatic_doubles=1)
        assert play(at(3, 6), game, ruleset).credited == 4
        assert refused(at(3, 6), replace(game, cube=8), ruleset).params["legal_cube"] == 4

    def test_it_is_one_game_only(self):
        score = after(at(6, 0), won(RIGHT), ruleset=TRAILER_ONLY)
        assert play(score, dropped(RIGHT, 4), TRAILER_ONLY).credited == 4

    def test_the_boxed_set_has_this_form(self):
        assert refused(at(6, 3), dropped(RIGHT), BOXED).rule == "CRAW-2"

    def test_no_side_trails_at_equal_scores(self):
        level = after(at(6, 5), fined(LEFT, 1), ruleset=TRAILER_ONLY)
        assert level.is_crawford
        assert play(level, dropped(RIGHT), TRAILER_ONLY).after.winner is RIGHT


class TestOff:
    """CRAW-3."""

    @pytest.mark.parametrize("ruleset", [NO_CRAWFORD, PARKER, FUNDEX], ids=lambda ruleset: ruleset.name)
    def test_the_cube_is_always_in_use(self, ruleset):
        score = after(at(5, 3, ruleset=ruleset), won(LEFT), ruleset=ruleset)
        assert not score.is_crawford
        line = play(score, won(RIGHT, cube=2), ruleset)
        assert (line.is_crawford, points_of(line.after)) == (False, (6, 5))
        assert not line.after.is_post_crawford

    def test_a_score_made_without_a_ruleset_follows_the_rules_too(self):
        line = play(Score(6, 3, 7), dropped(RIGHT, 2), NO_CRAWFORD)
        assert (line.is_crawford, line.credited) == (False, 2)

    def test_without_a_cube_there_is_no_crawford_game_either(self):
        assert not at(6, 3, ruleset=NO_CUBE).is_crawford
        assert at(6, 3, ruleset=STANDARD).is_crawford


class TestAfterPenalty:
    """CRAW-4."""

    FORGONE = replace(TOURNAMENT, crawford_after_penalty=False)

    def test_match_point_by_a_penalty_between_games_brings_it_at_once(self):
        assert after(at(5, 2), fined(RIGHT, 1)).is_crawford

    def test_or_forgoes_it_for_the_whole_match(self):
        score = after(at(5, 2), fined(RIGHT, 1), ruleset=self.FORGONE)
        assert (score.is_crawford, score.is_post_crawford) == (False, True)
        level = after(score, won(RIGHT, cube=4), ruleset=self.FORGONE)
        assert (level.is_double_match_point, level.is_crawford) == (True, False)

    def test_a_score_reached_by_a_game_brings_it_under_either(self):
        assert after(at(5, 2), won(LEFT), ruleset=self.FORGONE).is_crawford
        assert after(at(6, 2), fined(LEFT, 1), ruleset=self.FORGONE).is_crawford

    def test_a_penalty_short_of_match_point_changes_nothing(self):
        score = after(at(3, 2), fined(RIGHT, 2), ruleset=self.FORGONE)
        assert after(score, won(LEFT), ruleset=self.FORGONE).is_crawford

    def test_the_game_under_way_keeps_its_cube_and_the_next_one_is_it(self):
        score = after(at(5, 2), fined(RIGHT, 1, mid_game=True))
        line = play(score, dropped(RIGHT, 2), TOURNAMENT)
        assert (line.is_crawford, line.after.is_crawford) == (False, True)
        assert after(line.after, won(RIGHT)).is_post_crawford

    def test_a_second_penalty_in_the_same_game_does_not_bring_it_early(self):
        score = after(at(5, 2), fined(RIGHT, 1, mid_game=True), fined(LEFT, 1, mid_game=True))
        assert not score.is_crawford
        assert after(score, won(RIGHT, cube=2)).is_crawford

    def test_a_penalty_in_the_crawford_game_leaves_it_the_crawford_game(self):
        score = after(at(6, 2), fined(LEFT, 2, mid_game=True))
        assert (points_of(score), score.is_crawford) == ((6, 4), True)

    def test_a_penalty_after_it_brings_no_second_one(self):
        assert not after(post_crawford(6, 5), fined(LEFT, 1)).is_crawford


def test_a_record_may_begin_in_mid_match():
    for side in Side:
        score = Score.at(6, 6, 7, TOURNAMENT, crawford_played=True)
        assert score.away(side) == 1
        assert score.is_post_crawford
