"""What a game is worth: SCORE and MATCH rows of the catalogue."""

from dataclasses import replace

import pytest

from rules.score import Score, Win, kind_of_win, play, points
from tests.rules.cards import (
    BACKGAMMON,
    BOXED,
    CHECKERS,
    FUNDEX,
    GAMMON,
    JACOBY,
    LEFT,
    NO_CUBE,
    PARKER,
    RIGHT,
    SINGLE,
    STANDARD,
    TOURNAMENT,
    at,
    dropped,
    fined,
    points_of,
    refused,
    remarked,
    resigned,
    won,
)

ALL_TIMES_CUBE = [TOURNAMENT, PARKER, FUNDEX, STANDARD]
STAKE = at(0, 0, length=None)


@pytest.mark.parametrize("ruleset", ALL_TIMES_CUBE, ids=lambda ruleset: ruleset.name)
@pytest.mark.parametrize("win", Win)
@pytest.mark.parametrize("cube", [1, 2, 4, 64])
def test_a_win_pays_its_kind_times_the_cube(ruleset, win, cube):
    """SCORE-1, SCORE-3, SCORE-4."""
    assert points(won(LEFT, win, cube), ruleset) == win * cube


@pytest.mark.parametrize("win", Win)
def test_a_resignation_pays_what_was_resigned(win):
    """SCORE-7."""
    assert points(resigned(RIGHT, win, 2), TOURNAMENT) == win * 2


@pytest.mark.parametrize("cube", [1, 2, 32])
def test_a_drop_pays_the_stake_before_it(cube):
    """CUBE-5."""
    assert points(dropped(LEFT, cube), TOURNAMENT) == cube


class TestCheckersLeft:
    """SCORE-2."""

    @pytest.mark.parametrize("left", [1, 14])
    def test_an_uncubed_single_pays_the_checkers_left(self, left):
        assert play(at(0, 0, 20), won(LEFT, checkers_left=left), BOXED).raw == left

    @pytest.mark.parametrize("left", [0, 15, -1])
    def test_the_loser_of_a_single_bore_off_one_but_not_all(self, left):
        problem = refused(at(0, 0), won(LEFT, checkers_left=left), BOXED)
        assert (problem.code, problem.rule) == ("checkers_left_out_of_range", "SCORE-2")
        assert problem.sentence.startswith("The loser had between 1 and 14 checkers left")

    def test_a_player_with_all_fifteen_left_may_resign_a_single(self):
        assert play(at(0, 0, 20), resigned(LEFT, checkers_left=15), BOXED).raw == 15
        assert refused(at(0, 0), resigned(LEFT, checkers_left=16), BOXED).params["most"] == 15

    def test_a_single_with_the_cube_turned_pays_the_cube(self):
        assert play(at(0, 0), won(LEFT, cube=2), BOXED).raw == 2

    def test_an_automatic_double_turned_the_cube_too(self):
        ruleset = replace(BOXED, automatic_doubles=1)
        assert play(at(0, 0), won(LEFT, cube=2, automatic_doubles=1), ruleset).raw == 2

    def test_a_drop_of_the_first_double_pays_one(self):
        assert play(at(0, 0), dropped(LEFT), BOXED).raw == 1

    def test_a_gammon_may_be_worth_less_than_a_single(self):
        assert play(at(0, 0), won(LEFT, GAMMON), BOXED).raw == 2

    @pytest.mark.parametrize(
        "game",
        [
            won(LEFT, cube=2, checkers_left=3),
            won(LEFT, GAMMON, checkers_left=15),
            dropped(LEFT, checkers_left=3),
        ],
    )
    def test_checkers_are_stated_only_where_they_count(self, game):
        assert refused(at(0, 0), game, BOXED).code == "checkers_left_not_asked"

    def test_elsewhere_they_are_not_stated_at_all(self):
        assert points(won(LEFT, checkers_left=3), TOURNAMENT) == 1
        problem = refused(at(0, 0), won(LEFT, checkers_left=3), TOURNAMENT)
        assert (problem.code, problem.rule) == ("checkers_left_not_counted", "SCORE-1")


class TestJacoby:
    """SCORE-6."""

    @pytest.mark.parametrize("win", [GAMMON, BACKGAMMON])
    def test_without_an_offered_double_everything_counts_single(self, win):
        assert play(STAKE, won(LEFT, win), JACOBY).raw == 1
        assert play(STAKE, won(LEFT, win), TOURNAMENT).raw == win

    def test_the_card_says_why_the_gammon_counts_single(self):
        assert remarked(STAKE, won(LEFT, GAMMON), JACOBY) == ["jacoby_counts_single"]
        assert remarked(STAKE, won(LEFT), JACOBY) == []

    def test_after_a_double_gammons_count(self):
        assert play(STAKE, won(LEFT, GAMMON, 2), JACOBY).raw == 4
        assert remarked(STAKE, won(LEFT, GAMMON, 2), JACOBY) == []

    def test_an_automatic_double_is_no_offer(self):
        ruleset = replace(JACOBY, automatic_doubles=None)
        assert play(STAKE, won(LEFT, BACKGAMMON, 4, automatic_doubles=2), ruleset).raw == 4
        assert play(STAKE, won(LEFT, BACKGAMMON, 8, automatic_doubles=2), ruleset).raw == 24

    def test_a_cut_gammon_counts_the_cube_and_never_the_checkers(self):
        assert play(STAKE, won(LEFT, GAMMON), replace(CHECKERS, jacoby=True)).raw == 1


class TestKindOfWin:
    """SCORE-1, SCORE-3 to SCORE-5."""

    @pytest.mark.parametrize(
        ("borne_off", "on_bar", "home", "kind"),
        [(1, 2, 3, SINGLE), (0, 0, 0, GAMMON), (0, 0, 1, BACKGAMMON), (0, 2, 1, BACKGAMMON)],
    )
    @pytest.mark.parametrize("ruleset", [TOURNAMENT, FUNDEX], ids=lambda ruleset: ruleset.name)
    def test_the_losers_checkers_tell_the_kind(self, borne_off, on_bar, home, kind, ruleset):
        problem = kind_of_win(borne_off=borne_off, on_bar=on_bar, in_winners_home=home, ruleset=ruleset)
        assert problem is kind

    def test_a_checker_on_the_bar_makes_a_backgammon_only_where_the_bar_counts(self):
        far_back = {"borne_off": 0, "on_bar": 1, "in_winners_home": 0}
        assert kind_of_win(**far_back, ruleset=TOURNAMENT) is BACKGAMMON
        assert kind_of_win(**far_back, ruleset=FUNDEX) is GAMMON


class TestMatch:
    """MATCH-1, MATCH-3, CARD-1."""

    def test_first_to_the_length_wins_whatever_the_margin(self):
        assert at(7, 6).winner is LEFT
        assert at(0, 7).winner is RIGHT
        assert at(6, 6).winner is None

    def test_points_a_player_needs(self):
        assert (at(4, 0).away(LEFT), at(4, 0).away(RIGHT)) == (3, 7)
        assert Score(9, 0, 7).away(LEFT) == 0

    def test_stake_play_has_no_end_and_no_points_to_go(self):
        score = play(at(500, 0, None), won(LEFT, GAMMON, 64), TOURNAMENT).after
        assert points_of(score) == (628, 0)
        assert (score.is_over, score.winner, score.away(LEFT)) == (False, None, None)
        assert not (score.is_crawford)
        assert not (score.is_match_point)
        assert not (score.is_double_match_point)

    def test_a_score_begins_at_nought_and_counting_games_makes_it_no_other(self):
        assert Score() == Score(0, 0, None) == Score(0, 0, None, games=3)

    def test_double_match_point_is_one_point_for_each(self):
        assert at(6, 6).is_double_match_point
        assert not at(6, 5).is_double_match_point
        assert not at(5, 6).is_double_match_point

    def test_every_game_is_numbered(self):
        line = play(at(0, 0), won(LEFT), TOURNAMENT)
        assert (line.number, play(line.after, won(LEFT), TOURNAMENT).number) == (1, 2)

    def test_a_problem_names_its_game(self):
        score = play(at(0, 0), won(LEFT), TOURNAMENT).after
        assert refused(score, won(LEFT, cube=5)).game == 2
        assert refused(at(7, 0), won(LEFT)).game == 1


class TestPenalties:
    """PEN-2."""

    @pytest.mark.parametrize("points", [0, -3])
    def test_a_penalty_is_a_point_at_least(self, points):
        assert refused(at(0, 0), fined(LEFT, points)).code == "penalty_below_one"

    def test_a_penalty_can_end_the_match_and_is_capped_like_a_game(self):
        line = play(at(5, 2), fined(RIGHT, 4), TOURNAMENT)
        assert (line.raw, line.credited, line.after.winner) == (4, 2, LEFT)

    def test_a_penalty_counts_without_a_cube_and_in_stake_play(self):
        assert play(at(0, 0), fined(LEFT, 1), NO_CUBE).after.right == 1
        assert play(STAKE, fined(LEFT, 3), TOURNAMENT).after.right == 3
