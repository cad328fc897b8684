"""What a draw is like before anybody plays: its matches without the byes, and when each can be played.

The byes that are drawn are taken out here, so that what is left is who plays whom next. A seat that only a
first loss fills counts as taken. No result and no name is known here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Generic

from tournament.draw.graph import (
    EntryId,
    FromBye,
    FromPairing,
    Graph,
    Outcome,
    Pairing,
    PairingKey,
    Seat,
    Source,
)


@dataclass(frozen=True, slots=True)
class Expected(Generic[PairingKey]):
    """Who plays: the pairings that are matches, where each outcome leads next, and those that pass one on by a bye."""

    matches: tuple[PairingKey, ...]
    next_match: dict[tuple[PairingKey, Outcome], PairingKey]
    byes: dict[PairingKey, Seat]
    """Pairings that one entry comes to, and the seat where it sits."""

    def after(self, key: PairingKey, outcome: Outcome) -> PairingKey | None:
        return self.next_match.get((key, outcome))


def expected(graph: Graph[PairingKey, EntryId]) -> Expected[PairingKey]:
    """The matches of a draw in its order, supposing that everybody comes and each match has a winner."""
    empty: set[PairingKey] = set()
    byes: dict[PairingKey, Seat] = {}
    matches: list[PairingKey] = []

    def nobody(source: Source[PairingKey, EntryId]) -> bool:
        if not isinstance(source, FromPairing):
            return isinstance(source, FromBye)
        return source.pairing in empty or (source.outcome != Outcome.WINNER and source.pairing in byes)

    for pairing in graph:
        coming = [seat for seat, source in pairing.seats if not nobody(source)]
        if len(coming) == len(Seat):
            matches.append(pairing.key)
        elif coming:
            byes[pairing.key] = coming[0]
        else:
            empty.add(pairing.key)
    return Expected(tuple(matches), dict(_ways(graph, matches, byes)), byes)


def _ways(
    graph: Graph[PairingKey, EntryId], matches: list[PairingKey], byes: dict[PairingKey, Seat]
) -> Iterator[tuple[tuple[PairingKey, Outcome], PairingKey]]:
    """Where each outcome of each match leads next."""
    for key in matches:
        for feed in graph.feeds_from(key):
            target: PairingKey | None = feed.target
            while target is not None and target in byes:
                target = next(
                    (on.target for on in graph.feeds_from(target) if on.outcome == Outcome.WINNER), None
                )
            if target is not None:
                yield (key, feed.outcome), target


def match_slots(graph: Graph[PairingKey, EntryId], played: Expected[PairingKey]) -> dict[PairingKey, int]:
    """The earliest slot of play, from 1, of each match: the one after those that its players come from."""
    ready: dict[PairingKey, int] = {}
    for pairing in graph:
        before = [ready[source.pairing] for _, source in pairing.seats if isinstance(source, FromPairing)]
        ready[pairing.key] = max(before, default=0) + (pairing.key not in played.byes)
    return {key: ready[key] for key in played.matches}


def slots(graph: Graph[PairingKey, EntryId]) -> dict[tuple[str, int], int]:
    """For each round of each bracket the earliest slot of play, from 1, in which all of it can be played."""
    feeders: dict[tuple[str, int], set[tuple[str, int]]] = {}
    for pairing in graph:
        before = feeders.setdefault(_round(pairing), set())
        before.update(
            _round(graph[source.pairing]) for _, source in pairing.seats if isinstance(source, FromPairing)
        )
    found: dict[tuple[str, int], int] = {}
    for number in feeders:
        _settle(number, feeders, found)
    return found


def _settle(
    number: tuple[str, int],
    feeders: dict[tuple[str, int], set[tuple[str, int]]],
    found: dict[tuple[str, int], int],
) -> int:
    if number not in found:
        found[number] = 1 + max((_settle(before, feeders, found) for before in feeders[number]), default=0)
    return found[number]


def _round(pairing: Pairing[PairingKey, EntryId]) -> tuple[str, int]:
    return (pairing.bracket, pairing.round)
