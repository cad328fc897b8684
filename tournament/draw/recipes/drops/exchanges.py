"""Exchanges seats of a lower bracket two by two, as long as that makes the measure smaller.

The result is no worse than what went in, and the same each time. Nothing here knows notation, pairings or results.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import combinations

from tournament.draw.recipes.drops.history import History
from tournament.draw.recipes.drops.measure import SECOND_BYE, wait_weight
from tournament.draw.recipes.drops.spread import Drop, Seat, Spread, joined
from tournament.draw.recipes.knockout import Spot

LESS = 1e-9
"""Differences below this are rounding."""


@dataclass(frozen=True, slots=True)
class Joining:
    """What is known of those who join a lower bracket.

    `first` are those who join its first round, so that they can have its byes; `had_bye` those who may already have
    had one.
    """

    history: History
    first: Collection[Spot]
    had_bye: Collection[Spot]


@dataclass(frozen=True, slots=True)
class Measured:
    spread: Spread
    measure: float


def exchanged(given: Spread, joining: Joining) -> Measured:
    """The seats after all exchanges that help. Two change seats of one round, or seats and byes of the first."""
    places = _Places(given, joining)
    pairs = [two for two in combinations(range(len(places.drops)), 2) if places.may_exchange(*two)]
    while sum([places.exchange(one, other) for one, other in pairs]):
        continue
    return Measured(places.spread, places.measure)


class _Places:
    """Drops by number with their seats, and for each seat of the tree when whoever sits there last played."""

    def __init__(self, given: Spread, joining: Joining) -> None:
        self.rounds, self.drops = given.rounds, given.drops
        self.seats = list(given.seats)
        self.ready = [joining.history.slots[drop.key] for drop in self.drops]
        self.first = [drop.key in joining.first for drop in self.drops]
        self.had_bye = [drop.key in joining.had_bye for drop in self.drops]
        self.met = _met(self.drops, joining.history)
        self.meeting = _meeting(given.rounds, self.seats)
        self.free = [0] * (2 << self.rounds)
        for seat, ready in zip(self.seats, self.ready, strict=True):
            self.free[seat] = ready
        for seat in range((1 << self.rounds) - 1, 0, -1):
            if not self.free[seat] and self.free[2 * seat]:
                self.free[seat] = max(self.free[2 * seat], self.free[2 * seat + 1]) + 1

    @property
    def spread(self) -> Spread:
        drops = [
            drop._replace(enters=self.rounds + 2 - seat.bit_length())
            for drop, seat in zip(self.drops, self.seats, strict=True)
        ]
        return Spread(self.rounds, drops, self.seats)

    @property
    def measure(self) -> float:
        numbers = range(len(self.drops))
        rematches = sum(self._rematches(number, self.seats[number]) for number in numbers) / 2
        byes = sum(self._second_bye(number, self.seats[number]) for number in numbers)
        return rematches + byes + sum(map(self._wait, set(_above(self.seats))))

    def may_exchange(self, one: int, other: int) -> bool:
        same_round = self.seats[one].bit_length() == self.seats[other].bit_length()
        return same_round or (self.first[one] and self.first[other])

    def exchange(self, one: int, other: int) -> bool:
        """Exchanges the two where it helps. Returns whether it did."""
        here, there = self.seats[one], self.seats[other]
        if here >> 1 == there >> 1 or not self.may_exchange(one, other):
            return False
        less = self._rematches(one, here) + self._rematches(other, there)
        less += self._second_bye(one, here) + self._second_bye(other, there)
        less -= self._moved(here, self.ready[other]) + self._moved(there, self.ready[one])
        if less > LESS:
            self.seats[one], self.seats[other] = there, here
            less -= self._rematches(one, there) + self._rematches(other, here)
            less -= self._second_bye(one, there) + self._second_bye(other, here)
            if less > LESS:
                return True
            self.seats[one], self.seats[other] = here, there
        self._moved(here, self.ready[one])
        self._moved(there, self.ready[other])
        return False

    def _rematches(self, number: int, seat: Seat) -> float:
        """The rematches to be expected of this one in that seat."""
        meeting, seats = self.meeting[seat], self.seats
        return sum([chance * meeting[seats[other]] for other, chance in self.met[number]])

    def _second_bye(self, number: int, seat: Seat) -> float:
        has_bye = self.first[number] and seat.bit_length() == self.rounds
        return SECOND_BYE if has_bye and self.had_bye[number] else 0.0

    def _wait(self, seat: Seat) -> float:
        first, last = sorted((self.free[2 * seat], self.free[2 * seat + 1]))
        return wait_weight(first, last - first)

    def _moved(self, seat: Seat, ready: int) -> float:
        """Has somebody sit there who is free after slot `ready`. Returns by how much waits weigh more."""
        free, more = self.free, 0.0
        while seat > 1 and free[seat] != ready:
            above = seat >> 1
            more -= self._wait(above)
            free[seat] = ready
            more += self._wait(above)
            seat, ready = above, max(ready, free[seat ^ 1]) + 1
        free[seat] = ready
        return more


def _above(seats: Sequence[Seat]) -> list[Seat]:
    """The matches on the ways from these seats to the final."""
    return [seat >> up for seat in seats for up in range(1, seat.bit_length())]


def _met(drops: Sequence[Drop], before: History) -> list[list[tuple[int, float]]]:
    numbers = {drop.key: number for number, drop in enumerate(drops)}
    met: list[list[tuple[int, float]]] = [[] for _ in drops]
    for (one, other), chance in before.met.items():
        if one in numbers and other in numbers:
            met[numbers[one]].append((numbers[other], chance))
            met[numbers[other]].append((numbers[one], chance))
    return met


def _meeting(rounds: int, seats: Sequence[Seat]) -> dict[Seat, dict[Seat, float]]:
    """The chance of those in two seats to meet: both have to win until the ways join."""
    return {
        seat: {
            other: 0.25 ** (joined(rounds, seat, other) - rounds - 2)
            / 2.0 ** (seat.bit_length() + other.bit_length())
            for other in seats
        }
        for seat in seats
    }
