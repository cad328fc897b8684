"""Who goes where in a lower bracket, so that those who have met meet again as late as can be.

Two who met before can meet again from the round on in which their ways through the lower bracket join. Each
further round halves the chance of either to get there, so a rematch a round later is four times less likely.
Losers are put in one after the other where, for those already in, the sum of these chances is least.
Nothing here knows notation, pairings or results: drops go in, seats come out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

CELL_BITS, COARSE_BITS = 5, 4
"""A bracket dropped from is looked at in 32 parts: up to 64 entries that is every pairing by itself. A bracket of more
than `FINE_UP_TO` rounds is looked at in 16."""

FINE_UP_TO = 8

TRIED_AGAIN = 64
MOST_BITS = 10

Seat: TypeAlias = int
"""A place in the lower bracket as the way down to it from its final: 1, and then a bit for each seat taken."""

Met: TypeAlias = Mapping[Seat, float]
"""Each part of the lower bracket in which somebody sits, and the chance to have met who sits there."""


class Drop(NamedTuple):
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

    @property
    def mirrored(self) -> int:
        return mirrored(self.drops[0].position, MOST_BITS)

    def chance_to_have_met(self, other: _Bunch) -> float:
        """Weighs the pairs of the two that met if the lower of them won on until it lost to the other's round."""
        lower, upper = (self, other) if self.level < other.level else (other, self)
        enters = lower.drops[0].enters + upper.drops[0].enters
        return len(lower.drops) * 2.0 ** (lower.level - upper.level + enters)


@dataclass(frozen=True, slots=True)
class Spread:
    """A seat for each drop in a lower bracket of so many rounds."""

    rounds: int
    seats: dict[Drop, Seat]

    @property
    def rematches(self) -> float:
        """How many matches between two who met in the bracket dropped from are to be expected.

        The loser of a pairing wins its way to where the two ways join, and its winner wins on to the round
        where it drops and from there to the same place: a toss for each match on the way.
        """
        at = {(drop.bracket, drop.level, drop.position): (drop, seat) for drop, seat in self.seats.items()}
        highest = max(drop.level for drop in self.seats)
        total = 0.0
        for (bracket, level, position), (drop, seat) in at.items():
            for up in range(1, highest - level + 1):
                above = at.get((bracket, level + up, position >> up))
                if above:
                    won = 2 * joined(self.rounds, seat, above[1]) - drop.enters - above[0].enters
                    total += 0.5 ** (up + won)
        return total


def joined(rounds: int, one: Seat, other: Seat) -> int:
    """The lower round in which the ways from two seats join."""
    shorter = min(one.bit_length(), other.bit_length())
    one, other = one >> (one.bit_length() - shorter), other >> (other.bit_length() - shorter)
    return rounds + 1 - shorter + (one ^ other).bit_length()


def spread(drops: Sequence[Drop], rounds: int) -> Spread:
    """Seats for these drops, which must fill the bracket exactly: up to 64 drops the best of four tries."""
    found = tries(drops, rounds)
    return found[0] if len(found) == 1 else min(found, key=lambda tried: tried.rematches)


def tries(drops: Sequence[Drop], rounds: int) -> list[Spread]:
    """The drops in their order or far apart in turn, and free seats where it is fullest or emptiest."""
    in_turn = _bunches(drops)
    found = Spread(rounds, _placed(in_turn, _Tree(rounds)))
    if len(drops) > TRIED_AGAIN:
        return [found]
    apart = sorted(in_turn, key=lambda bunch: (-bunch.size, -bunch.level, bunch.mirrored))
    others = [Spread(rounds, _placed(bunches, _Tree(rounds, emptiest=True))) for bunches in (in_turn, apart)]
    return [found, Spread(rounds, _placed(apart, _Tree(rounds))), *others]


def _placed(bunches: Sequence[_Bunch], tree: _Tree) -> dict[Drop, Seat]:
    placed: dict[tuple[str, int], list[tuple[_Bunch, Seat]]] = defaultdict(list)
    seats: dict[Drop, Seat] = {}
    for bunch in bunches:
        bracket = bunch.drops[0].bracket
        around = {seat: other for cell in bunch.cells for other, seat in placed[bracket, cell]}
        met: dict[Seat, float] = {}
        for sitting, other in around.items():
            if other.level != bunch.level:
                chance = bunch.chance_to_have_met(other)
                for bits in range(sitting.bit_length()):
                    met[sitting >> bits] = met.get(sitting >> bits, 0.0) + chance
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
        height = heights[drop.bracket]
        finest = max(1, height - (CELL_BITS if height <= FINE_UP_TO else COARSE_BITS))
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

    def __init__(self, rounds: int, *, emptiest: bool = False) -> None:
        self.rounds = rounds
        self.emptiest = emptiest
        self.taken = [0] * (2 << (rounds + 1))

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
        if part not in met:
            return 0.0, self.any_free(part, length, size)
        bits = part.bit_length()
        if bits == length:
            return 0.0, part
        later = 0.25 ** (self.rounds + 1 - bits)
        best = (float("inf"), part)
        for half in self.with_room(part, size):
            cost = later * (met[part] - met.get(half, 0.0))
            if cost < best[0]:
                below, seat = self.cheapest(half, length, size, met)
                if cost + below < best[0]:
                    best = (cost + below, seat)
        return best

    def any_free(self, part: Seat, length: int, size: int) -> Seat:
        for _ in range(length - part.bit_length()):
            part = self.with_room(part, size)[0]
        return part

    def with_room(self, part: Seat, size: int) -> list[Seat]:
        """The halves of a part that have room, the fuller first, so that large gaps stay, or else the emptier."""
        most = (1 << (self.rounds - part.bit_length())) - size
        left, right = self.taken[2 * part], self.taken[2 * part + 1]
        if left > most:
            return [2 * part + 1]
        if right > most:
            return [2 * part]
        right_first = left > right if self.emptiest else left < right
        return [2 * part + 1, 2 * part] if right_first else [2 * part, 2 * part + 1]


def mirrored(number: int, width: int) -> int:
    """The bits of a number backwards: counted upwards, these spread over the whole range."""
    return int(f"{number:0{width}b}"[::-1], 2)
