"""Looks ahead in small fields: finds a pairing after which the planned rounds need no rematch and no second bye.

The best single round can leave players that cannot be paired: with six players and five rounds this happened in one
event of five. The search is limited by a number of steps, not by time, so every machine returns the same round.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias

MOST_PLAYERS: Final = 10
"""The bye included: 945 pairings."""
MOST_STEPS: Final = 100_000

Pairs: TypeAlias = tuple[tuple[int, int], ...]


class _OutOfSteps(Exception):
    pass


def cheapest_leaving_rounds(
    players: int, weights: Mapping[tuple[int, int], int], rounds_left: int, first: Pairs
) -> Pairs | None:
    """Returns the lightest pairing of numbers 0 to `players` - 1 that leaves pairs for `rounds_left` more rounds.

    `weights` holds the allowed pairs, each once, lower number first. `first` is tried before all others. Returns None
    if there is no such pairing or the step limit is reached.
    """
    if not set(first) <= weights.keys():
        return None
    search = _Search(players)
    try:
        if search.has_rounds(frozenset(weights) - frozenset(first), rounds_left):
            return first
        for pairs in sorted(
            _all_pairings(range(players), weights),
            key=lambda candidate: sum(weights[pair] for pair in candidate),
        ):
            if search.has_rounds(frozenset(weights) - frozenset(pairs), rounds_left):
                return pairs
    except _OutOfSteps:
        return None
    return None


def _all_pairings(numbers: Sequence[int], allowed: Mapping[tuple[int, int], int]) -> Iterator[Pairs]:
    if not numbers:
        yield ()
        return
    first, *rest = numbers
    for other in rest:
        if (first, other) in allowed:
            for pairs in _all_pairings([number for number in rest if number != other], allowed):
                yield ((first, other), *pairs)


class _Search:
    """Searches for rounds without a common pair and counts its steps."""

    def __init__(self, players: int) -> None:
        self.players, self.steps = players, 0

    def has_rounds(self, pairs: frozenset[tuple[int, int]], rounds: int, after: int = 0) -> bool:
        """Returns True if these pairs contain that many rounds.

        Rounds are ordered by the opponent of number 0, from `after`.
        """
        if not rounds:
            return True
        degrees = [0] * self.players
        for first, second in pairs:
            degrees[first] += 1
            degrees[second] += 1
        if min(degrees) < rounds:
            return False
        for other in range(after + 1, self.players):
            if (0, other) in pairs:
                rest = [number for number in range(1, self.players) if number != other]
                for pairing in self._pairings(rest, pairs):
                    if self.has_rounds(pairs - {(0, other), *pairing}, rounds - 1, other):
                        return True
        return False

    def _pairings(self, numbers: Sequence[int], pairs: frozenset[tuple[int, int]]) -> Iterator[Pairs]:
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise _OutOfSteps
        if not numbers:
            yield ()
            return
        first, *rest = numbers
        for other in rest:
            if (first, other) in pairs:
                for rest_pairs in self._pairings([number for number in rest if number != other], pairs):
                    yield ((first, other), *rest_pairs)
