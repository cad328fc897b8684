"""The chance to win from two ratings, by the formula of FIBS."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.ratings import win_chance

RATINGS = st.floats(0, 4000)


def test_equal_players_are_even_at_any_length():
    assert [win_chance(1500, 1500, length) for length in (1, 7, 64)] == [0.5, 0.5, 0.5]


def test_the_figures_of_the_formula():
    assert win_chance(1400, 1600, 1) == pytest.approx(1 / (10**0.1 + 1))
    assert win_chance(1600, 1400, 1) == pytest.approx(1 - 1 / (10**0.1 + 1))
    assert win_chance(1400, 1600, 25) == pytest.approx(1 / (10**0.5 + 1))


@given(RATINGS, RATINGS, st.integers(1, 999))
def test_the_two_chances_make_one(rating, rival, length):
    assert win_chance(rating, rival, length) + win_chance(rival, rating, length) == pytest.approx(1)


def test_a_longer_match_helps_the_stronger_player():
    chances = [win_chance(1700, 1500, length) for length in (1, 5, 11, 25)]
    assert chances == sorted(chances)
    assert chances[0] < chances[-1]


def test_absurd_ratings_end_in_no_overflow():
    assert win_chance(0, 10**9, 999) == pytest.approx(0, abs=1e-200)
