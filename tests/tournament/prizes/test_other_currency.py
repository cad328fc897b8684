"""Prize structures and an organizer's own templates in another currency."""

import pytest

from tournament.fees.amounts import MOST_MINOR_UNITS
from tournament.prizes.other_currency import with_other_currency
from tournament.prizes.own_templates import parse_template, template_as_json
from tournament.prizes.stored import check_structure, parts_as_json
from tournament.prizes.structure import Feat, Part, PoolPrizes, PrizeStructure

EUROS = PrizeStructure(
    "EUR",
    (Part("main", 1, 1, 70), Part("main", 2, 2, minor=50_00), Part("main", 2, 2, minor=20, feat=Feat.WIN)),
    added=100_00,
    yearly=30_00,
    guaranteed=500_00,
    series_share=10_00,
    series_minor=12_50,
    unit=5_00,
    minimum=10_00,
    pools=(PoolPrizes("1", (70, 30)), PoolPrizes("extra", added=25_00, is_open=True)),
)
YEN = PrizeStructure(
    "JPY",
    (Part("main", 1, 1, 70), Part("main", 2, 2, minor=50), Part("main", 2, 2, minor=1, feat=Feat.WIN)),
    added=100,
    yearly=30,
    guaranteed=500,
    series_share=10_00,
    series_minor=13,
    unit=5,
    minimum=10,
    pools=(PoolPrizes("1", (70, 30)), PoolPrizes("extra", added=25, is_open=True)),
)


def test_every_amount_of_a_structure_is_moved_and_no_share():
    assert with_other_currency(EUROS, "JPY") == YEN
    back = with_other_currency(YEN, "EUR")
    assert (back.added, back.unit, back.parts[1].minor, back.pools[1].added) == (100_00, 5_00, 50_00, 25_00)
    assert with_other_currency(PrizeStructure("EUR", unit=1), "JPY").unit == 1
    assert with_other_currency(PrizeStructure("JPY", unit=1), "EUR").unit == 1


@pytest.mark.parametrize("currency", ["JPY", "EUR", "KWD"])
def test_a_structure_in_another_currency_can_be_kept(currency):
    for structure in (EUROS, YEN, PrizeStructure("JPY", added=MOST_MINOR_UNITS)):
        moved = with_other_currency(structure, currency)
        check_structure(moved)
        assert moved.added <= MOST_MINOR_UNITS


def test_a_template_keeps_its_currency_and_is_used_in_any():
    stored = template_as_json(EUROS.parts, "EUR")
    assert parse_template(stored, "EUR") == EUROS.parts
    assert parse_template(stored, "JPY") == YEN.parts


def test_a_template_that_was_stored_without_a_currency_has_two_decimals():
    stored = parts_as_json(EUROS.parts)
    assert parse_template(stored, "USD") == EUROS.parts
    assert parse_template(stored, "JPY") == YEN.parts
