"""Spreads losers over a lower bracket so that players who have met meet again as late as possible.

Two players who met can meet again from the round in which their paths through the lower bracket join. Each further
round halves the chance of either to get there, so a rematch one round later is four times less likely. Losers are
placed one after another where the sum of these chances is smallest.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, groupby
from math import ldexp
from operator import itemgetter
from typing import NamedTuple, TypeAlias

from tournament.draw.recipes.knockout import Spot

CELL_BITS, COARSE_BITS = 5, 4

FINE_UP_TO = 8
"""The upper bracket is divided into 32 cells, which is every pairing for up to 64 entries. A bracket of more than
`FINE_UP_TO` rounds is divided into 16 cells.
"""

TRIED_AGAIN = 64
MOST_BITS = 10

Seat: TypeAlias = int
"""A place in the lower bracket as the path to it from the final: 1, then one bit for each step."""

Met: TypeAlias = Mapping[Seat, float]
"""Each occupied part of the lower bracket, with the chance to have met its players."""


class Drop(NamedTuple):
    """The loser of pairing `position`, from 0, of round `level` of a bracket, who joins lower round `enters`.

    The winners of positions 2n and 2n+1 of a level meet in position n of the next one. `key` is the pairing's key.
    """

    bracket: str
    level: int
    position: int
    enters: int
    key: Spot


class _Bunch(NamedTuple):
    """1, 2, 4 … losers of one round and one part of a bracket, who cannot have met. They are placed together.

    `size` is in seats of the first lower round.
    """

    drops: Sequence[Drop]
    cells: range
    level: int
    enters: int
    size: int

    @property
    def mirrored(self) -> int:
        return reverse_bits(self.drops[0].position, MOST_BITS)

    def chance_to_have_met(self, other: _Bunch) -> float:
        """Weighs the pairs that met if the loser of the lower level won on until it lost in the other's round."""
        lower, upper = (self, other) if self.level < other.level else (other, self)
        return ldexp(len(lower.drops), lower.level - upper.level + lower.enters + upper.enters)


@dataclass(frozen=True, slots=True)
class Spread:
    """A seat for each drop in a lower bracket of `rounds` rounds."""

    rounds: int
    drops: Sequence[Drop]
    seats: Sequence[Seat]

    @property
    def rematches(self) -> float:
        """The expected number of matches between two players who met in the upper bracket.

        The loser of a pairing must win until the two paths join. Its winner must win up to the round where it drops,
        and from there to the same place. Each match is a toss.
        """
        placed = zip(self.drops, self.seats, strict=True)
        at = {(drop.bracket, drop.level, drop.position): (drop, seat) for drop, seat in placed}
        highest = max(drop.level for drop in self.drops)
        total = 0.0
        for (bracket, level, position), (drop, seat) in at.items():
            for up in range(1, highest - level + 1):
                above = at.get((bracket, level + up, position >> up))
                if above:
                    won = 2 * joining_round(self.rounds, seat, above[1]) - drop.enters - above[0].enters
                    total += 0.5 ** (up + won)
        return total


def joining_round(rounds: int, first: Seat, second: Seat) -> int:
    """Returns the lower round in which the paths from two seats join."""
    shorter = min(first.bit_length(), second.bit_length())
    first, second = first >> (first.bit_length() - shorter), second >> (second.bit_length() - shorter)
    return rounds + 1 - shorter + (first ^ second).bit_length()


def spread(drops: Sequence[Drop], rounds: int) -> Spread:
    """Returns seats for these drops, which must fill the bracket exactly.

    Up to 64 drops it takes the best of four attempts.
    """
    attempts = spread_attempts(drops, rounds)
    return attempts[0] if len(attempts) == 1 else min(attempts, key=lambda tried: tried.rematches)


def spread_attempts(drops: Sequence[Drop], rounds: int) -> list[Spread]:
    """Returns attempts with the drops in order or far apart, and with the fullest or the emptiest free seats."""
    ordered = _bunches(drops)
    first = _place_bunches(ordered, _Tree(rounds))
    if len(drops) > TRIED_AGAIN:
        return [first]
    far_apart = sorted(ordered, key=lambda bunch: (-bunch.size, -bunch.level, bunch.mirrored))
    others = [_place_bunches(bunches, _Tree(rounds, emptiest=True)) for bunches in (ordered, far_apart)]
    return [first, _place_bunches(far_apart, _Tree(rounds)), *others]


def _place_bunches(bunches: Sequence[_Bunch], tree: _Tree) -> Spread:
    by_cell: dict[tuple[str, int], list[tuple[Seat, _Bunch]]] = defaultdict(list)
    drops: list[Drop] = []
    seats: list[Seat] = []
    for bunch in bunches:
        cells = [by_cell[bunch.drops[0].bracket, cell] for cell in bunch.cells]
        met: dict[Seat, float] = {}
        for sitting, other in dict(chain.from_iterable(cells)).items():
            if other.level != bunch.level:
                chance, part = bunch.chance_to_have_met(other), sitting
                while part:
                    met[part] = met.get(part, 0.0) + chance
                    part >>= 1
        seat = tree.take(bunch.size, met)
        for cell in cells:
            cell.append((seat, bunch))
        first = seat * len(bunch.drops)
        drops += bunch.drops
        seats += range(first, first + len(bunch.drops))
    return Spread(tree.rounds, drops, seats)


def _bunches(drops: Sequence[Drop]) -> list[_Bunch]:
    """Returns all drops in bunches, the largest first, so that each bunch finds contiguous room."""
    bunches: list[_Bunch] = []
    for _, inside in groupby(sorted(drops), key=itemgetter(0)):
        levels = [list(alike) for _, alike in groupby(inside, key=itemgetter(1))]
        height = max(level[-1].level + level[-1].position.bit_length() for level in levels)
        finest = max(1, height - (CELL_BITS if height <= FINE_UP_TO else COARSE_BITS))
        for level in reversed(levels):
            bunches += _bunches_of_a_level(level, finest)
    return sorted(bunches, key=lambda bunch: (-bunch.size, -bunch.level))


def _bunches_of_a_level(drops: Sequence[Drop], finest: int) -> Iterator[_Bunch]:
    """Yields the bunches of a level, in cells as wide as a pairing of round `finest`."""
    level = drops[0].level
    narrow, wide = max(0, finest - level), max(0, level - finest)
    together: dict[tuple[int, int], list[Drop]] = defaultdict(list)
    for drop in drops:
        together[drop.enters, drop.position >> narrow].append(drop)
    for (enters, cell), alike in together.items():
        for part in _in_powers_of_two(alike):
            cells = range(cell << wide, (cell + 1) << wide)
            yield _Bunch(part, cells, level, enters, len(part) << (enters - 1))


def _in_powers_of_two(drops: list[Drop]) -> Iterator[list[Drop]]:
    start = 0
    while start < len(drops):
        length = 1 << ((len(drops) - start).bit_length() - 1)
        yield drops[start : start + length]
        start += length


class _Tree:
    """A lower bracket that fills up, with the seats taken in each part."""

    def __init__(self, rounds: int, *, emptiest: bool = False) -> None:
        self.rounds = rounds
        self.emptiest = emptiest
        self.taken = [0] * (2 << (rounds + 1))

    def take(self, size: int, met: Met) -> Seat:
        """Takes the cheapest free seat of this size and returns it."""
        _, seat = self.cheapest(1, self.rounds + 2 - size.bit_length(), size, met)
        part = seat
        while part:
            self.taken[part] += size
            part >>= 1
        return seat

    def cheapest(self, part: Seat, length: int, size: int, met: Met) -> tuple[float, Seat]:
        """Returns the least cost below `part` and the seat with it. Seats are `length` bits long."""
        if part not in met:
            return 0.0, self.any_free(part, length, size)
        bits = part.bit_length()
        if bits == length:
            return 0.0, part
        later = 0.25 ** (self.rounds + 1 - bits)
        best = (float("inf"), part)
        for half in self.halves_with_room(part, size):
            cost = later * (met[part] - met.get(half, 0.0))
            if cost < best[0]:
                below, seat = self.cheapest(half, length, size, met)
                if cost + below < best[0]:
                    best = (cost + below, seat)
        return best

    def any_free(self, part: Seat, length: int, size: int) -> Seat:
        for _ in range(length - part.bit_length()):
            part = self.halves_with_room(part, size)[0]
        return part

    def halves_with_room(self, part: Seat, size: int) -> list[Seat]:
        """Returns the halves of a part that have room: the fuller first, so that large gaps stay, or the emptier
        first.
        """
        most = (1 << (self.rounds - part.bit_length())) - size
        left, right = self.taken[2 * part], self.taken[2 * part + 1]
        if left > most:
            return [2 * part + 1]
        if right > most:
            return [2 * part]
        right_first = left > right if self.emptiest else left < right
        return [2 * part + 1, 2 * part] if right_first else [2 * part, 2 * part + 1]


def reverse_bits(number: int, width: int) -> int:
    """Returns the number with its bits reversed. Consecutive numbers then spread over the whole range."""
    return int(f"{number:0{width}b}"[::-1], 2)
