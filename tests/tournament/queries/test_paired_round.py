"""The reasons for the pairings of a round, in words."""

import pytest

from tournament.draw.pairing import Ground, Reason
from tournament.queries.rounds import reason_label


@pytest.mark.parametrize(
    ("number", "words"), [(1, "1 place off the order of the draw"), (2, "2 places off the order of the draw")]
)
def test_places_are_counted_in_words_that_fit(number, words):
    assert reason_label(Reason(Ground.NEAR_SEEDING, number)) == words


@pytest.mark.parametrize("ground", Ground)
def test_every_reason_has_words(ground):
    assert "%" not in reason_label(Reason(ground, 3))
