"""Match equity: held to spot values of the table that players use, and to what has to be true of any table."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import equity
from rules.equity import chance

# Percentages of Kazaross-XG2 (Neil Kazaross, 2011; met/Kazaross-XG2.xml of GNU Backgammon): the player who
# needs the first number of points against one who needs the second, before the Crawford game.
SPOT_VALUES = {
    (1, 2): 67.736,
    (1, 5): 84.179,
    (1, 10): 95.9275,
    (2, 3): 59.947,
    (2, 4): 66.870,
    (2, 6): 79.940,
    (2, 25): 99.802,
    (3, 5): 64.795,
    (3, 7): 76.209,
    (4, 6): 64.285,
    (4, 11): 85.3955,
    (5, 9): 72.540,
    (6, 11): 75.3427,
    (7, 9): 60.854,
    (8, 13): 72.9447,
    (9, 21): 89.294,
    (11, 15): 66.7927,
}
AFTER_CRAWFORD = {1: 50.0, 2: 48.803, 3: 32.264, 4: 31.002, 5: 19.012, 6: 18.072, 8: 10.906, 12: 3.906}
WITHIN = 1.1

NEEDS = st.integers(1, 30)


@pytest.fixture(autouse=True)
def nothing_worked_out_yet():
    """What an earlier test had worked out says nothing of the recursion as it is now."""
    for cached in (equity._post_crawford, equity._before_crawford, equity._cash_point):
        cached.cache_clear()


@pytest.mark.parametrize("needs", SPOT_VALUES, ids=str)
def test_the_table_is_near_the_one_that_players_use(needs):
    assert 100 * chance(*needs) == pytest.approx(SPOT_VALUES[needs], abs=WITHIN)


@pytest.mark.parametrize("away", AFTER_CRAWFORD)
def test_the_table_is_near_after_the_crawford_game_too(away):
    assert 100 * chance(away, 1, is_post_crawford=True) == pytest.approx(AFTER_CRAWFORD[away], abs=WITHIN)


@given(NEEDS, NEEDS, st.booleans())
def test_the_two_chances_make_one(away, rival_away, is_post_crawford):
    both = chance(away, rival_away, is_post_crawford=is_post_crawford) + chance(
        rival_away, away, is_post_crawford=is_post_crawford
    )
    assert both == pytest.approx(1)


@given(NEEDS, NEEDS)
def test_a_point_more_never_hurts(away, rival_away):
    assert chance(away, rival_away) <= chance(away - 1, rival_away) + 1e-9
    assert chance(away, rival_away) >= chance(away, rival_away - 1) - 1e-9


@given(NEEDS)
def test_an_even_score_is_even(away):
    assert chance(away, away) == 0.5


def test_a_won_match_is_won():
    assert (chance(0, 5), chance(5, 0), chance(-2, 1)) == (1, 0, 1)


def test_the_free_drop_costs_the_trailer_something():
    assert chance(2, 1, is_post_crawford=True) == 0.5 - 0.015
    without = 0.5 * (0.74 * chance(2, 1, is_post_crawford=True) + 0.26)
    assert chance(4, 1, is_post_crawford=True) == pytest.approx(without - 0.004)


def test_the_crawford_game_costs_the_trailer_the_cube():
    assert chance(3, 1) < chance(3, 1, is_post_crawford=True)
    assert chance(1, 3) == 1 - chance(3, 1)
    assert chance(1, 3, is_post_crawford=True) == 1 - chance(3, 1, is_post_crawford=True)


def test_the_longest_matches_have_a_chance_too():
    assert 0 < chance(999, 998) < 0.51
    assert chance(999, 1) < 1e-6


def test_a_fresh_process_computes_the_longest_match():
    """Nothing is worked out yet in a fresh process, and Python's stack is not endless."""
    program = "from rules.equity import chance; print(chance(64, 63))"
    ended = subprocess.run([sys.executable, "-S", "-c", program], capture_output=True, text=True, check=True)
    assert 0.4 < float(ended.stdout) < 0.5
