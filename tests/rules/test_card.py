"""A whole score card: CARD rows, reading on after an error, final scores, and what a phone may offer."""

from dataclasses import replace

import pytest

from rules.card import Choices, choices, final_score_problem, inspect, stop_problem
from rules.problem import Problem
from rules.ruleset import PRESETS, Ruleset
from rules.score import Entry, Score, Side, Win
from tests.rules.cards import (
    BOXED,
    GAMMON,
    JACOBY,
    LEFT,
    NO_CRAWFORD,
    NO_CUBE,
    RIGHT,
    TOURNAMENT,
    TRAILER_ONLY,
    at,
    dropped,
    fined,
    has_errors,
    points_of,
    post_crawford,
    won,
)

EVERY_WIN = tuple(Win)


def refusal(left: int, right: int, length: int | None = 7) -> Problem:
    problem = final_score_problem(left, right, length, TOURNAMENT)
    assert problem is not None
    return problem


def problem_places(entries: list[Entry], length: int | None = 7, ruleset: Ruleset = TOURNAMENT):
    return [(problem.code, problem.game) for problem in inspect(entries, length, ruleset).problems]


class TestInspect:
    def test_a_clean_card_tells_every_line_and_the_winner(self):
        card = inspect([won(LEFT, cube=2), fined(LEFT, 1), won(RIGHT, GAMMON, 4)], 7, TOURNAMENT)
        assert [(line.number, line.raw, line.credited) for line in card.lines] == [
            (1, 2, 2),
            (None, 1, 1),
            (2, 8, 6),
        ]
        assert (points_of(card.score), card.score.winner) == ((2, 7), RIGHT)
        assert (card.problems, has_errors(card)) == ((), False)

    def test_an_empty_card_has_the_score_0_0(self):
        card = inspect([], 7, TOURNAMENT)
        assert (card.lines, points_of(card.score), card.score.length) == ((), (0, 0), 7)

    def test_every_problem_has_its_game_and_reading_continues(self):
        entries: list[Entry] = [
            won(LEFT, cube=3),
            replace(dropped(RIGHT), win=GAMMON),
            fined(LEFT, 0),
            won(RIGHT, cube=6),
        ]
        assert problem_places(entries) == [
            ("cube_not_a_power_of_two", 1),
            ("gammon_on_a_drop", 2),
            ("penalty_below_one", None),
            ("cube_not_a_power_of_two", 3),
        ]
        assert points_of(inspect(entries, 7, TOURNAMENT).score) == (2, 5)

    def test_all_errors_of_one_game_are_reported(self):
        game = replace(dropped(LEFT, 3, checkers_left=2, automatic_doubles=1), win=GAMMON)
        assert [code for code, _ in problem_places([game])] == [
            "cube_not_a_power_of_two",
            "automatic_doubles_not_played",
            "gammon_on_a_drop",
            "checkers_left_not_counted",
        ]

    def test_a_crawford_cube_is_read_as_annulled(self):
        card = inspect([won(LEFT, GAMMON, 2), won(LEFT, GAMMON), won(RIGHT, cube=2)], 7, TOURNAMENT)
        assert [problem.code for problem in card.problems] == ["crawford_cube"]
        assert points_of(card.score) == (6, 1)

    def test_games_after_the_end_count_for_nothing(self):
        entries: list[Entry] = [won(LEFT, cube=8), won(RIGHT, cube=8), fined(LEFT, 1)]
        card = inspect(entries, 7, TOURNAMENT)
        assert problem_places(entries) == [("match_is_over", 2), ("match_is_over", None)]
        assert [line.credited for line in card.lines] == [7, 0, 0]
        assert (points_of(card.score), card.score.winner) == ((7, 0), LEFT)

    def test_a_card_played_past_the_posted_length_is_won_by_who_reached_it_first(self):
        """CARD-2."""
        card = inspect([won(RIGHT, cube=4), won(LEFT), won(RIGHT), won(LEFT, cube=8)], 5, TOURNAMENT)
        assert (card.score.winner, points_of(card.score)) == (RIGHT, (1, 5))

    def test_remarks_stand_beside_their_line_and_are_no_errors(self):
        card = inspect([won(LEFT), won(LEFT, cube=16)], 7, TOURNAMENT)
        assert [(problem.code, problem.game) for problem in card.lines[1].remarks] == [
            ("cube_larger_than_useful", 2)
        ]
        assert not has_errors(card)

    def test_the_ruleset_decides(self):
        entries: list[Entry] = [won(LEFT, GAMMON), won(LEFT, cube=4)]
        assert points_of(inspect(entries, None, TOURNAMENT).score) == (6, 0)
        assert points_of(inspect(entries, None, JACOBY).score) == (5, 0)
        assert problem_places(entries, None, NO_CUBE) == [("no_cube_in_match", 2)]


class TestFinalScore:
    @pytest.mark.parametrize(("left", "right"), [(7, 0), (7, 6), (3, 7)])
    def test_one_player_at_the_length_and_the_other_below(self, left, right):
        assert final_score_problem(left, right, 7, TOURNAMENT) is None

    @pytest.mark.parametrize(
        ("left", "right", "code"),
        [
            (6, 5, "final_score_unfinished"),
            (0, 0, "final_score_unfinished"),
            (7, 7, "final_score_two_winners"),
            (8, 9, "final_score_two_winners"),
            (9, 4, "final_score_beyond_length"),
            (7, -1, "final_score_negative"),
        ],
    )
    def test_any_other_is_refused(self, left, right, code):
        assert refusal(left, right).code == code
        assert refusal(right, left).code == code

    def test_the_capped_score_is_named(self):
        assert refusal(4, 9).sentence.endswith("Enter 4-7.")

    def test_the_loser_of_a_one_point_match_has_none(self):
        assert final_score_problem(1, 0, 1, TOURNAMENT) is None
        assert refusal(1, 1, 1).code == "final_score_two_winners"

    def test_no_match_goes_to_nought(self):
        assert refusal(0, 0, 0).code == "length_below_one"


def session(entries: list[Entry], agreed: int | None, ruleset: Ruleset = TOURNAMENT):
    return inspect(entries, None, ruleset, agreed=agreed)


class TestSessions:
    """MATCH-3: a number of games, each scored for itself, and one more at a time while the points are level."""

    def test_it_is_over_after_the_agreed_games(self):
        two = session([won(LEFT, cube=2), won(RIGHT)], 3)
        assert (two.score.is_over, two.score.winner) == (False, None)
        three = session([won(LEFT, cube=2), won(RIGHT), won(RIGHT, GAMMON, 2)], 3)
        assert (points_of(three.score), three.score.is_over, three.score.winner) == ((2, 5), True, RIGHT)

    def test_while_level_one_more_game_is_played(self):
        level = [won(LEFT), won(RIGHT)]
        assert not session(level, 2).score.is_over
        assert session([*level, won(RIGHT)], 2).score.winner is RIGHT

    def test_no_game_follows_its_end(self):
        card = session([won(LEFT), won(RIGHT), won(LEFT), won(LEFT)], 3)
        assert [(problem.code, problem.game) for problem in card.problems] == [("match_is_over", 4)]
        assert points_of(card.score) == (2, 1)

    def test_penalty_points_count_and_are_no_game(self):
        fines: list[Entry] = [won(LEFT), fined(LEFT, 2)]
        assert not session(fines, 2).score.is_over
        assert session([*fines, won(LEFT, cube=2)], 2).score.winner is LEFT
        assert session([won(LEFT), won(RIGHT), fined(LEFT, 1)], 2).score.winner is RIGHT

    def test_without_an_agreed_number_it_does_not_end(self):
        assert not session([won(LEFT, cube=64)] * 9, None).score.is_over

    @pytest.mark.parametrize("preset", PRESETS)
    def test_it_has_no_crawford_game_under_any_ruleset(self, preset):
        score = session([won(LEFT, cube=4, checkers_left=None)], 5, PRESETS[preset]).score
        assert not score.is_crawford
        assert score.crawford == "never"

    def test_jacoby_counts_as_in_any_game(self):
        gammons = [won(LEFT, GAMMON), won(RIGHT, GAMMON, 2)]
        assert points_of(session(gammons, 2, JACOBY).score) == (1, 4)
        assert points_of(session(gammons, 2).score) == (2, 4)

    def test_a_match_to_a_length_knows_no_agreed_games(self):
        assert not inspect([won(LEFT)], 7, TOURNAMENT, agreed=1).score.is_over

    @pytest.mark.parametrize(("left", "right"), [(1, 0), (0, 64), (5, 3), (129, 2)])
    def test_its_final_score_is_any_that_is_not_level(self, left, right):
        assert final_score_problem(left, right, None, TOURNAMENT) is None

    def test_a_level_or_negative_final_score_is_refused(self):
        assert refusal(3, 3, None).code == "final_score_level"
        assert refusal(0, 0, None).rule == "MATCH-3"
        assert refusal(3, -1, None).code == "final_score_negative"

    def test_time_ends_a_session_without_a_number_of_games_once(self):
        assert stop_problem(None, None, 0) is stop_problem(7, None, 0) is None
        assert stop_problem(None, None, 1) is None
        codes = [stop_problem(*arguments).code for arguments in ((None, None, 2), (None, 5, 1), (7, None, 1))]
        assert codes == ["stop_written_twice", "stop_in_agreed_games", "stop_in_match"]


class TestChoices:
    def test_at_the_start_everything_useful_is_offered(self):
        assert choices(at(0, 0), TOURNAMENT) == Choices(
            cubes=(1, 2, 4, 8),
            wins=EVERY_WIN,
            cube_allowed=True,
            is_crawford=False,
            needs_checkers_left=False,
            may_double=(LEFT, RIGHT),
            automatic_doubles=0,
        )

    def test_the_crawford_game_has_no_cube(self):
        offered = choices(at(6, 3), replace(TOURNAMENT, automatic_doubles=2))
        assert (offered.cubes, offered.cube_allowed, offered.is_crawford) == ((1,), False, True)
        assert (offered.may_double, offered.automatic_doubles) == ((), 0)

    def test_where_only_the_leader_may_double_the_cube_reaches_two(self):
        offered = choices(at(3, 6), TRAILER_ONLY)
        assert (offered.cubes, offered.may_double, offered.is_crawford) == ((1, 2), (RIGHT,), True)
        assert offered.cube_allowed

    @pytest.mark.parametrize(
        ("score", "ruleset", "cubes"),
        [
            (post_crawford(6, 3), TOURNAMENT, (1, 2, 4)),
            (post_crawford(6, 6), TOURNAMENT, (1,)),
            (at(6, 3, ruleset=NO_CRAWFORD), NO_CRAWFORD, (1, 2, 4)),
            (at(0, 0, None), TOURNAMENT, (1, 2, 4, 8, 16, 32, 64)),
            (at(0, 0, None), replace(TOURNAMENT, cube_limit=4), (1, 2, 4)),
            (at(0, 0), replace(TOURNAMENT, cube_limit=64), (1, 2, 4, 8)),
            (at(0, 0, 1), TOURNAMENT, (1,)),
            (at(0, 0), NO_CUBE, (1,)),
        ],
    )
    def test_cubes_go_up_to_the_largest_useful_one(self, score, ruleset, cubes):
        assert choices(score, ruleset).cubes == cubes

    def test_after_the_end_nothing_is_offered(self):
        assert choices(at(7, 3), BOXED) == Choices((), (), False, False, False)

    def test_the_phone_asks_for_checkers_where_they_are_the_score(self):
        assert choices(at(0, 0), BOXED).needs_checkers_left

    def test_choices_follow_the_ruleset_and_not_the_score(self):
        assert choices(Score(6, 3, 7), NO_CRAWFORD).may_double == tuple(Side)
        assert not choices(Score(6, 3, 7), NO_CRAWFORD).is_crawford

    def test_automatic_doubles_are_offered_where_they_are_played(self):
        assert choices(at(0, 0), replace(TOURNAMENT, automatic_doubles=None)).automatic_doubles is None
