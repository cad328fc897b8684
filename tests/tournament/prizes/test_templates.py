"""The templates of prizes, and prize structures as JSON."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.draw.formats import Format, Kind
from tournament.draw.sentence_error import SentenceError
from tournament.fees.schedule import Condition
from tournament.prizes.stored import StructureError, parse_structure, refuse_pool_keys, structure_as_json
from tournament.prizes.structure import Feat, Part, PoolPrizes, PrizeStructure, Rest, Ties
from tournament.prizes.table import prize_table
from tournament.prizes.templates import TEMPLATES, field_of, suggested_template, templates_for

BY_KEY = {template.key: template for template in TEMPLATES}
ALL_BRACKETS = Format(Kind.KNOCKOUT, consolation="simple", last_chance="simple")


def table_of(key, entries=32, pot=1200_00, chosen=ALL_BRACKETS, **rules):
    parts = BY_KEY[key].parts(field_of(chosen, entries, "EUR"))
    return prize_table(PrizeStructure("EUR", parts, **rules), pot)


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.key)
@pytest.mark.parametrize("entries", [2, 16, 40])
def test_every_template_splits_the_whole_pot(template, entries):
    for chosen in (ALL_BRACKETS, Format(Kind.DOUBLE), Format(Kind.GROUPS), Format(Kind.LIVES)):
        field = field_of(chosen, entries, "EUR")
        parts = template.parts(field)
        table = prize_table(PrizeStructure("EUR", parts, rest=Rest.ORGANIZER), 997_03)
        feats = sum(table.feats.get((part.bracket, part.feat), 0) * part.count for part in parts if part.feat)
        assert table.total + feats + table.rest == 997_03
        assert table.rest < sum(part.count for part in parts)


@pytest.mark.parametrize(
    ("key", "pot", "prizes"),
    [
        ("small", 13_200_00, {"main": [6_600_00, 3_300_00], "consolation": [3_300_00]}),
        (
            "twelfths",
            13_200_00,
            {
                "main": [4_400_00, 2_200_00, 1_100_00, 1_100_00],
                "consolation": [2_200_00, 1_100_00],
                "last chance": [1_100_00],
            },
        ),
        ("club", 1000_00, {"main": [400_00, 250_00], "consolation": [250_00, 100_00]}),
        ("lives", 1000_00, {"main": [400_00, 300_00, 200_00, 100_00]}),
        ("top", 1200_00, {"main": [600_00, 230_00, 80_00, 80_00], "consolation": [150_00, 60_00]}),
        ("pairs", 800_00, {"main": [500_00, 250_00], "last chance": [50_00]}),
        ("everybody", 1200_00, {"main": [600_00, 300_00, 150_00, 100_00, 50_00]}),
        ("four", 1000_00, {"main": [500_00, 250_00, 150_00, 100_00]}),
        ("series", 800_00, {"main": [400_00, 200_00, 100_00, 100_00]}),
    ],
)
def test_the_splits_of_real_events_come_out_to_the_cent(key, pot, prizes):
    table = table_of(key, 5, pot)
    assert {bracket: list(places.values()) for bracket, places in table.places.items()} == prizes


def test_who_reaches_the_final_unbeaten_gets_forty_percent_and_the_winner_forty():
    table = table_of("double", pot=1000_00, chosen=Format(Kind.DOUBLE))
    winner, other = table.places["main"].values()
    unbeaten = table.feats["main", Feat.UNBEATEN]
    assert (winner, other + unbeaten, other, winner + unbeaten) == (600_00, 400_00, 200_00, 800_00)


@pytest.mark.parametrize(
    ("kind", "left_out"),
    [
        (Kind.KNOCKOUT, {"double", "three", "three_swiss"}),
        (Kind.SWISS, {"double", "three", "three_swiss"}),
        (Kind.DOUBLE, {"three", "three_swiss"}),
        (Kind.LIVES, {"double"}),
    ],
)
def test_a_format_has_the_templates_whose_prizes_it_can_award(kind, left_out):
    field = field_of(Format(kind, rounds=5 * (kind is Kind.SWISS)), 16, "EUR")
    assert {row.key for row in TEMPLATES} - {row.key for row in templates_for(field)} == left_out
    assert suggested_template(field) in templates_for(field)


@pytest.mark.parametrize("key", ["three", "three_swiss"])
def test_each_of_the_last_three_expects_a_third(key):
    table = table_of(key, chosen=Format(Kind.LIVES), pot=156 * 60)
    first, second, third = (Fraction(minor) for minor in table.places["main"].values())
    pair = table.feats["main", Feat.PAIR_OF_THREE]
    with_bye = (first + second) / 2
    in_the_pair = pair + third / 2 + with_bye / 2
    assert with_bye == in_the_pair == Fraction(156 * 60, 3)


@pytest.mark.parametrize(
    ("chosen", "entries", "key"),
    [
        (ALL_BRACKETS, 16, "small"),
        (ALL_BRACKETS, 17, "twelfths"),
        (Format(Kind.KNOCKOUT), 16, "series"),
        (Format(Kind.DOUBLE), 16, "double"),
        (Format(Kind.LIVES), 20, "lives"),
        (Format(Kind.ROUND_ROBIN), 6, "everybody"),
        (Format(Kind.SWISS, rounds=5), 30, "four"),
        (Format(Kind.GROUPS), 30, "series"),
    ],
)
def test_the_suggested_template_follows_format_and_entries(chosen, entries, key):
    assert suggested_template(field_of(chosen, entries, "EUR")).key == key


structures = st.builds(
    PrizeStructure,
    currency=st.sampled_from(("EUR", "JPY")),
    parts=st.just(()) | st.just((Part("main", 1, 1, 50), Part("main", 2, 3, minor=10_00))),
    added=st.integers(0, 10**9),
    guaranteed=st.integers(0, 10**9),
    series_share=st.integers(0, 10_000),
    series_minor=st.integers(0, 10**9),
    unit=st.sampled_from((1, 100)),
    rest=st.sampled_from(Rest),
    ties=st.sampled_from(Ties),
    minimum=st.integers(0, 100),
    bubble=st.booleans(),
    condition=st.none() | st.sampled_from(Condition),
    pools=st.just(()) | st.just((PoolPrizes("1", (70, 30), ("consolation", "main"), Condition.MEMBER, 5, True),)),
    is_public=st.booleans(),
)  # fmt: skip


@given(structures)
def test_a_stored_structure_is_read_back_the_same(structure):
    assert parse_structure(structure_as_json(structure)) == structure


@pytest.mark.parametrize(
    "data",
    [
        {"currency": "XXX"},
        {"currency": "EUR", "added": -1},
        {"currency": "EUR", "added": 1.5},
        {"currency": "EUR", "parts": [{"bracket": "main", "places": [2, 1], "share": 5}]},
        {"currency": "EUR", "parts": [{"bracket": "main", "places": [1, 1]}]},
        {"currency": "EUR", "parts": [{"bracket": "main", "places": [1, 3], "share": 5}] * 2},
        {"currency": "EUR", "parts": [{"bracket": "main", "places": 1, "share": 5}]},
        {"currency": "EUR", "pools": [{"key": "1", "shares": [], "brackets": ["main"]}]},
        {"currency": "EUR", "pools": [{"key": "1", "shares": [1], "brackets": ["main", "main"]}]},
        {"currency": "EUR", "series_share": 10_001},
        {"currency": "EUR", "ties": "coin"},
    ],
)
def test_an_impossible_structure_is_refused_with_a_sentence(data):
    with pytest.raises(StructureError) as refusal:
        parse_structure(data)
    assert isinstance(refusal.value, SentenceError)


@pytest.mark.parametrize("key", ["main", "calcutta", "jackpot 1", "k" * 13])
def test_a_new_side_pool_has_a_key_of_its_own(key):
    structure = PrizeStructure("EUR", pools=(PoolPrizes(key, (1,)),))
    assert parse_structure(structure_as_json(structure)) == structure
    with pytest.raises(StructureError):
        refuse_pool_keys(structure)
