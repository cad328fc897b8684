"""Seeds from ratings."""

from decimal import Decimal

import pytest

from tournament.draw.recipes import DrawError, seeds_by_rating

RATINGS = [("ada", 1502.5), ("bo", None), ("cy", 1820), ("di", Decimal("1502.50")), ("eva", 1699)]


def test_the_best_rated_are_seeded_best_first() -> None:
    assert seeds_by_rating(RATINGS, 2) == {"cy": 1, "eva": 2}


def test_of_two_with_the_same_rating_the_first_to_register_is_seeded_higher() -> None:
    assert seeds_by_rating(RATINGS, 4) == {"cy": 1, "eva": 2, "ada": 3, "di": 4}
    assert seeds_by_rating(RATINGS[::-1], 3) == {"cy": 1, "eva": 2, "di": 3}


def test_nobody_is_seeded_where_none_are_asked_for() -> None:
    assert seeds_by_rating(RATINGS, 0) == {}


@pytest.mark.parametrize("how_many", [5, -1])
def test_no_more_are_seeded_than_have_a_rating(how_many: int) -> None:
    with pytest.raises(DrawError, match="Only 4 entries have a rating"):
        seeds_by_rating(RATINGS, how_many)
