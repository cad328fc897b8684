"""Random graphs of any shape for tests, and ways to play them to the end."""

from __future__ import annotations

from collections.abc import Hashable
from random import Random
from typing import TypeVar

from hypothesis import strategies as st

from tournament.draw.graph import (
    FromBye,
    FromEntry,
    FromPairing,
    Graph,
    Outcome,
    Pairing,
    Source,
)
from tournament.draw.recipes import Spot, apply_order, single_elimination
from tournament.draw.seating import Decision, Seating, resolve

ALL_SIZES = st.one_of(
    st.integers(2, 128), st.sampled_from([129, 200, 255, 256, 257, 511, 640, 1000, 1023, 1024])
)

Key = TypeVar("Key", bound=Hashable)


@st.composite
def any_graphs(draw: st.DrawFn) -> Graph[int, str]:
    """Pairings that take any two free sources: entries, byes, open seats, winners and losers."""
    free: list[Source[int, str]] = [FromEntry(f"entry {n}") for n in range(2, draw(st.integers(2, 9)))]
    free += [FromBye()] * draw(st.integers(0, 3))
    free += [FromEntry(None)] * draw(st.integers(0, 1))
    free += [FromPairing(0, outcome) for outcome in (Outcome.WINNER, Outcome.LOSER)]
    pairings = [Pairing(0, "main", 1, 1, FromEntry("entry 0"), FromEntry("entry 1"))]
    for key in range(1, draw(st.integers(1, 14))):
        left = free.pop(draw(st.integers(0, len(free) - 1)))
        right = free.pop(draw(st.integers(0, len(free) - 1)))
        pairings.append(Pairing(key, "main", 1 + key // 3, 1 + key % 3, left, right))
        free += [FromPairing(key, outcome) for outcome in (Outcome.WINNER, Outcome.LOSER)]
    return Graph(draw(st.permutations(pairings)))


@st.composite
def knock_outs(draw: st.DrawFn) -> Graph[Spot, str]:
    entries = [f"entry {n}" for n in range(draw(st.integers(2, 40)))]
    return apply_order(single_elimination(len(entries)), entries)


def drop_out_bracket() -> Graph[str, str]:
    """Four entries, two losses and out, and a third-place match: losers are fed everywhere."""
    won, lost = Outcome.WINNER, Outcome.LOSER
    return Graph(
        [
            Pairing("A1", "main", 1, 1, FromEntry("ada"), FromEntry("bo")),
            Pairing("A2", "main", 1, 2, FromEntry("cy"), FromEntry("di")),
            Pairing("B1", "main", 2, 1, FromPairing("A1", won), FromPairing("A2", won)),
            Pairing("L1", "lower", 2, 1, FromPairing("A1", lost), FromPairing("A2", lost)),
            Pairing("L2", "lower", 3, 1, FromPairing("L1", won), FromPairing("B1", lost)),
            Pairing("F", "main", 4, 1, FromPairing("B1", won), FromPairing("L2", won)),
        ]
    )


def seated(graph: Graph[Key, str]) -> list[str]:
    """The entries that the graph seats, in its order."""
    return [
        source.entry
        for pairing in graph
        for _, source in pairing.seats
        if isinstance(source, FromEntry) and source.entry is not None
    ]


def open_matches(seating: Seating[Key, str]) -> list[Key]:
    """The pairings where two entries sit and nothing is settled."""
    return [
        key
        for key, state in seating.states.items()
        if state.result.how is None and None not in (state.left, state.right)
    ]


def play_out(
    graph: Graph[Key, str], chance: Random, nobody_came: float = 0.0
) -> tuple[dict[Key, Decision[str]], Seating[Key, str]]:
    """Decides every match that can be played, in a random order; now and then both lose."""
    decisions: dict[Key, Decision[str]] = {}
    seating = resolve(graph, decisions)
    while playable := open_matches(seating):
        for key in chance.sample(playable, len(playable)):
            decisions[key] = a_decision(seating[key].left, seating[key].right, chance, nobody_came)
        seating = resolve(graph, decisions)
    return decisions, seating


def a_decision(left: object, right: object, chance: Random, nobody_came: float = 0.0) -> Decision[str]:
    """Any outcome between two entries."""
    winner, loser = chance.sample([str(left), str(right)], 2)
    return Decision.both_lost(winner, loser) if chance.random() < nobody_came else Decision(winner, loser)
