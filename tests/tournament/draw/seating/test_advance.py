"""Advancing step by step gives the same seating as a full resolve."""

from collections.abc import Sequence
from random import Random
from typing import Any, TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournament.draw.drawing import (
    Key,
    a_decision,
    any_graphs,
    drop_out_bracket,
    knock_outs,
    open_matches,
    seated,
)
from tournament.draw.formats import Format, Kind
from tournament.draw.formats.layouts import layout
from tournament.draw.graph import BYE, EntryId, Feed, FromBye, FromEntry, Graph, Pairing, Seat, Source
from tournament.draw.recipes import apply_order, single_elimination
from tournament.draw.seating import Decision, How, MemorySheet, Seating, Settled, State, advance, resolve

AnySheet: TypeAlias = MemorySheet[Any, str]


def seating_of(sheet: MemorySheet[Key, EntryId]) -> Seating[Key, EntryId]:
    """The whole seating, resolved from the sheet's facts."""
    return resolve(sheet.graph, sheet.decisions, sheet.withdrawn)


def pairings_of(sheet: AnySheet, entry: str) -> list[Any]:
    return [key for key, state in sheet.states.items() if entry in (state.left, state.right)]


def report(sheet: AnySheet, chance: Random) -> list[Any]:
    """Decides one match that can be played, if there is one."""
    if playable := open_matches(Seating(sheet.states, frozenset())):
        key = chance.choice(playable)
        sheet.decisions[key] = a_decision(sheet.states[key].left, sheet.states[key].right, chance, 0.15)
        return [key]
    return []


def correct(sheet: AnySheet, chance: Random) -> list[Any]:
    """Removes or replaces one decision, even if others rest on it."""
    if not sheet.decisions:
        return []
    key = chance.choice(list(sheet.decisions))
    old = sheet.decisions.pop(key)
    if chance.random() < 0.7:
        sheet.decisions[key] = a_decision(old.winner or old.also_lost, old.loser, chance, 0.15)
    return [key]


def withdraw_or_return(sheet: AnySheet, chance: Random) -> list[Any]:
    entry = chance.choice(seated(sheet.graph))
    if sheet.withdrawn.pop(entry, None) is None:
        sheet.withdrawn[entry] = 1 + max(sheet.withdrawn.values(), default=0)
    return pairings_of(sheet, entry)


@settings(max_examples=50)
@given(st.one_of(any_graphs(), knock_outs()), st.randoms(use_true_random=False), st.data())
def test_an_advance_is_the_difference_between_two_full_resolves(
    graph: Graph[Any, str], chance: Random, data: st.DataObject
) -> None:
    sheet = MemorySheet(graph)
    acts = st.lists(st.sampled_from([report, report, report, correct, withdraw_or_return]), max_size=25)
    for act in data.draw(acts):
        before = Seating(dict(sheet.states), frozenset())
        changes = sheet.advance(*act(sheet, chance))
        after = seating_of(sheet)
        assert sheet.states == after.states
        assert changes == after.changes_since(before)


@settings(max_examples=25)
@given(st.one_of(any_graphs(), knock_outs()), st.randoms(use_true_random=False), st.integers(1, 6))
def test_several_changes_can_be_advanced_together(
    graph: Graph[Any, str], chance: Random, number: int
) -> None:
    sheet = MemorySheet(graph)
    for _ in range(4):
        changed = [
            key
            for _ in range(number)
            for act in (report, correct, withdraw_or_return)
            for key in act(sheet, chance)
        ]
        sheet.advance(*changed)
        assert sheet.states == seating_of(sheet).states


@given(st.one_of(any_graphs(), knock_outs()), st.randoms(use_true_random=False))
def test_the_order_of_reporting_does_not_matter(graph: Graph[Any, str], chance: Random) -> None:
    sheet = MemorySheet(graph)
    while changed := report(sheet, chance):
        sheet.advance(*changed)
    retold = MemorySheet(graph)
    for key in chance.sample(list(sheet.decisions), len(sheet.decisions)):
        retold.decisions[key] = sheet.decisions[key]
        retold.advance(key)
    assert retold.states == sheet.states


@given(any_graphs(), st.randoms(use_true_random=False))
def test_a_correction_and_its_reverse_change_nothing(graph: Graph[Any, str], chance: Random) -> None:
    sheet = MemorySheet(graph)
    for _ in range(6):
        sheet.advance(*report(sheet, chance))
    before, facts = dict(sheet.states), dict(sheet.decisions)
    sheet.advance(*correct(sheet, chance))
    for key, decision in facts.items():
        if sheet.decisions.get(key) != decision:
            sheet.decisions[key] = decision
            sheet.advance(key)
    assert sheet.states == before


def test_a_second_advance_changes_nothing() -> None:
    sheet = MemorySheet(drop_out_bracket())
    sheet.decisions["A1"] = Decision("ada", "bo")
    assert set(sheet.advance("A1")) == {"A1", "B1", "L1"}
    assert sheet.advance("A1") == {}


def test_swapped_seats_in_the_final_can_require_a_second_final() -> None:
    graph = layout(Format(Kind.DOUBLE, reset=True), 2).graph
    first, final, second = (pairing.key for pairing in graph)
    sheet = MemorySheet(apply_order(graph, ["ada", "bo"]))
    for key in (first, final):
        sheet.decisions[key] = Decision("ada", "bo")
        sheet.advance(key)
    assert sheet.states[second].right is BYE
    sheet.decisions[first] = Decision("bo", "ada")
    sheet.advance(first)
    assert (sheet.states[second].left, sheet.states[second].right) == ("ada", "bo")
    assert sheet.states == seating_of(sheet).states


def test_an_advance_does_not_change_the_sheet() -> None:
    sheet = MemorySheet(drop_out_bracket())
    sheet.decisions["A1"] = Decision("ada", "bo")
    before = dict(sheet.states)
    advance(sheet, ["A1"])
    assert sheet.states == before


def test_the_next_advance_repairs_an_interrupted_one() -> None:
    sheet = MemorySheet(drop_out_bracket())
    sheet.decisions["A1"] = Decision("ada", "bo")
    sheet.states["A1"] = advance(sheet, ["A1"])["A1"]
    assert set(sheet.advance("A1")) == {"B1", "L1"}
    assert sheet.states == seating_of(sheet).states


def test_a_late_entry_takes_a_bye_seat_and_has_a_match() -> None:
    def draw(late: Source[str, str]) -> Graph[str, str]:
        return Graph([Pairing("final", "main", 1, 1, FromEntry("ada"), late)])

    sheet = MemorySheet(draw(FromBye()))
    assert sheet.states["final"].result.how is How.BYE
    sheet.graph = draw(FromEntry("bo"))
    sheet.states["final"] = sheet.states["final"].with_occupant(Seat.RIGHT, "bo")
    sheet.advance("final")
    assert sheet.states == seating_of(sheet).states
    assert sheet.states["final"].result.how is None


def test_a_double_no_show_in_the_last_open_pairing_advances_byes_to_the_final() -> None:
    sheet = MemorySheet(drop_out_bracket())
    for key, decision in [
        ("A2", Decision.both_lost("cy", "di")),
        ("A1", Decision.both_lost("ada", "bo")),
    ]:
        sheet.decisions[key] = decision
        changes = sheet.advance(key)
    assert changes["F"] == State(BYE, BYE, Settled(BYE, BYE, How.BYE))


class CountingSheet(MemorySheet[Key, EntryId]):
    """Records the pairings that an advance loads."""

    def __init__(self, graph: Graph[Key, EntryId]) -> None:
        super().__init__(graph)
        self.looked_at: list[Key] = []

    def state(self, key: Key) -> State[EntryId]:
        self.looked_at.append(key)
        return super().state(key)

    def feeds_from(self, key: Key) -> Sequence[Feed[Key]]:
        self.looked_at.append(key)
        return super().feeds_from(key)

    def decision(self, key: Key) -> Decision[EntryId] | None:
        self.looked_at.append(key)
        return super().decision(key)


@pytest.mark.parametrize("entries", [16, 64, 1024])
def test_a_result_loads_only_its_own_pairing_and_the_next(entries: int) -> None:
    sheet = CountingSheet(single_elimination(entries))
    winner, loser = entries_in(sheet.states["main", 1, 3])
    sheet.decisions["main", 1, 3] = Decision(winner, loser)
    sheet.advance(("main", 1, 3))
    assert set(sheet.looked_at) == {("main", 1, 3), ("main", 2, 2)}
    assert len(sheet.looked_at) == 7


@given(any_graphs(), st.randoms(use_true_random=False))
def test_only_downstream_pairings_are_loaded(graph: Graph[Any, str], chance: Random) -> None:
    sheet = CountingSheet(graph)
    for _ in range(5):
        changed = report(sheet, chance)
        sheet.looked_at.clear()
        sheet.advance(*changed)
        downstream = set(changed)
        for pairing in graph:
            if any(getattr(source, "pairing", None) in downstream for _, source in pairing.seats):
                downstream.add(pairing.key)
        assert set(sheet.looked_at) <= downstream


def entries_in(state: State[int]) -> list[int]:
    return [entry for entry in (state.left, state.right) if isinstance(entry, int)]


def test_a_whole_event_of_1024_is_moved_on_one_result_at_a_time() -> None:
    chance = Random(1024)
    sheet = MemorySheet(single_elimination(1024))
    waiting = [key for key in sheet.states if key[1] == 1]
    while waiting:
        key = waiting.pop(chance.randrange(len(waiting)))
        winner, loser = sorted(entries_in(sheet.states[key]))
        sheet.decisions[key] = Decision(winner, loser)
        for reached, state in sheet.advance(key).items():
            if reached != key and None not in (state.left, state.right):
                waiting.append(reached)
    assert len(sheet.decisions) == 1023
    assert sheet.states["main", 10, 1].result.winner == 1
    assert sheet.states == seating_of(sheet).states
