"""The least and the most that an entry of an unfinished draw gets from a side pool."""

import itertools
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournament.prizes.stories import amounts, entrants, out, still_in
from tournament.prizes.awards import awards_of
from tournament.prizes.open_prizes import least_prize, open_pool_prizes
from tournament.prizes.places import Place
from tournament.prizes.structure import Part, PoolPrizes, PrizeStructure
from tournament.prizes.templates import by_place

THREE = PoolPrizes("1", (50, 30, 20))
NAMES = "ABCDEFGH"
ROUNDING = 10
"""More than the cents that shared places can leave for first place."""


def possible(place_from, place_to, *names):
    return [Place(name, place_from, place_to, still_in=True) for name in names]


def open_prize(entry, pool, places, members, parts=()):
    structure = PrizeStructure("EUR", tuple(parts), pools=(pool,))
    facts = entrants(places, **{"1": members})
    return open_pool_prizes(structure, {"1": 100_00}, places, facts, entry).get("1")


@pytest.mark.parametrize(
    ("entry", "members", "expected"),
    [
        ("A", "ABCD", (30_00, 50_00)),
        ("D", "ABCD", (10_00, 10_00)),
        ("A", "AB", (37_50, 62_50)),
        ("A", "AD", None),
        ("D", "AD", None),
        ("D", "BCD", (25_00, 25_00)),
        ("E", "ABC", None),
    ],
)
def test_after_the_first_semifinal_of_four_a_member_is_certain_of_its_worst_place(entry, members, expected):
    places = {"main": [*possible(1, 2, "A"), *possible(1, 4, "B", "C"), *out(["D"], 3)]}
    places["main"][3] = replace(places["main"][3], place_to=4)
    assert open_prize(entry, THREE, places, members) == expected


def test_a_member_that_may_come_into_the_bracket_later_leaves_the_prize_open():
    pool = PoolPrizes("1", (1,), ("consolation",))
    places = {"main": possible(1, 2, "A", "B"), "consolation": [*possible(1, 2, "D"), *out(["C"], 3)]}
    assert open_prize("C", pool, places, "BC") == (0, 100_00)
    facts = entrants(places, **{"1": "BC"})
    assert awards_of(PrizeStructure("EUR", pools=(pool,)), {"1": 100_00}, places, facts) == ()
    over = {**places, "consolation": out(["D", "C"])}
    assert open_prize("C", pool, over, "BC") is None


def test_the_consolation_decides_between_members_that_left_the_main_bracket_together():
    pool = PoolPrizes("1", (60, 30, 10), ("main", "consolation"))
    main = [*out(["A", "B"]), *(Place(name, 3, 4) for name in "CD")]
    places = {"main": main, "consolation": possible(1, 2, "C", "D")}
    assert open_prize("C", pool, places, "ACD") == (10_00, 30_00)
    assert open_prize("C", pool, places, "ABCD") == (0, 10_00)
    assert open_prize("A", pool, places, "ABCD") is None


def test_a_pool_like_the_main_prizes_is_certain_of_the_worst_place_among_its_members():
    parts = [Part("main", 1, 1, 60), Part("main", 2, 2, 40)]
    pool = PoolPrizes("1", like_main=True)
    places = {"main": [*possible(1, 2, "A"), *possible(1, 4, "B", "C"), Place("D", 3, 4)]}
    assert open_prize("A", pool, places, "ABCD", parts) == (40_00, 60_00)
    assert open_prize("D", pool, places, "AD", parts) == (40_00, 40_00)
    assert open_prize("D", pool, places, "ABD", parts) == (0, 20_00)
    assert open_prize("A", pool, places, "A", parts) == (100_00, 100_00)


def bracket_of_eight(winners):
    """The places after the first matches of a knock-out of eight, in the order in which they are played."""
    results = dict(zip(range(7), winners, strict=False))
    alive = dict.fromkeys(NAMES, (1, 8))
    round_names, key, places = list(NAMES), 0, {}
    for last, out_from in ((4, 5), (2, 3), (1, 2)):
        survivors = []
        for left, right in zip(round_names[::2], round_names[1::2], strict=True):
            if left is None or right is None or key not in results:
                survivors.append(None)
            else:
                winner, loser = (left, right) if results[key] else (right, left)
                survivors.append(winner)
                places[loser] = Place(loser, out_from, 2 * out_from - 2)
                alive.pop(loser)
                alive[winner] = (1, last)
            key += 1
        round_names = survivors
    return [Place(name, *span, still_in=span != (1, 1)) for name, span in alive.items()] + list(
        places.values()
    )


@given(
    st.lists(st.booleans(), min_size=2, max_size=6),
    st.sets(st.sampled_from(NAMES), min_size=1),
    st.sampled_from([(1,), (70, 30), (50, 30, 20), (40, 30, 20, 10)]),
    st.booleans(),
)
def test_no_end_of_the_draw_gives_less_than_the_least_or_more_than_the_most(
    played, members, shares, like_main
):
    pool = PoolPrizes("1", shares, like_main=like_main)
    parts = tuple(Part("main", place, place, share) for place, share in enumerate(shares, 1))
    structure = PrizeStructure("EUR", parts, pools=(pool,))
    places = {"main": bracket_of_eight(played)}
    facts = entrants(places, **{"1": members})
    ends = []
    for rest in itertools.product([True, False], repeat=7 - len(played)):
        rows = {"main": bracket_of_eight([*played, *rest])}
        ends.append({award.entry: award.minor for award in awards_of(structure, {"1": 100_00}, rows, facts)})
    certain = {award.entry: award.minor for award in awards_of(structure, {"1": 100_00}, places, facts)}
    for entry in members:
        amounts = {end.get(entry, 0) for end in ends}
        prize = open_pool_prizes(structure, {"1": 100_00}, places, facts, entry).get("1")
        if prize is None:
            assert amounts == {certain.get(entry, 0)}
        else:
            assert prize.least + certain.get(entry, 0) <= min(amounts)
            assert prize.most + ROUNDING >= max(amounts)
            row = next(row for row in places["main"] if row.entry == entry)
            is_near = not row.still_in or row.place_to == 2
            if is_near and len(played) >= 5 and len(members) >= len(shares):
                assert max(min(amounts) - prize.least, prize.most - max(amounts)) < ROUNDING


def test_the_least_prize_of_a_finalist_counts_only_brackets_that_are_played():
    parts = (*by_place("main", 50, 25), Part("main", 3, 4, 8), *by_place("consolation", 9))
    structure = PrizeStructure("EUR", parts, minimum=85_00)
    final = {"main": [*still_in("Ann", "Ben"), *out([["Cem", "Dan"]], 3)]}
    least = least_prize(structure, 1000_00, {"main": final["main"][0]}, final)
    assert (
        least
        == amounts(structure, {"main": out(["Ann", "Ben", ["Cem", "Dan"]])}, {"main": 1000_00})[
            "Ben", "main 2"
        ]
    )
    assert least_prize(structure, 1000_00, {"main": final["main"][0]}, final | {"consolation": []}) == 0
