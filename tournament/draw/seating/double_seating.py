"""Finds entries with two open matches, or on both seats of one.

In a knock-out this requires a match that was kept as played. In rounds paired by records it happens if an earlier
result is taken back after the next round was paired.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from tournament.draw.graph import BYE, EntryId, Graph, PairingKey
from tournament.draw.seating import KeptSeats, State

DoubleSeating: TypeAlias = tuple[EntryId, tuple[PairingKey, PairingKey]]
"""An entry and the two pairings in which it sits, or the same pairing twice."""


def find_double_seatings(
    graph: Graph[PairingKey, EntryId],
    states: Mapping[PairingKey, State[EntryId]],
    kept_seats: KeptSeats[PairingKey, EntryId],
) -> Iterator[DoubleSeating[EntryId, PairingKey]]:
    """Yields entries in two open pairings connected by winners and losers, and entries on both seats of one pairing."""
    part_of = graph.part_numbers()
    open_at: dict[tuple[object, int], PairingKey] = {}
    for pairing in graph:
        key, state = pairing.key, states[pairing.key]
        players = [seat for seat in (state.left, state.right) if seat is not None and seat is not BYE]
        if len(set(players)) < len(players):
            yield players[0], (key, key)
        if state.result.how is not None or _leads_to_kept_seats_only(graph, key, kept_seats):
            continue
        for entry in dict.fromkeys(players):
            other = open_at.get((entry, part_of[key]))
            if other is not None:
                yield entry, (other, key)
            open_at[entry, part_of[key]] = key


def find_entries_in_two_open_matches(
    pairings: Iterable[PairingKey], states: Mapping[PairingKey, State[EntryId]]
) -> list[DoubleSeating[EntryId, PairingKey]]:
    """Returns entries with more than one open match among these pairings of rounds paired by records.

    Each is named with its first open match and each later one, in the order of `pairings`.
    """
    first: dict[EntryId, PairingKey] = {}
    double_seatings: list[DoubleSeating[EntryId, PairingKey]] = []
    for key in pairings:
        left, right, result = states[key]
        if result.how is not None or left is None or right is None or left is BYE or right is BYE:
            continue
        for entry in (left, right):
            if first.setdefault(entry, key) != key:
                double_seatings.append((entry, (first[entry], key)))
    return double_seatings


def _leads_to_kept_seats_only(
    graph: Graph[PairingKey, EntryId], key: PairingKey, kept_seats: KeptSeats[PairingKey, EntryId]
) -> bool:
    """Returns True if every seat fed by this pairing is kept, so its players have already advanced."""
    feeds = graph.feeds_from(key)
    return bool(feeds) and all((feed.target, feed.seat) in kept_seats for feed in feeds)
