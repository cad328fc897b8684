"""The contenders in order, cut into levels of like records, and where the levels have to be crossed.

A level holds those whose records count as alike. Where an odd number stand at or above the end of a level (with the
bye, if there is one, standing in the level of whoever should have it), at least one pair has to cross that step: a
pairing of everybody has no choice. What crossings must cost is known before anybody is paired.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise
from typing import Generic, NamedTuple

from tournament.draw.chance import shuffle
from tournament.draw.graph import EntryId
from tournament.draw.pairing.contenders import Aims, Alike, Contender, PairingError, Seeding


class Level(NamedTuple):
    """Contenders `first` to `first + size - 1`, and how many leave it upwards and downwards, a bye included."""

    value: int
    first: int
    size: int
    up: int
    down: int


class Field(Generic[EntryId]):
    """The contenders from the best record to the worst, and among equals from the strongest or as the lot has it.

    The order in which they are handed in does not matter. Raises PairingError for one who is named twice.
    """

    def __init__(self, contenders: Iterable[Contender[EntryId]], aims: Aims, seed_text: str) -> None:
        ordered = sorted(contenders, key=lambda one: (one.strength, str(one.entry)))
        if len({one.entry for one in ordered}) < len(ordered):
            raise PairingError("Somebody is named twice among those to be paired.")
        self.aims = aims
        if aims.seeding == Seeding.CHANCE and aims.alike != Alike.PLACE:
            ordered = shuffle(ordered, seed_text)
        self.contenders, values = _by_value(ordered, aims.alike)
        self.number = len(self.contenders)
        self.has_bye = self.number % 2 == 1
        self.byes = [_bye_cost(one, value) for one, value in zip(self.contenders, values, strict=True)]
        self.bye_above = _worse_records(self.byes)
        bye_number = min(range(self.number), key=lambda number: self.byes[number]) if self.has_bye else None
        self.levels = _cut_into_levels(values, bye_number)
        self.level_of = [number for number, level in enumerate(self.levels) for _ in range(level.size)]
        self.crossing_costs = _crossing_costs(self.levels)
        self.met = _count_meetings(self.contenders)


def _by_value(
    contenders: Sequence[Contender[EntryId]], alike: Alike
) -> tuple[list[Contender[EntryId]], list[int]]:
    """The contenders by what makes records alike, highest first, and that number for each."""
    if alike == Alike.PLACE:
        ordered = sorted(contenders, key=lambda one: (-one.wins, one.losses))
        return ordered, [-place for place in range(len(ordered))]
    ordered = sorted(contenders, key=lambda one: _value(one, alike), reverse=True)
    return ordered, [_value(one, alike) for one in ordered]


def _value(contender: Contender[EntryId], alike: Alike) -> int:
    if alike == Alike.WINS:
        return contender.wins
    if alike == Alike.LOSSES:
        return -contender.losses
    return contender.wins - contender.losses


def _bye_cost(contender: Contender[EntryId], value: int) -> tuple[int, tuple[int, int, int]]:
    """Byes had, then the record, worst first."""
    return contender.byes, (value, contender.wins - contender.losses, contender.wins)


def _worse_records(byes: Sequence[tuple[int, tuple[int, int, int]]]) -> list[int]:
    """How many different records are worse, among those who had as many byes."""
    worse: dict[tuple[int, tuple[int, int, int]], int] = {}
    of_as_many: Counter[int] = Counter()
    for byes_had, record in sorted(set(byes)):
        worse[byes_had, record] = of_as_many[byes_had]
        of_as_many[byes_had] += 1
    return [worse[one] for one in byes]


def _cut_into_levels(values: Sequence[int], bye_number: int | None) -> list[Level]:
    """The levels of these values, highest first; `due` is the number of whoever should have the bye."""
    levels: list[Level] = []
    first = up = 0
    for value, size in Counter(values).items():
        byes = int(bye_number is not None and first <= bye_number < first + size)
        below = (up + size + byes) % 2
        levels.append(Level(value, first, size, up, below + byes))
        first, up = first + size, below
    return levels


def _crossing_costs(levels: Sequence[Level]) -> list[int]:
    """For each level, what crossing the steps down to it has to cost in any pairing of everybody."""
    steps = pairwise(levels)
    return list(
        accumulate(((above.value - below.value) ** 2 * below.up for above, below in steps), initial=0)
    )


def _count_meetings(contenders: Sequence[Contender[EntryId]]) -> list[dict[int, int]]:
    """For each contender, how often it met which others; it is enough that one of the two knows."""
    number_of = {one.entry: number for number, one in enumerate(contenders)}
    met: list[dict[int, int]] = [{} for _ in contenders]
    for number, one in enumerate(contenders):
        for entry, times in Counter(one.opponents).items():
            other = number_of.get(entry)
            if other is not None and other != number:
                times_met = max(times, met[number].get(other, 0))
                met[number][other] = met[other][number] = times_met
    return met
