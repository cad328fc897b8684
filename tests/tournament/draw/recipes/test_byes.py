"""Byes of the first round: for seeds, by lot, evenly, or by hand."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournament.draw.graph import BYE, Bye
from tournament.draw.recipes import (
    Byes,
    DrawError,
    Entrant,
    OrderRules,
    SeededLines,
    apply_order,
    draw_order,
    draw_positions,
    seed_lines,
    single_elimination,
)
from tournament.draw.seating import How, resolve

SIZES = st.one_of(st.integers(2, 40), st.sampled_from([63, 64, 65, 100, 129, 257]))
BY_LOT = [Byes.LOTTERY, Byes.BALANCED_LOTTERY]


def field(entries: int, seeds: int = 0) -> list[Entrant[int]]:
    return [Entrant(n, n if n <= seeds else None) for n in range(1, entries + 1)]


def sheet(positions: list[int | Bye]) -> list[int | Bye]:
    """The positions with the byes behind the last entry."""
    size = 1 << (len(positions) - 1).bit_length()
    return positions + [BYE] * (size - len(positions))


def with_a_bye(positions: list[int | Bye]) -> set[int | Bye]:
    full = sheet(positions)
    return {entry for entry, opponent in zip(full, full[::-1], strict=True) if opponent is BYE}


def by_line(positions: list[int | Bye]) -> list[int | Bye]:
    full = sheet(positions)
    return [full[position - 1] for position in seed_lines(len(full).bit_length() - 1)]


@given(SIZES, st.data())
def test_default_rules_draw_as_in_earlier_releases(entries: int, data: st.DataObject) -> None:
    seeds = data.draw(st.integers(0, entries))
    order = draw_order(range(1, entries + 1), {n: n for n in range(1, seeds + 1)}, "seed")
    assert draw_positions(field(entries, seeds), OrderRules(), "seed") == order


def test_a_sheet_with_its_byes_written_out_is_the_same_knock_out() -> None:
    for entries in range(2, 40):
        order = draw_positions(field(entries), OrderRules(), "seed")
        short = apply_order(single_elimination(entries), order)
        full = apply_order(single_elimination(len(sheet(order))), sheet(order))
        assert list(short) == list(full)


@settings(max_examples=60)
@given(SIZES, st.sampled_from(list(Byes)), st.sampled_from(list(SeededLines)), st.data())
def test_everybody_comes_once_and_no_two_byes_meet(
    entries: int, byes: Byes, lines: SeededLines, data: st.DataObject
) -> None:
    size = 1 << (entries - 1).bit_length()
    seeds = data.draw(st.integers(0, size // 2))
    named = tuple(range(1, size - entries + 1)) if byes is Byes.BY_HAND else ()
    rules = OrderRules(byes, lines, by_hand=named)
    full = sheet(draw_positions(field(entries, min(seeds, entries)), rules, "seed"))
    assert sorted(entry for entry in full if entry is not BYE) == list(range(1, entries + 1))
    assert len(full) == size
    assert BYE not in with_a_bye(full)
    assert len(with_a_bye(full)) == size - entries


@settings(max_examples=60)
@given(SIZES, st.sampled_from([Byes.TOP_SEEDS, *BY_LOT]), st.sampled_from(list(SeededLines)), st.data())
def test_two_seeds_meet_no_earlier_than_their_numbers_allow(
    entries: int, byes: Byes, lines: SeededLines, data: st.DataObject
) -> None:
    seeds = data.draw(st.integers(0, min(entries, (1 << (entries - 1).bit_length()) // 2)))
    at = {
        entry: line
        for line, entry in enumerate(
            by_line(draw_positions(field(entries, seeds), OrderRules(byes, lines), "s"))
        )
    }
    rounds = (entries - 1).bit_length()
    for upper, lower in combinations(range(1, seeds + 1), 2):
        they_meet_in = (at[upper] ^ at[lower]).bit_length()
        assert they_meet_in > rounds - (lower - 1).bit_length()


def test_drawn_seeds_change_places_only_among_those_as_strong() -> None:
    rules: OrderRules[int] = OrderRules(seeded_lines=SeededLines.DRAWN)
    orders = [draw_positions(field(16, 6), rules, f"{n}")[:6] for n in range(60)]
    assert all(order[:2] == [1, 2] for order in orders)
    assert Counter(tuple(order[2:4]) for order in orders).keys() == {(3, 4), (4, 3)}
    assert Counter(tuple(order[4:]) for order in orders).keys() == {(5, 6), (6, 5)}


def test_the_byes_of_top_seeds_follow_them_to_the_lines_they_drew() -> None:
    rules: OrderRules[int] = OrderRules(seeded_lines=SeededLines.DRAWN)
    draws = [draw_positions(field(13, 4), rules, f"{n}") for n in range(30)]
    assert all(with_a_bye(order) == {1, 2, 3} for order in draws)
    assert {order[3] for order in draws} == {3, 4}


def test_byes_that_seeds_leave_over_go_to_others_by_lot() -> None:
    rules: OrderRules[int] = OrderRules(seeded_lines=SeededLines.DRAWN)
    draws = [with_a_bye(draw_positions(field(11, 3), rules, f"{n}")) for n in range(60)]
    assert all({1, 2, 3} < byes for byes in draws)
    assert set().union(*draws) == set(range(1, 12))


def test_a_lottery_does_not_prefer_seeds() -> None:
    rules: OrderRules[int] = OrderRules(Byes.LOTTERY)
    byes = Counter(
        lucky for n in range(1300) for lucky in with_a_bye(draw_positions(field(13, 2), rules, f"seed {n}"))
    )
    expected = 1300 * 3 / 13
    assert sum((number - expected) ** 2 / expected for number in byes.values()) < 32.9  # one in a thousand
    assert len(byes) == 13


def test_a_lottery_never_makes_two_seeds_meet_at_once() -> None:
    rules: OrderRules[int] = OrderRules(Byes.LOTTERY)
    for n in range(30):
        order = draw_positions(field(5, 4), rules, f"{n}")
        assert len(with_a_bye(order) & {1, 2, 3, 4}) == 3
        assert order[:4] == [1, 2, 3, 4]


@settings(max_examples=40)
@given(SIZES, st.data())
def test_a_balanced_lottery_spreads_byes_evenly_over_halves_quarters_and_eighths(
    entries: int, data: st.DataObject
) -> None:
    size = 1 << (entries - 1).bit_length()
    seeds = data.draw(st.integers(0, min(entries, size // 2)))
    lines = by_line(draw_positions(field(entries, seeds), OrderRules(Byes.BALANCED_LOTTERY), "seed"))
    width = size
    while width > 1:
        byes = [lines[first : first + width].count(BYE) for first in range(0, size, width)]
        assert max(byes) - min(byes) <= 1
        width //= 2


def test_a_balanced_lottery_can_leave_the_first_seed_without_a_bye() -> None:
    rules: OrderRules[int] = OrderRules(Byes.BALANCED_LOTTERY)
    draws = [with_a_bye(draw_positions(field(14, 2), rules, f"{n}")) for n in range(60)]
    assert {1 in byes for byes in draws} == {True, False}


def test_byes_by_hand_go_to_those_named() -> None:
    rules = OrderRules(Byes.BY_HAND, by_hand=(11, 1, 7, 9, 2))
    for n in range(10):
        assert with_a_bye(draw_positions(field(11, 2), rules, f"{n}")) == {1, 2, 7, 9, 11}


@pytest.mark.parametrize("byes", list(Byes))
def test_a_bye_is_settled_unplayed(byes: Byes) -> None:
    order = draw_positions(field(6), OrderRules(byes, by_hand=(2, 5) if byes is Byes.BY_HAND else ()), "seed")
    states = resolve(apply_order(single_elimination(len(order)), order), {}).states
    through = [state.result.winner for state in states.values() if state.result.how is How.BYE]
    assert set(through) == with_a_bye(order)


@pytest.mark.parametrize(
    ("named", "why"),
    [
        ((1, 2), "3 byes, and 2 are given"),
        ((1, 2, 2), "to another entry"),
        ((1, 2, 99), "to another entry"),
        ((5, 4, 3), "two seeds would meet in round 1"),
    ],
)
def test_byes_by_hand_must_match_the_number_of_byes(named: tuple[int, ...], why: str) -> None:
    with pytest.raises(DrawError, match=why):
        draw_positions(field(5, 2), OrderRules(Byes.BY_HAND, by_hand=named), "seed")


@pytest.mark.parametrize(
    ("entries", "rules", "why"),
    [
        (field(1), OrderRules(), "two entries or more"),
        (field(8, 5), OrderRules(seeded_lines=SeededLines.DRAWN), "this many seeds"),
        (field(8, 5), OrderRules(Byes.LOTTERY), "this many seeds"),
        (field(7), OrderRules(by_hand=(1,)), "choose byes by hand"),
    ],
)
def test_contradictory_rules_are_refused(
    entries: list[Entrant[int]], rules: OrderRules[int], why: str
) -> None:
    with pytest.raises(DrawError, match=why):
        draw_positions(entries, rules, "seed")
