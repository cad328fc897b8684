"""The order of a draw."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.draw.chance import shuffle
from tournament.draw.graph import BYE, FromEntry, Graph, GraphError, Pairing
from tournament.draw.recipes import DrawError, apply_order, draw_order, single_elimination
from tournament.draw.seating import resolve

ENTRIES = [f"entry {letter}" for letter in "abcdefghijk"]


def test_without_seeds_everybody_is_drawn_by_lot() -> None:
    assert draw_order(ENTRIES, {}, "seed") == shuffle(ENTRIES, "seed")


def test_seeds_take_the_first_positions_by_their_numbers() -> None:
    order = draw_order(ENTRIES, {"entry k": 1, "entry b": 3, "entry f": 2}, "seed")
    assert order[:3] == ["entry k", "entry f", "entry b"]
    assert order[3:] == shuffle([e for e in ENTRIES if e not in order[:3]], "seed")


def test_numbers_left_out_between_seeds_do_not_matter() -> None:
    assert draw_order(ENTRIES, {"entry c": 8, "entry d": 5}, "seed")[:2] == ["entry d", "entry c"]


@given(st.integers(2, 60), st.data())
def test_everybody_has_one_position_and_the_same_seed_gives_the_same(
    entries: int, data: st.DataObject
) -> None:
    field = list(range(entries))
    chosen = data.draw(st.lists(st.sampled_from(field), unique=True))
    seeds = {entry: number for number, entry in enumerate(chosen, start=1)}
    order = draw_order(field, seeds, "a seed")
    assert sorted(order) == field
    assert order[: len(chosen)] == chosen
    assert draw_order(field, seeds, "a seed") == order


def with_a_bye(entries: list[str], seeds: dict[str, int], seed_text: str) -> set[object]:
    graph = apply_order(single_elimination(len(entries)), draw_order(entries, seeds, seed_text))
    states = resolve(graph, {}).states.values()
    return {state.result.winner for state in states if BYE in (state.left, state.right)}


def test_byes_go_to_the_seeds_first_and_then_by_lot() -> None:
    seeds = {"entry c": 1, "entry h": 2}
    assert all({"entry c", "entry h"} <= with_a_bye(ENTRIES, seeds, f"{n}") for n in range(20))
    lucky = set().union(*(with_a_bye(ENTRIES, seeds, f"{n}") for n in range(40)))
    assert lucky == set(ENTRIES)


def test_byes_go_to_the_highest_seeds_where_there_are_more_seeds_than_byes() -> None:
    seeds = {entry: number for number, entry in enumerate(ENTRIES[:8], start=1)}
    assert with_a_bye(ENTRIES, seeds, "seed") == set(ENTRIES[:5])


def test_an_entry_is_drawn_once() -> None:
    with pytest.raises(DrawError, match="twice"):
        draw_order(["a", "b", "a"], {}, "seed")


def test_only_entries_are_seeded() -> None:
    with pytest.raises(DrawError, match="not among the entries"):
        draw_order(["a", "b"], {"z": 1}, "seed")


@pytest.mark.parametrize("seeds", [{"a": 1, "b": 1}, {"a": 0}])
def test_every_seed_has_a_number_of_its_own(seeds: dict[str, int]) -> None:
    with pytest.raises(DrawError, match="its own number"):
        draw_order(["a", "b"], seeds, "seed")


@pytest.mark.parametrize("entries", [3, 5])
def test_a_layout_needs_as_many_entries_as_positions(entries: int) -> None:
    with pytest.raises(GraphError, match=f"4 positions for {entries} entries"):
        apply_order(single_elimination(4), ENTRIES[:entries])


def test_an_open_seat_of_a_layout_stays_open() -> None:
    layout = Graph([Pairing("final", "main", 1, 1, FromEntry(1), FromEntry(None))])
    assert apply_order(layout, ["ada"])["final"].right == FromEntry(None)
