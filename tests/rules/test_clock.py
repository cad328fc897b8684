"""Late players and clocks: PEN-1, TIME-1, TIME-2."""

from dataclasses import replace

import pytest

from rules.clock import ClockSetting, Lateness, clock_setting, late_penalty
from rules.ruleset import Clock, LateLadder
from tests.rules.cards import TOURNAMENT

OWN_LADDER = replace(TOURNAMENT, late_ladder=LateLadder(10, 2, 3, 4, 100))


class TestLate:
    """PEN-1."""

    @pytest.mark.parametrize(
        ("minutes", "points"), [(-3, 0), (0, 0), (4, 0), (5, 1), (9, 1), (10, 2), (14, 2), (15, 3)]
    )
    def test_a_point_at_five_minutes_and_one_more_each_further_five(self, minutes, points):
        assert late_penalty(minutes, 25, TOURNAMENT) == Lateness(points, match_lost=False)

    @pytest.mark.parametrize(
        ("length", "last", "lost"), [(7, 15, 20), (8, 20, 25), (9, 20, 25), (2, 5, 10), (25, 60, 65)]
    )
    def test_the_match_is_lost_past_half_its_length(self, length, last, lost):
        assert not late_penalty(last, length, TOURNAMENT).match_lost
        assert late_penalty(lost, length, TOURNAMENT).match_lost

    def test_a_one_point_match_is_lost_with_the_first_point(self):
        assert late_penalty(4, 1, TOURNAMENT) == Lateness(0, match_lost=False)
        assert late_penalty(5, 1, TOURNAMENT).match_lost

    def test_stake_play_has_no_match_to_lose(self):
        assert late_penalty(60, None, TOURNAMENT) == Lateness(12, match_lost=False)

    def test_all_figures_are_the_rulesets(self):
        assert late_penalty(9, 7, OWN_LADDER).points == 0
        assert late_penalty(12, 7, OWN_LADDER) == Lateness(2, match_lost=False)
        assert late_penalty(13, 7, OWN_LADDER) == Lateness(6, match_lost=False)
        assert late_penalty(16, 7, OWN_LADDER) == Lateness(10, match_lost=True)

    def test_without_a_late_ladder_no_points_are_lost(self):
        assert late_penalty(90, 1, replace(TOURNAMENT, late_ladder=None)) == Lateness(0, match_lost=False)


class TestClock:
    """TIME-1."""

    def test_two_minutes_a_point_and_twelve_seconds_a_move(self):
        assert clock_setting(7, TOURNAMENT) == ClockSetting(14 * 60, 12)

    def test_pairs_have_two_and_a_half_minutes_and_eighteen_seconds(self):
        assert clock_setting(4, TOURNAMENT, doubles=True) == ClockSetting(10 * 60, 18)

    def test_introduced_late_there_is_a_minute_less_for_each_point_scored(self):
        assert clock_setting(7, TOURNAMENT, points_scored=5) == ClockSetting(9 * 60, 12)
        assert clock_setting(7, TOURNAMENT, points_scored=12) == ClockSetting(2 * 60, 12)

    def test_all_figures_are_the_rulesets(self):
        own = replace(TOURNAMENT, clock=Clock(100, 8, 110, 9, 40))
        assert clock_setting(5, own, points_scored=2) == ClockSetting(420, 8)
        assert clock_setting(5, own, points_scored=2, doubles=True) == ClockSetting(470, 9)
        assert clock_setting(5, own, points_scored=99) == ClockSetting(0, 8)

    def test_without_clocks_there_is_nothing_to_set(self):
        assert clock_setting(5, replace(TOURNAMENT, clock=None)) is None
