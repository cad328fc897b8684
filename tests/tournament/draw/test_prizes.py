"""Prizes by place: shared places share equally, to the cent, and the remainder is not paid."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.draw.prizes import PrizeError, Share, parse_prizes

TABLES = {"main": {"1": "300", "2": "150.5", "3": "75", "4": "75", "5": "Trophy"}}
PRIZES = parse_prizes({"currency": "EUR", "tables": TABLES})


@pytest.mark.parametrize(
    ("places", "share"),
    [
        ((1, 1), Share(Decimal("300.00"), (), 1, "EUR")),
        ((3, 4), Share(Decimal("75.00"), (), 2, "EUR")),
        ((2, 4), Share(Decimal("100.16"), (), 3, "EUR")),
        ((4, 6), Share(Decimal("25.00"), ("Trophy",), 3, "EUR")),
        ((5, 5), Share(None, ("Trophy",), 1, "EUR")),
        ((6, 8), None),
    ],
)
def test_shared_places_share_their_prizes(places, share):
    assert PRIZES.share("main", *places) == share


def test_a_bracket_without_a_table_has_no_prizes():
    assert PRIZES.share("consolation", 1, 1) is None


@given(st.lists(st.decimals(0, 99_999, places=2), max_size=12), st.data())
def test_shares_never_exceed_the_prizes_and_leave_less_than_a_cent_each(amounts, data):
    """However the places are tied."""
    table = {str(place): str(amount) for place, amount in enumerate(amounts, start=1)}
    prizes = parse_prizes({"tables": {"main": table}})
    place, paid, players = 1, Decimal(0), 0
    while place <= len(amounts):
        last = data.draw(st.integers(place, len(amounts)))
        share = prizes.share("main", place, last)
        assert share is not None
        assert share.amount is not None
        paid, players = paid + share.amount * share.among, players + share.among
        place = last + 1
    left = sum(amounts, Decimal(0)) - paid
    assert 0 <= left < max(1, players) * Decimal("0.01")


def test_prizes_survive_a_round_trip_through_json():
    stored = PRIZES.as_json()
    assert stored["tables"]["main"]["2"] == "150.50"
    assert parse_prizes(stored) == PRIZES
    assert parse_prizes({"currency": "EUR", "tables": {"main": {}}}).as_json() == {}
    assert parse_prizes({}).as_json() == {}


@pytest.mark.parametrize(
    ("stored", "why"),
    [
        ({"tables": {"main": {"0": "5"}}}, "places 1 to"),
        ({"tables": {"main": {"1": "5", "01": "6"}}}, "one prize"),
        ({"tables": {"main": {"1": "a, b"}}}, "an amount such as"),
        ({"tables": {"main": {"1": "x" * 41}}}, "an amount such as"),
        ({"tables": {"main": {"first": "5"}}}, "by the number of its place"),
        ({"tables": {"main": 5}}, "by the number of its place"),
        ({"tables": 5}, "by the number of its place"),
        ({"currency": "123456789", "tables": {}}, "A currency has"),
    ],
)
def test_invalid_prizes_are_refused(stored, why):
    with pytest.raises(PrizeError, match=why):
        parse_prizes(stored)
