"""Round robins, and groups whose best meet again in a play-off as late as possible."""

from collections import Counter
from itertools import combinations, permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.draw.graph import FromBye, FromEntry, FromPlace, Graph, GraphError, Pairing
from tournament.draw.recipes import Spot, apply_order
from tournament.draw.recipes.knockout import seed_lines
from tournament.draw.recipes.play_off_seats import cheapest_assignment, play_off_positions
from tournament.draw.recipes.round_robin import (
    deal_into_groups,
    groups_then_play_off,
    play_off_sources,
    round_robin,
)

SIZES = [*range(2, 18), 31, 40, 63, 64]
LARGEST_SHEET = 64
SHEETS = [
    (groups, through)
    for groups in range(2, 20)
    for through in range(1, 7)
    if groups * through <= LARGEST_SHEET
]


def meeting(pairing: Pairing[Spot, int]) -> frozenset[int | None]:
    return frozenset(source.entry for _, source in pairing.seats if isinstance(source, FromEntry))


def meetings(graph: Graph[Spot, int]) -> Counter[frozenset[int | None]]:
    return Counter(meeting(pairing) for pairing in graph)


def pairs(positions: list[int]) -> list[frozenset[int]]:
    return [frozenset(pair) for pair in combinations(positions, 2)]


@pytest.mark.parametrize("entries", SIZES)
def test_each_pair_meets_once(entries: int) -> None:
    met = meetings(round_robin(entries))
    assert {pair: number for pair, number in met.items() if len(pair) > 1} == dict.fromkeys(
        pairs(list(range(1, entries + 1))), 1
    )


@pytest.mark.parametrize("entries", SIZES)
def test_everybody_sits_once_in_every_round_and_odd_numbers_sit_out_once_each(entries: int) -> None:
    graph = round_robin(entries)
    rounds = entries - 1 + entries % 2
    for number in range(1, rounds + 1):
        seated = [meeting(pairing) for pairing in graph if pairing.round == number]
        assert sorted(entry for pair in seated for entry in pair if entry) == list(range(1, entries + 1))
    byes = Counter(
        left.entry
        for pairing in graph
        if pairing.right == FromBye() and isinstance(left := pairing.left, FromEntry)
    )
    assert byes == (dict.fromkeys(range(1, entries + 1), 1) if entries % 2 else {})
    assert max(pairing.round for pairing in graph) == rounds


def test_a_group_of_four_is_the_usual_table() -> None:
    rounds = rounds_of(round_robin(4))
    assert [{meeting(pairing) for pairing in one_round} for one_round in rounds] == [
        {frozenset({1, 4}), frozenset({2, 3})},
        {frozenset({1, 3}), frozenset({2, 4})},
        {frozenset({1, 2}), frozenset({3, 4})},
    ]


def rounds_of(graph: Graph[Spot, int]) -> list[list[Pairing[Spot, int]]]:
    return [
        [pairing for pairing in graph if pairing.round == number]
        for number in range(1, 1 + max(pairing.round for pairing in graph))
    ]


def test_the_one_who_sits_out_comes_last_in_the_round() -> None:
    for one_round in rounds_of(round_robin(7)):
        assert [pairing.right == FromBye() for pairing in one_round] == [False, False, False, True]
        assert [pairing.line for pairing in one_round] == [1, 2, 3, 4]


def test_a_double_round_robin_changes_sides_the_second_time() -> None:
    graph = round_robin(5, meetings=2)
    sides = Counter((pairing.left, pairing.right) for pairing in graph if pairing.right != FromBye())
    first, second = FromEntry(1), FromEntry(2)
    assert len(rounds_of(graph)) == 10
    assert set(sides.values()) == {1}
    assert sides[first, second] == sides[second, first] == 1


@pytest.mark.parametrize("entries", [6, 7])
def test_a_round_robin_cut_short_is_the_beginning_of_the_whole(entries: int) -> None:
    whole = list(round_robin(entries))
    assert list(round_robin(entries, rounds=3)) == [pairing for pairing in whole if pairing.round <= 3]


@pytest.mark.parametrize(
    ("entries", "rounds", "times", "why"),
    [
        (1, None, 1, "2 to 64 entries"),
        (65, None, 1, "2 to 64 entries"),
        (6, 6, 1, "1 to 5 rounds"),
        (6, 0, 1, "1 to 5 rounds"),
        (6, None, 3, "once or twice"),
    ],
)
def test_an_impossible_round_robin_is_refused(entries: int, rounds: int | None, times: int, why: str) -> None:
    with pytest.raises(GraphError, match=why):
        round_robin(entries, rounds, times)


def test_groups_are_dealt_out_in_a_snake() -> None:
    assert deal_into_groups(10, 4) == [[1, 8, 9], [2, 7, 10], [3, 6], [4, 5]]


def test_each_group_is_a_round_robin_of_its_own() -> None:
    graph = groups_then_play_off(10, 3, through=2)
    for number, positions in enumerate(deal_into_groups(10, 3), 1):
        met = Counter(meeting(pairing) for pairing in graph if pairing.bracket == f"group {number}")
        assert [met[pair] for pair in pairs(positions)] == [1] * len(pairs(positions))


def test_groups_of_different_sizes_are_truncated_individually() -> None:
    graph = groups_then_play_off(7, 2, through=2, rounds=3, meetings=1)
    assert {p.bracket: p.round for p in graph} == {"group 1": 3, "group 2": 3, "play-off": 2}
    whole = groups_then_play_off(9, 2, through=2)
    assert {p.bracket: p.round for p in whole} == {"group 1": 5, "group 2": 3, "play-off": 2}


def test_groups_can_be_drawn_like_any_layout() -> None:
    players = [f"entry {n}" for n in range(1, 9)]
    graph = apply_order(groups_then_play_off(8, 2, through=2), players)
    assert graph["play-off", 1, 1].left == FromPlace("group 1", 1)
    assert graph["group 1", 1, 1].left == FromEntry("entry 1")


def test_winners_of_four_groups_meet_seconds_of_others() -> None:
    seats = [seat for seat in play_off_sources(4, 2) if isinstance(seat, FromPlace)]
    matches = list(zip(seats[::2], seats[1::2], strict=True))
    assert all({left.place, right.place} == {1, 2} for left, right in matches)
    assert all(left.bracket != right.bracket for left, right in matches)


def test_every_place_has_one_seat_and_byes_go_to_the_winners_first() -> None:
    for groups, through in SHEETS:
        seats = play_off_sources(groups, through)
        taken = [seat for seat in seats if isinstance(seat, FromPlace)]
        assert len(set(taken)) == len(taken) == groups * through
        lucky = [
            seat.place
            for line, seat in enumerate(seats)
            if isinstance(seat, FromPlace) and seats[line ^ 1] == FromBye()
        ]
        assert sorted(lucky) == [1 + n // groups for n in range(len(seats) - len(taken))]


def test_players_of_one_group_meet_again_as_late_as_can_be() -> None:
    for groups, through in SHEETS:
        lines = seed_lines((groups * through - 1).bit_length())
        rounds = (len(lines) - 1).bit_length()
        for own in play_off_positions(groups, through):
            assert len(own) == through
            at = [lines.index(position) for position in own]
            first = min(
                ((line ^ rival_line).bit_length() for line, rival_line in combinations(at, 2)), default=rounds
            )
            assert first >= rounds + 1 - max(1, (through - 1).bit_length())


@given(st.integers(1, 5), st.randoms(use_true_random=False))
def test_no_other_assignment_is_cheaper(size: int, chance: Random) -> None:
    costs = [[chance.randrange(9) for _ in range(size)] for _ in range(size)]
    taken = cheapest_assignment(costs)
    assert sorted(taken) == list(range(size))
    assert sum(row[column] for row, column in zip(costs, taken, strict=True)) == min(
        sum(row[column] for row, column in zip(costs, way, strict=True)) for way in permutations(range(size))
    )


@pytest.mark.parametrize(
    ("entries", "groups", "through", "why"),
    [
        (8, 1, 1, "2 to 64 groups"),
        (5, 3, 1, "5 do not make 3 groups"),
        (10, 4, 3, "3 cannot qualify from groups of 2"),
        (10, 4, 0, "0 cannot qualify"),
    ],
)
def test_impossible_groups_are_refused(entries: int, groups: int, through: int, why: str) -> None:
    with pytest.raises(GraphError, match=why):
        groups_then_play_off(entries, groups, through)
