"""The plan of a draw before it is played: its matches without the drawn byes, and the slot of play of each.

No result is known here. A seat that only a first loss fills counts as taken.
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
class MatchPlan(Generic[PairingKey]):
    """The pairings that are matches, the next match of each outcome, and the pairings with a bye."""

    matches: tuple[PairingKey, ...]
    next_match: dict[tuple[PairingKey, Outcome], PairingKey]
    byes: dict[PairingKey, Seat]
    """Pairings with one player, and the seat of that player."""

    def after(self, key: PairingKey, outcome: Outcome) -> PairingKey | None:
        return self.next_match.get((key, outcome))


def plan_matches(graph: Graph[PairingKey, EntryId]) -> MatchPlan[PairingKey]:
    """Returns the matches of a draw in its order, on the assumption that every player plays and every match has a
    winner.
    """
    empty: set[PairingKey] = set()
    byes: dict[PairingKey, Seat] = {}
    matches: list[PairingKey] = []

    def is_empty(source: Source[PairingKey, EntryId]) -> bool:
        if not isinstance(source, FromPairing):
            return isinstance(source, FromBye)
        return source.pairing in empty or (source.outcome != Outcome.WINNER and source.pairing in byes)

    for pairing in graph:
        filled = [seat for seat, source in pairing.seats if not is_empty(source)]
        if len(filled) == len(Seat):
            matches.append(pairing.key)
        elif filled:
            byes[pairing.key] = filled[0]
        else:
            empty.add(pairing.key)
    return MatchPlan(tuple(matches), dict(_next_matches(graph, matches, byes)), byes)


def _next_matches(
    graph: Graph[PairingKey, EntryId], matches: list[PairingKey], byes: dict[PairingKey, Seat]
) -> Iterator[tuple[tuple[PairingKey, Outcome], PairingKey]]:
    """Yields the next match of each outcome of each match."""
    for key in matches:
        for feed in graph.feeds_from(key):
            target: PairingKey | None = feed.target
            while target is not None and target in byes:
                target = next(
                    (on.target for on in graph.feeds_from(target) if on.outcome == Outcome.WINNER), None
                )
            if target is not None:
                yield (key, feed.outcome), target


def match_slots(graph: Graph[PairingKey, EntryId], plan: MatchPlan[PairingKey]) -> dict[PairingKey, int]:
    """Returns the earliest slot of play of each match, from 1: one after the slots of the matches that feed it."""
    slot_of: dict[PairingKey, int] = {}
    for pairing in graph:
        before = [slot_of[source.pairing] for _, source in pairing.seats if isinstance(source, FromPairing)]
        slot_of[pairing.key] = max(before, default=0) + (pairing.key not in plan.byes)
    return {key: slot_of[key] for key in plan.matches}


def round_slots(graph: Graph[PairingKey, EntryId]) -> dict[tuple[str, int], int]:
    """Returns, for each round of each bracket, the earliest slot of play, from 1, in which all its matches can be
    played.
    """
    feeders: dict[tuple[str, int], set[tuple[str, int]]] = {}
    for pairing in graph:
        before = feeders.setdefault(_round_of(pairing), set())
        before.update(
            _round_of(graph[source.pairing]) for _, source in pairing.seats if isinstance(source, FromPairing)
        )
    slot_of: dict[tuple[str, int], int] = {}
    for number in feeders:
        _find_slot(number, feeders, slot_of)
    return slot_of


def _find_slot(
    number: tuple[str, int],
    feeders: dict[tuple[str, int], set[tuple[str, int]]],
    slot_of: dict[tuple[str, int], int],
) -> int:
    if number not in slot_of:
        slot_of[number] = 1 + max(
            (_find_slot(before, feeders, slot_of) for before in feeders[number]), default=0
        )
    return slot_of[number]


def _round_of(pairing: Pairing[PairingKey, EntryId]) -> tuple[str, int]:
    return (pairing.bracket, pairing.round)
