"""The chance to win from the score and from ratings: each alone where the other says nothing, both together else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.equity import chance
from rules.ratings import win_chance
from rules.winning import comparable_ratings, winning_chance

AWAY = st.integers(1, 25)
RATING = st.floats(1000, 2200)


@given(AWAY, RATING, RATING)
def test_at_an_even_score_only_the_ratings_count(away, rating, rival_rating):
    both = winning_chance(away, away, is_crawford=True, ratings=(rating, rival_rating))
    assert both == pytest.approx(win_chance(rating, rival_rating, away), abs=1e-9)


@given(AWAY, AWAY, RATING)
def test_between_equals_only_the_score_counts(away, other_away, rating):
    both = winning_chance(away, other_away, is_crawford=True, ratings=(rating, rating))
    assert both == pytest.approx(chance(away, other_away), abs=1e-9)


@given(AWAY, AWAY, RATING, RATING, st.booleans())
def test_both_players_chances_add_up_to_one(away, other_away, rating, rival_rating, is_crawford):
    first = winning_chance(away, other_away, is_crawford=is_crawford, ratings=(rating, rival_rating))
    second = winning_chance(other_away, away, is_crawford=is_crawford, ratings=(rival_rating, rating))
    assert first + second == pytest.approx(1)


def test_ratings_weigh_less_the_nearer_the_end_is():
    far, near = (winning_chance(away, away, is_crawford=True, ratings=(1800, 1600)) for away in (11, 2))
    assert far > near > 0.5


def test_a_match_that_is_won_is_won_whoever_is_rated_higher():
    assert winning_chance(0, 3, is_crawford=False, ratings=(1000, 2000)) == 1
    assert winning_chance(3, 0, is_crawford=False, ratings=(2000, 1000)) == 0


def test_before_and_after_the_crawford_game_the_same_score_is_worth_something_else():
    assert winning_chance(2, 1, is_crawford=True) < winning_chance(2, 1, is_crawford=False)


def test_ratings_of_another_scale_say_nothing():
    assert comparable_ratings(1650.5, 1500) == (1650.5, 1500)
    assert comparable_ratings(1650, None) is None
    assert comparable_ratings(4.5, 1650) is None
