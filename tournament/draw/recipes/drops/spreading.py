"""Who goes where in a lower bracket, so that those who have met meet again as late as can be.

Two who met before can meet again from the round on in which their ways through the lower bracket join. Each
further round halves the chance of either to get there, so a rematch a round later is four times less likely.
Losers are put in one after the other where, for those already in, the sum of these chances is least.
Nothing here knows notation, pairings or results: drops go in, seats come out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

CELL_BITS = 5
"""A bracket dropped from is looked at in 32 parts: up to 64 entries that is every pairing by itself."""

Seat: TypeAlias = int
"""A place in the lower bracket as the way down to it from its final: 1, and then a bit for each seat taken."""

Met: TypeAlias = list[tuple[Seat, float]]


@dataclass(frozen=True, slots=True)
class Drop:
    """The loser of pairing `position`, from 0, of round `level` of a bracket, who joins lower round `enters`.

    The winners of positions 2n and 2n+1 of a level meet in position n of the next one.
    """

    bracket: str
    level: int
    position: int
    enters: int


@dataclass(frozen=True, slots=True)
class _Bunch:
    """1, 2, 4 ... losers of one round and one part of a bracket, who cannot have met: placed as one."""

    drops: tuple[Drop, ...]
    cells: range

    @property
    def level(self) -> int:
        return self.drops[0].level

    @property
    def size(self) -> int:
        """In seats of the first lower round."""
        return len(self.drops) << (self.drops[0].enters - 1)

    def chance_to_have_met(self, other: _Bunch) -> float:
        """Weighs the pairs of the two that met if the lower of them won on until it lost to the other's round."""
        lower, upper = sorted((self, other), key=lambda bunch: bunch.level)
        enters = lower.drops[0].enters + upper.drops[0].enters
        return len(lower.drops) * 2.0 ** (lower.level - upper.level + enters)


def spread(drops: Sequence[Drop], rounds: int) -> dict[Drop, Seat]:
    """A seat for each drop in a lower bracket of that many rounds, which they must fill exactly."""
    tree = _Tree(rounds)
    placed: dict[tuple[str, int], list[tuple[_Bunch, Seat]]] = defaultdict(list)
    seats: dict[Drop, Seat] = {}
    for bunch in _bunches(drops):
        bracket = bunch.drops[0].bracket
        around = {seat: other for cell in bunch.cells for other, seat in placed[bracket, cell]}
        met = [
            (seat, bunch.chance_to_have_met(other))
            for seat, other in around.items()
            if other.level != bunch.level
        ]
        seat = tree.take(bunch.size, met)
        for cell in bunch.cells:
            placed[bracket, cell].append((bunch, seat))
        seats.update((drop, seat * len(bunch.drops) + index) for index, drop in enumerate(bunch.drops))
    return seats


def _bunches(drops: Sequence[Drop]) -> list[_Bunch]:
    """All drops in bunches, the largest first, so that each still finds room in one piece."""
    heights: dict[str, int] = defaultdict(int)
    for drop in drops:
        heights[drop.bracket] = max(heights[drop.bracket], drop.level + drop.position.bit_length())
    together: dict[tuple[str, int, int, range], list[Drop]] = defaultdict(list)
    for drop in sorted(drops, key=lambda drop: (drop.bracket, -drop.level, drop.position)):
        finest = max(1, heights[drop.bracket] - CELL_BITS)
        together[drop.bracket, drop.level, drop.enters, _cells(drop, finest)].append(drop)
    found = [
        _Bunch(tuple(part), cells)
        for (_, _, _, cells), alike in together.items()
        for part in _in_powers_of_two(alike)
    ]
    return sorted(found, key=lambda bunch: (-bunch.size, -bunch.level))


def _cells(drop: Drop, finest: int) -> range:
    if drop.level < finest:
        cell = drop.position >> (finest - drop.level)
        return range(cell, cell + 1)
    wide = drop.level - finest
    return range(drop.position << wide, (drop.position + 1) << wide)


def _in_powers_of_two(drops: list[Drop]) -> Iterator[list[Drop]]:
    start = 0
    while start < len(drops):
        length = 1 << ((len(drops) - start).bit_length() - 1)
        yield drops[start : start + length]
        start += length


class _Tree:
    """A lower bracket that fills up: how much room is left in each part of it."""

    def __init__(self, rounds: int) -> None:
        self.rounds = rounds
        self.taken: dict[Seat, int] = defaultdict(int)

    def take(self, size: int, met: Met) -> Seat:
        """Takes the free seat of that size that costs least."""
        _, seat = self.cheapest(1, self.rounds + 2 - size.bit_length(), size, met)
        part = seat
        while part:
            self.taken[part] += size
            part >>= 1
        return seat

    def cheapest(self, part: Seat, length: int, size: int, met: Met) -> tuple[float, Seat]:
        """The least cost below `part` and the seat, which is `length` bits long, that has it."""
        if part.bit_length() == length:
            return 0.0, part
        later = 0.25 ** (self.rounds + 1 - part.bit_length())
        everybody = sum(weight for _, weight in met)
        best = (float("inf"), part)
        for half in self.with_room(part, size):
            inside = [(seat, weight) for seat, weight in met if _is_in(seat, half)]
            cost = later * (everybody - sum(weight for _, weight in inside))
            if cost < best[0]:
                below, seat = self.cheapest(half, length, size, inside)
                best = min(best, (cost + below, seat), key=lambda found: found[0])
        return best

    def with_room(self, part: Seat, size: int) -> list[Seat]:
        """The halves of a part that have room, the fuller one first, so that large gaps stay for those to come."""
        room = 1 << (self.rounds - part.bit_length())
        halves = [half for half in (2 * part, 2 * part + 1) if room - self.taken[half] >= size]
        return sorted(halves, key=lambda half: -self.taken[half])


def _is_in(seat: Seat, part: Seat) -> bool:
    further = seat.bit_length() - part.bit_length()
    return further >= 0 and seat >> further == part
