"""Finds players with two open matches, or on both seats of one. Pure; callers refuse or report.

In a knock-out that is possible only where a match was kept as played. In rounds paired by records it happens when a
result of an earlier round is taken back after the next round was paired.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
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


def in_two_open_matches(
    pairings: Iterable[PairingKey], states: Mapping[PairingKey, State[EntryId]]
) -> list[Twice[EntryId, PairingKey]]:
    """The entries with more than one open match among these pairings of rounds paired by records.

    Each is named with its first open match and each later one, in the order of `pairings`.
    """
    first: dict[EntryId, PairingKey] = {}
    found: list[Twice[EntryId, PairingKey]] = []
    for key in pairings:
        left, right, result = states[key]
        if result.how is not None or left is None or right is None or left is BYE or right is BYE:
            continue
        for entry in (left, right):
            if first.setdefault(entry, key) != key:
                found.append((entry, (first[entry], key)))
    return found


def _moves_nobody(
    graph: Graph[PairingKey, EntryId], key: PairingKey, kept: Kept[PairingKey, EntryId]
) -> bool:
    """Whether everything that this pairing leads to is kept: those who play it have moved on, and are so."""
    onward = graph.feeds_from(key)
    return bool(onward) and all((feed.target, feed.seat) in kept for feed in onward)
