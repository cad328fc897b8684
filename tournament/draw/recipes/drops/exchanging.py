"""Exchanges seats of a lower bracket two by two, as long as that leaves fewer rematches to be expected.

What comes out is no worse than what went in, and the same each time. Nothing here knows notation, pairings or results.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from itertools import combinations, product

from tournament.draw.recipes.drops.spreading import Drop, Seat, Spread, joined

TURNS = range(4)
LESS = 1e-9
"""Costs are sums of powers of two, so that what differs by less does not differ."""


def best_exchanged(tried: Iterable[Spread], free: Collection[Drop], enough: float) -> Spread:
    """What exchanges make of one of these, or of one in which those of a round are all turned on by some seats.

    The first that expects `enough` rematches or fewer, or else the best of all. Two change seats who join in the same
    round; of those who are `free`, also two of the same main round. A seat of a later round is then the bye of the one
    before it, so the free are those who have had none.
    """
    best: Spread | None = None
    for given, turn in product(tried, TURNS):
        found = _exchanged(_turned(given, turn), free)
        if best is None or found.rematches < best.rematches:
            best = found
        if best.rematches <= enough:
            return best
    if best is None:
        raise ValueError("There is nothing to begin with.")
    return best


def _turned(given: Spread, by: int) -> Spread:
    together: dict[int, list[tuple[Drop, Seat]]] = defaultdict(list)
    for drop, seat in zip(given.drops, given.seats, strict=True):
        together[drop.enters].append((drop, seat))
    drops: list[Drop] = []
    seats: list[Seat] = []
    for enters, placed in together.items():
        first = by * enters % len(placed)
        drops += [drop for drop, _ in placed]
        seats += [seat for _, seat in placed[first:] + placed[:first]]
    return Spread(given.rounds, drops, seats)


def _exchanged(given: Spread, free: Collection[Drop]) -> Spread:
    places = _Places(given, free)
    pairs = list(combinations(range(len(places.drops)), 2))
    while sum(places.exchange(one, other) for one, other in pairs):
        continue
    return Spread(given.rounds, [places.drop(number) for number in range(len(places.drops))], places.seats)


class _Places:
    """Drops by number, the seat of each, and whom each can have met: by number, and how likely that is."""

    def __init__(self, given: Spread, free: Collection[Drop]) -> None:
        self.rounds = given.rounds
        self.drops = given.drops
        self.seats = list(given.seats)
        self.free = [drop in free for drop in self.drops]
        self.met: list[list[tuple[int, float]]] = [[] for _ in self.drops]
        numbers = {(drop.bracket, drop.level, drop.position): at for at, drop in enumerate(self.drops)}
        highest = max(drop.level for drop in self.drops)
        for (bracket, level, position), one in numbers.items():
            for up in range(1, highest - level + 1):
                other = numbers.get((bracket, level + up, position >> up))
                if other is not None:
                    self.met[one].append((other, 0.5**up))
                    self.met[other].append((one, 0.5**up))

    def drop(self, number: int) -> Drop:
        return self.drops[number]._replace(enters=self._enters(self.seats[number]))

    def exchange(self, one: int, other: int) -> bool:
        """Exchanges the two where they may and it helps; whether it did."""
        here, there = self.seats[one], self.seats[other]
        if here >> 1 == there >> 1 or not self._may(one, other):
            return False
        before = self._cost(one, here) + self._cost(other, there)
        self.seats[one], self.seats[other] = there, here
        if self._cost(one, there) + self._cost(other, here) < before - LESS:
            return True
        self.seats[one], self.seats[other] = here, there
        return False

    def _may(self, one: int, other: int) -> bool:
        if self.seats[one].bit_length() == self.seats[other].bit_length():
            return True
        return self.free[one] and self.free[other] and self.drops[one].level == self.drops[other].level

    def _cost(self, number: int, seat: Seat) -> float:
        """The rematches to be expected of this one, if it sat there."""
        enters = self._enters(seat)
        return sum(
            [
                weight * 2.0 ** (enters + self._enters(other) - 2 * joined(self.rounds, seat, other))
                for other, weight in [(self.seats[met], weight) for met, weight in self.met[number]]
            ]
        )

    def _enters(self, seat: Seat) -> int:
        return self.rounds + 2 - seat.bit_length()
