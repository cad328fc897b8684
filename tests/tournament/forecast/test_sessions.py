"""Sessions of stake play are forecast as a match that takes as long."""

import pytest

from tournament.brackets.lengths import StakePlay, planned_length
from tournament.forecast.games import games_of_a_match, length_of_session
from tournament.forecast.urgency import MINUTES_A_LENGTH, length_for_minutes, planned_minutes


@pytest.mark.parametrize("games", [1, 2, 3, 5, 9, 20, 99])
def test_the_planned_length_has_the_nearest_number_of_games(games):
    length = length_of_session(games)
    misses = abs(games_of_a_match(length) - games)
    assert misses <= 0.5
    assert all(misses <= abs(games_of_a_match(length) - games) for length in range(1, 200))


@pytest.mark.parametrize("minutes", [1, 11, 30, 60, 240, 1440])
def test_a_planned_time_equals_the_match_of_that_duration(minutes):
    assert abs(planned_minutes(length_for_minutes(minutes)) - minutes) <= MINUTES_A_LENGTH
    assert length_for_minutes(minutes) >= 1


def test_a_planned_length_is_unchanged():
    assert planned_length(7) == 7
    assert planned_length(StakePlay(minutes=77)) == 7
    assert planned_length(StakePlay(games=1)) == 1
