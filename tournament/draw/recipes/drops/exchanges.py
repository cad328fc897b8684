"""Exchanges seats of a lower bracket in pairs while that reduces the measure.

The result is never worse than the start, and deterministic.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from tournament.draw.recipes.drops.history import History
from tournament.draw.recipes.drops.measure import SECOND_BYE, wait_weight
from tournament.draw.recipes.drops.spread import Drop, Seat, Spread, joining_round
from tournament.draw.recipes.knockout import Spot

LESS = 1e-9
"""Smaller differences are rounding errors."""


@dataclass(frozen=True, slots=True)
class JoiningLosers:
    """The losers who join a lower bracket.

    Losers of a group can exchange seats of different rounds. `second_byes` are the losers who may have had a bye
    already, each with the round that it joins without another one. If `bye_seats` are set, losers exchange seats inside
    their group only, and no other seats have byes.
    """

    history: History
    groups: Mapping[Spot, str]
    second_byes: Mapping[Spot, int]
    bye_seats: Collection[Seat] | None = None


@dataclass(frozen=True, slots=True)
class MeasuredSpread:
    spread: Spread
    measure: float


def improve(spread: Spread, joining: JoiningLosers) -> MeasuredSpread:
    """Returns the seats after all exchanges that reduce the measure.

    Two losers exchange seats of the same round, or of the same group.
    """
    search = _ExchangeSearch(spread, joining)
    pairs = [two for two in combinations(range(len(search.drops)), 2) if search.may_exchange(*two)]
    while True:
        exchanged = [search.exchange(first, second) for first, second in pairs]
        if not any(exchanged):
            break
    return MeasuredSpread(search.spread, search.measure)


class _ExchangeSearch:
    """Drops by number with their seats, and for each seat of the tree the slot after which its player is free."""

    def __init__(self, spread: Spread, joining: JoiningLosers) -> None:
        self.rounds, self.drops = spread.rounds, spread.drops
        self.seats = list(spread.seats)
        self.free_after = [joining.history.slots[drop.key] for drop in self.drops]
        self.groups = [joining.groups.get(drop.key) for drop in self.drops]
        self.second_byes = [joining.second_byes.get(drop.key, spread.rounds + 1) for drop in self.drops]
        self.bye_seats = joining.bye_seats
        self.met = _chances_to_have_met(self.drops, joining.history)
        self.meeting = _chances_to_meet(spread.rounds, self.seats)
        self.free = [0] * (2 << self.rounds)
        for seat, ready in zip(self.seats, self.free_after, strict=True):
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
        return rematches + byes + sum(map(self._wait, set(_matches_above(self.seats))))

    def may_exchange(self, first: int, second: int) -> bool:
        group = self.groups[first]
        if group is not None and group == self.groups[second]:
            return True
        same_round = self.seats[first].bit_length() == self.seats[second].bit_length()
        return same_round and self.bye_seats is None

    def exchange(self, first: int, second: int) -> bool:
        """Exchanges the two seats if that reduces the measure. Returns True if it did."""
        first_seat, second_seat = self.seats[first], self.seats[second]
        if first_seat >> 1 == second_seat >> 1 or not self.may_exchange(first, second):
            return False
        gain = self._rematches(first, first_seat) + self._rematches(second, second_seat)
        gain += self._second_bye(first, first_seat) + self._second_bye(second, second_seat)
        gain -= self._set_free_slot(first_seat, self.free_after[second]) + self._set_free_slot(
            second_seat, self.free_after[first]
        )
        if gain > LESS:
            self.seats[first], self.seats[second] = second_seat, first_seat
            gain -= self._rematches(first, second_seat) + self._rematches(second, first_seat)
            gain -= self._second_bye(first, second_seat) + self._second_bye(second, first_seat)
            if gain > LESS:
                return True
            self.seats[first], self.seats[second] = first_seat, second_seat
        self._set_free_slot(first_seat, self.free_after[first])
        self._set_free_slot(second_seat, self.free_after[second])
        return False

    def _rematches(self, number: int, seat: Seat) -> float:
        """Returns the expected rematches of this loser in that seat."""
        meeting, seats = self.meeting[seat], self.seats
        return sum([chance * meeting[seats[other]] for other, chance in self.met[number]])

    def _second_bye(self, number: int, seat: Seat) -> float:
        has_bye = self.bye_seats is None or seat in self.bye_seats
        is_late = self.rounds + 2 - seat.bit_length() > self.second_byes[number]
        return SECOND_BYE if has_bye and is_late else 0.0

    def _wait(self, seat: Seat) -> float:
        first, last = sorted((self.free[2 * seat], self.free[2 * seat + 1]))
        return wait_weight(first, last - first)

    def _set_free_slot(self, seat: Seat, ready: int) -> float:
        """Seats a player who is free after this slot. Returns the change in the weight of waits."""
        free, more = self.free, 0.0
        while seat > 1 and free[seat] != ready:
            above = seat >> 1
            more -= self._wait(above)
            free[seat] = ready
            more += self._wait(above)
            seat, ready = above, max(ready, free[seat ^ 1]) + 1
        free[seat] = ready
        return more


def _matches_above(seats: Sequence[Seat]) -> list[Seat]:
    """Returns the matches on the paths from these seats to the final."""
    return [seat >> up for seat in seats for up in range(1, seat.bit_length())]


def _chances_to_have_met(drops: Sequence[Drop], before: History) -> list[list[tuple[int, float]]]:
    numbers = {drop.key: number for number, drop in enumerate(drops)}
    met: list[list[tuple[int, float]]] = [[] for _ in drops]
    for (first, second), chance in before.met.items():
        if first in numbers and second in numbers:
            met[numbers[first]].append((numbers[second], chance))
            met[numbers[second]].append((numbers[first], chance))
    return met


def _chances_to_meet(rounds: int, seats: Sequence[Seat]) -> dict[Seat, dict[Seat, float]]:
    """Returns the chance of the players of two seats to meet: both must win until their paths join."""
    return {
        seat: {
            other: 0.25 ** (joining_round(rounds, seat, other) - rounds - 2)
            / 2.0 ** (seat.bit_length() + other.bit_length())
            for other in seats
        }
        for seat in seats
    }
