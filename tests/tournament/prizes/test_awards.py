"""The amounts of prize structures and the awards of entries, in the set-ups of real events."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournament.prizes.stories import amounts, entrants, out, still_in
from tournament.fees.schedule import Condition
from tournament.prizes.awards import awards_of
from tournament.prizes.places import Award, Entrant, Place
from tournament.prizes.structure import Feat, Part, PoolPrizes, PrizeStructure, Rest, Ties, main_pot
from tournament.prizes.table import prize_table
from tournament.prizes.templates import by_place

HALVES = (Part("main", 1, 1, 50), Part("main", 2, 2, 25), Part("consolation", 1, 1, 25))


def test_the_pots_of_the_championship_of_jamaica_are_awarded_whole():
    structure = PrizeStructure(
        "USD", HALVES, added=5_000_00, pools=(PoolPrizes("1", (70, 30), ("main", "consolation")),)
    )
    places = {"main": out(["Ann", "Ben", ["Cem", "Dan"]]), "consolation": out(["Cem", "Dan"])}
    pots = {"main": 10_350_00, "1": 2_660_00}
    assert amounts(structure, places, pots, entrants(places, **{"1": ["Ben", "Cem", "Dan"]})) == {
        ("Ann", "main 1"): 7_675_00,
        ("Ben", "main 2"): 3_837_50,
        ("Cem", "consolation 1"): 3_837_50,
        ("Ben", "pool 1 1"): 1_862_00,
        ("Cem", "pool 1 2"): 798_00,
    }


def test_each_match_won_is_paid_before_the_places_share_the_rest():
    parts = (Part("main", 1, 1, 2), Part("main", 2, 2, 1), Part("main", 1, 1, minor=20_00, feat=Feat.WIN))
    places = out(["Ann", "Ben", "Cem", "Dan"])
    rows = {"main": [replace(row, wins=4 - row.place_from) for row in places]}
    structure, pots = PrizeStructure("GBP", parts), {"main": 420_00}
    each_win = {("Ann", "main win"): 60_00, ("Ben", "main win"): 40_00, ("Cem", "main win"): 20_00}
    of_places = {("Ann", "main 1"): 200_00, ("Ben", "main 2"): 100_00}
    assert amounts(structure, rows, pots) == each_win | of_places
    open_rows = {"main": [replace(row, still_in=True) for row in rows["main"]]}
    assert amounts(structure, open_rows, pots) == each_win
    later = replace(structure, parts=(*parts[:2], replace(parts[2], place_from=2, place_to=2)))
    paid = amounts(later, rows, pots)
    assert (paid["Ann", "main win"], paid["Ben", "main win"], paid["Ann", "main 1"]) == (40_00, 20_00, 240_00)
    assert sum(amounts(structure, rows, {"main": 60_00}).values()) == 60_00


def test_a_place_that_is_not_certain_gives_no_award():
    places = {
        "main": [
            Place("Ann", 1, 2, still_in=True),
            Place("Ben", 1, 2, still_in=True),
            *out([["Cem", "Dan"]], 3),
        ]
    }
    structure = PrizeStructure(
        "EUR", (Part("main", 1, 1, 40), Part("main", 2, 2, 20), Part("main", 3, 4, 20))
    )
    assert amounts(structure, places, {"main": 100_01}) == {
        ("Cem", "main 3-4"): 20_00,
        ("Dan", "main 3-4"): 20_00,
    }


@pytest.mark.parametrize(
    ("feats", "first", "second"),
    [({"Ann"}, 80_00, 20_00), ({"Ben"}, 60_00, 40_00)],
)
def test_forty_percent_go_to_the_entry_that_reaches_the_final_unbeaten(feats, first, second):
    parts = (
        Part("main", 1, 1, 60),
        Part("main", 2, 2, 20),
        Part("main", 1, 1, 20, feat=Feat.UNBEATEN),
    )
    places = {
        "main": [
            Place(name, place, place, feats=frozenset({Feat.UNBEATEN} if name in feats else ()))
            for place, name in enumerate(["Ann", "Ben"], 1)
        ]
    }
    awards = awards_of(PrizeStructure("EUR", parts), {"main": 100_00}, places, entrants(places))
    assert [sum(award.minor for award in awards if award.entry == name) for name in ("Ann", "Ben")] == [
        first,
        second,
    ]


def test_a_feat_of_fewer_holders_than_planned_leaves_its_share_to_the_others():
    parts = (*by_place("main", 60), Part("main", 1, 2, 20, feat=Feat.UNBEATEN))
    places = {"main": [Place("Ann", 1, 1, feats=frozenset({Feat.UNBEATEN})), Place("Ben", 2, 2)]}
    assert amounts(PrizeStructure("EUR", parts), places, {"main": 10_00}) == {
        ("Ann", "main unbeaten"): 2_50,
        ("Ann", "main 1"): 7_50,
    }


def test_the_share_of_a_feat_that_nobody_achieved_goes_to_the_places():
    parts = (Part("main", 1, 1, 24), Part("main", 2, 2, 16), Part("main", 1, 2, 6, feat=Feat.PAIR_OF_THREE))
    assert amounts(PrizeStructure("EUR", parts), {"main": out(["Ann", "Ben"])}, {"main": 100_00}) == {
        ("Ann", "main 1"): 60_00,
        ("Ben", "main 2"): 40_00,
    }


def test_who_went_out_before_the_money_with_as_many_wins_shares():
    parts = tuple(Part("main", place, place, share) for place, share in enumerate((40, 30, 20, 10), 1))
    wins = {"Ann": 6, "Ben": 5, "Cem": 4, "Dan": 3, "Eva": 3, "Fay": 2, "Gil": 3}
    places = {
        "main": [Place(name, number, number, wins=won) for number, (name, won) in enumerate(wins.items(), 1)]
    }
    structure = PrizeStructure("EUR", parts, bubble=True, rest=Rest.ORGANIZER)
    assert list(amounts(structure, places, {"main": 1000_00}).values()) == [
        400_00,
        300_00,
        200_00,
        33_33,
        33_33,
        33_33,
    ]


@pytest.mark.parametrize(
    ("ties", "expected"),
    [
        (Ties.PLACES, [50_00, 30_00, 20_00]),
        (Ties.RECORDS, [33_34, 33_33, 33_33]),
        (Ties.HALF, [41_68, 31_66, 26_66]),
    ],
)
def test_equal_records_share_by_the_rule(ties, expected):
    parts = tuple(Part("main", place, place, share) for place, share in enumerate((50, 30, 20), 1))
    places = {"main": out(["Ann", "Ben", "Cem"], tied_from=1, tied_to=3)}
    structure = PrizeStructure("EUR", parts, ties=ties)
    assert list(amounts(structure, places, {"main": 100_00}).values()) == expected


@pytest.mark.parametrize("ties", [Ties.RECORDS, Ties.HALF])
def test_equal_records_do_not_share_less_than_the_smallest_prize(ties):
    structure = PrizeStructure("EUR", by_place("main", 60, 40), ties=ties, minimum=15_00)
    places = {"main": [*out(["Ann"]), *out(["Ben", "Cem", "Dan"], 2, tied_from=2, tied_to=4)]}
    assert list(amounts(structure, places, {"main": 100_00}).values()) == [60_00, 40_00]


@pytest.mark.parametrize(("rest", "first"), [(Rest.FIRST, 50_01), (Rest.ORGANIZER, 50_00)])
def test_the_rest_of_rounding_goes_where_the_rule_says(rest, first):
    parts = (Part("play-off", 1, 1, 50), Part("play-off", 2, 2, 25), Part("play-off", 3, 3, 25))
    places = {"play-off": out(["Ann", ["Ben", "Cem"]])}
    structure = PrizeStructure("EUR", parts, rest=rest, ties=Ties.PLACES, unit=1_00)
    table = prize_table(structure, 100_01)
    assert table.places["play-off"][1] == first
    assert amounts(structure, places, {"main": 100_01})["Ann", "play-off 1"] == first
    odd = {"play-off": out(["Ann", ["Ben", "Cem", "Dan"]])}
    due = amounts(structure, odd, {"main": 100_01})
    assert due["Ben", "play-off 2-4"] == 16_00
    assert due["Ann", "play-off 1"] == first + (2_00 if rest is Rest.FIRST else 0)


def test_prizes_below_the_minimum_go_to_the_others():
    parts = tuple(Part("main", place, place, share) for place, share in enumerate((50, 30, 15, 5), 1))
    table = prize_table(PrizeStructure("EUR", parts, minimum=10_00, unit=5_00), 103_00)
    assert table.places == {"main": {1: 58_00, 2: 30_00, 3: 15_00, 4: 0}}


def test_a_guarantee_a_series_share_and_the_rounding_rest():
    structure = PrizeStructure(
        "EUR",
        (Part("main", 1, 2, 1),),
        guaranteed=1000_00,
        series_share=1000,
        unit=10_00,
        rest=Rest.ORGANIZER,
    )
    assert prize_table(structure, 500_00).places == {"main": {1: 500_00, 2: 500_00}}
    table = prize_table(structure, 1305_00)
    assert (table.places, table.rest) == ({"main": {1: 580_00, 2: 580_00}}, 14_50)


POOL = PrizeStructure("GBP", pools=(PoolPrizes("gold", (70, 30), ("main", "consolation")),))


@pytest.mark.parametrize(
    ("main", "consolation", "expected"),
    [
        (out(["Ann", "Ben", ["Cem", "Dan"]]), [], {"Ann": 70, "Ben": 30}),
        (out(["Ann", "Ben", ["Cem", "Dan"]]), out(["Dan", "Cem"]), {"Ann": 70, "Ben": 30}),
        ([*out(["Zoe", ["Ann", "Ben"]]), Place("Yan", 4, 4)], out(["Ben", "Ann"]), {"Ben": 70, "Ann": 30}),
        (out(["Zoe", ["Ann", "Ben"]]), still_in("Ann", "Ben"), {}),
        (out(["Zoe", ["Ann", "Ben"]]), None, {"Ann": 50, "Ben": 50}),
        ([*still_in("Ann", "Zoe"), *out(["Ben"], 3)], [], {"Ann": 70, "Ben": 30}),
        (still_in("Ann", "Ben", "Zoe"), [], {}),
    ],
)  # fmt: skip
def test_a_side_pool_is_won_by_the_entries_that_get_furthest(main, consolation, expected):
    places = {"main": main} | ({} if consolation is None else {"consolation": consolation})
    facts = entrants(places, gold=["Ann", "Ben"])
    awards = awards_of(POOL, {"gold": 100_00}, places, facts)
    assert {award.entry: award.minor // 100 for award in awards} == expected


def test_members_of_a_side_pool_who_did_not_play_its_first_bracket_come_behind_the_others():
    structure = PrizeStructure("EUR", pools=(PoolPrizes("gold", (70, 20, 10), ("consolation", "main")),))
    places = {"main": out(["Ann", "Ben", "Cem"]), "consolation": out(["Zoe", "Cem"])}
    for members, expected in (
        (["Ann", "Ben", "Cem"], {"Cem": 70_00, "Ann": 20_00, "Ben": 10_00}),
        (["Ben"], {"Ben": 100_00}),
        (["Zoe"], {"Zoe": 100_00}),
    ):
        awards = awards_of(structure, {"gold": 100_00}, places, entrants(places, gold=members))
        assert {award.entry: award.minor for award in awards} == expected


def test_members_who_did_not_reach_the_play_off_share_its_side_pool():
    structure = PrizeStructure("EUR", pools=(PoolPrizes("gold", (70, 30), ("play-off",)),))
    places = {"group 1": out(["Ann", "Ben"]), "group 2": out(["Cem", "Dan"]), "play-off": ()}
    facts = {"Gone": Entrant(pools=frozenset({"gold"}))} | entrants(places, gold=["Ben", "Dan"])
    assert awards_of(structure, {"gold": 100_00}, places, facts) == ()
    awards = awards_of(structure, {"gold": 100_00}, places | {"play-off": out(["Ann", "Cem"])}, facts)
    assert {award.entry: award.minor for award in awards} == {"Ben": 50_00, "Dan": 50_00}


def test_a_side_pool_that_nobody_joined_pays_nothing():
    places = {"main": out(["Ann", "Ben"])}
    assert awards_of(POOL, {"gold": 0}, places, entrants(places)) == ()


def test_added_money_for_members_goes_to_the_furthest_member():
    pool = PoolPrizes("federation", (1,), condition=Condition.MEMBER, added=500_00, is_open=True)
    places = {"main": out(["Ann", "Ben", "Cem"])}
    facts = {
        name: Entrant(frozenset({Condition.MEMBER} if name != "Ann" else ()))
        for name in ("Ann", "Ben", "Cem")
    }
    assert awards_of(PrizeStructure("USD", pools=(pool,)), {}, places, facts) == (
        Award("Ben", "federation", "pool federation 1", 500_00),
    )


def test_places_are_counted_among_members_only():
    structure = PrizeStructure(
        "EUR", (Part("main", 1, 1, 60), Part("main", 2, 2, 40)), condition=Condition.MEMBER
    )
    places = {"main": out(["Ann", "Ben", ["Cem", "Dan"], "Eva"])}
    facts = {
        name: Entrant(frozenset({Condition.MEMBER} if name in ("Cem", "Eva") else ()))
        for name in ("Ann", "Ben", "Cem", "Dan", "Eva")
    }
    assert amounts(structure, places, {"main": 100_00}, facts) == {
        ("Cem", "main 1"): 60_00,
        ("Eva", "main 2"): 40_00,
    }


LIST = by_place("main", 50, 30, 10, 10)
WITH_CONSOLATION = (*by_place("main", 60, 20), *by_place("consolation", 15, 5))


@pytest.mark.parametrize(
    ("parts", "places", "expected"),
    [
        (LIST, {"main": out(["Ann", "Ben", "Cem"])}, [55_56, 33_33, 11_11]),
        (LIST, {"main": [*still_in("Ann", "Ben"), *out(["Cem"], 3)]}, [11_11]),
        (WITH_CONSOLATION, {"main": out(["Ann", "Ben"])}, [75_00, 25_00]),
        (WITH_CONSOLATION, {"main": out(["Ann", "Ben"]), "consolation": []}, [60_00, 20_00]),
        (WITH_CONSOLATION, {"main": out(["Ann", "Ben"]), "consolation": out(["Cem"])}, [63_17, 21_05, 15_78]),
    ],
)
def test_places_that_nobody_holds_are_paid_to_the_others(parts, places, expected):
    assert list(amounts(PrizeStructure("EUR", parts), places, {"main": 100_00}).values()) == expected


@pytest.mark.parametrize(
    ("rest", "expected"), [(Rest.FIRST, [40, 32, 4, 4]), (Rest.ORGANIZER, [40, 32, 4, 4])]
)
def test_prizes_of_equal_places_are_rounded_once(rest, expected):
    structure = PrizeStructure("EUR", by_place("main", 50, 40, 7, 3), unit=1_00, rest=rest)
    places = {"main": out(["Ann", "Ben", ["Cem", "Dan"]])}
    awards = amounts(structure, places, {"main": 80_00}).values()
    assert [minor // 100 for minor in awards] == expected
    pool = PrizeStructure("EUR", pools=(PoolPrizes("gold", (70, 30)),), rest=rest)
    places = {"main": out([["Ann", "Ben", "Cem"]])}
    awards = awards_of(pool, {"gold": 275_52}, places, entrants(places, gold=["Ann", "Ben", "Cem"]))
    assert [award.minor for award in awards] == [91_84] * 3


def test_the_rest_of_rounding_goes_to_the_winner_of_the_main_bracket():
    parts = (*by_place("consolation", 25), *by_place("main", 52, 23))
    places = {"main": out(["Ann", "Ben"]), "consolation": out(["Cem"])}
    awards = amounts(PrizeStructure("EUR", parts, unit=5_00), places, {"main": 80_00})
    assert list(awards.values()) == [20_00, 45_00, 15_00]


def test_a_pot_named_after_a_jackpot_goes_to_its_winner():
    places = {"main": out(["Ann", "Ben"]), "jackpot 1": out(["Ben", "Ann"])}
    assert amounts(PrizeStructure("EUR"), places, {"jackpot 1": 80_00}) == {("Ben", "jackpot 1 1"): 80_00}


shares = st.lists(st.integers(0, 60), min_size=1, max_size=8)
structures = st.builds(
    PrizeStructure,
    currency=st.just("EUR"),
    parts=st.tuples(shares, shares).map(
        lambda lists: tuple(
            Part(bracket, place, place, share) if share < 50 else Part(bracket, place, place, minor=share)
            for bracket, weights in zip(("main", "consolation"), lists, strict=True)
            for place, share in enumerate(weights, 1)
        )
    ),
    added=st.integers(0, 500),
    guaranteed=st.sampled_from((0, 3000)),
    series_share=st.integers(0, 10_000),
    unit=st.sampled_from((1, 5, 10, 100)),
    rest=st.sampled_from(Rest),
    ties=st.sampled_from(Ties),
    minimum=st.sampled_from((0, 200)),
    bubble=st.booleans(),
    pools=st.sampled_from(((), (PoolPrizes("1", (70, 30), ("main", "consolation")),))),
)
groups = st.lists(st.integers(1, 4), min_size=1, max_size=6)


@st.composite
def finals(draw):
    """Places of a bracket: groups share places, and the first of them may still be in."""
    first = draw(st.integers(0, 4))
    places, place = still_in(*(f"{number}" for number in range(1, first + 1))), first + 1
    for size in draw(groups):
        wins = draw(st.integers(0, 3))
        last = place + size - 1
        places += [Place(f"{number}", place, last, wins=wins) for number in range(place, last + 1)]
        place += size
    return places


@given(
    structures,
    finals(),
    finals(),
    st.integers(0, 20_000),
    st.sampled_from((frozenset(), frozenset({"1"}))),
)
def test_the_awards_of_a_pot_never_exceed_it_and_equal_places_are_equal(
    structure, main, consolation, paid_in, pools
):
    places = {"main": main, "consolation": consolation}
    facts = {
        name: Entrant(pools=pools) for name in (place.entry for rows in places.values() for place in rows)
    }
    awards = awards_of(structure, {"main": paid_in, "1": paid_in}, places, facts)
    by_pot = {pot: sum(award.minor for award in awards if award.pot == pot) for pot in ("main", "1")}
    assert by_pot["main"] <= main_pot(structure, paid_in).prizes
    assert by_pot["1"] <= paid_in
    by_line = {}
    for award in awards:
        by_line.setdefault((award.pot, award.line), set()).add(award.minor)
    if not structure.bubble:
        assert all(len(minors) == 1 for minors in by_line.values())


@given(structures, st.integers(0, 20_000))
def test_a_table_adds_up_to_the_pot(structure, paid_in):
    table = prize_table(structure, paid_in)
    assert table.total + table.rest == main_pot(structure, paid_in).prizes
    if structure.rest is Rest.FIRST:
        assert table.rest == 0
