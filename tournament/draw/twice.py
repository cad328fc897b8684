"""Who would be expected at two tables at once, or opposite themselves: possible only where matches were kept as played.

Only looks. What is refused because of it is said by whoever asks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from tournament.draw.graph import BYE, EntryId, Graph, PairingKey
from tournament.draw.seating import Kept, State

Twice: TypeAlias = tuple[EntryId, tuple[PairingKey, PairingKey]]
"""An entry and the two pairings it sits in, or the same one twice."""


def sitting_twice(
    graph: Graph[PairingKey, EntryId],
    states: Mapping[PairingKey, State[EntryId]],
    kept: Kept[PairingKey, EntryId],
) -> Iterator[Twice[EntryId, PairingKey]]:
    """Those in two open pairings that winners and losers connect, and those on both seats of one."""
    part_of = graph.parts()
    open_at: dict[tuple[object, int], PairingKey] = {}
    for pairing in graph:
        key, state = pairing.key, states[pairing.key]
        players = [seat for seat in (state.left, state.right) if seat is not None and seat is not BYE]
        if len(set(players)) < len(players):
            yield players[0], (key, key)
        if state.result.how is not None or _moves_nobody(graph, key, kept):
            continue
        for entry in dict.fromkeys(players):
            other = open_at.get((entry, part_of[key]))
            if other is not None:
                yield entry, (other, key)
            open_at[entry, part_of[key]] = key


def _moves_nobody(
    graph: Graph[PairingKey, EntryId], key: PairingKey, kept: Kept[PairingKey, EntryId]
) -> bool:
    """Whether everything that this pairing leads to is kept: those who play it have moved on, and are so."""
    onward = graph.feeds_from(key)
    return bool(onward) and all((feed.target, feed.seat) in kept for feed in onward)
