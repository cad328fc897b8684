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
        listed = sorted(contenders, key=lambda one: (one.strength, str(one.entry)))
        if len({one.entry for one in listed}) < len(listed):
            raise PairingError("Somebody is named twice among those to be paired.")
        self.aims = aims
        if aims.seeding == Seeding.CHANCE and aims.alike != Alike.PLACE:
            listed = shuffle(listed, seed_text)
        self.contenders, values = _by_value(listed, aims.alike)
        self.number = len(self.contenders)
        self.has_bye = self.number % 2 == 1
        self.byes = [_bye_cost(one, value) for one, value in zip(self.contenders, values, strict=True)]
        self.bye_above = _bye_above(self.byes)
        due = min(range(self.number), key=lambda number: self.byes[number]) if self.has_bye else None
        self.levels = _levels(values, due)
        self.level_of = [number for number, level in enumerate(self.levels) for _ in range(level.size)]
        self.crossed = _crossed(self.levels)
        self.met = _meetings(self.contenders)


def _by_value(
    listed: Sequence[Contender[EntryId]], alike: Alike
) -> tuple[list[Contender[EntryId]], list[int]]:
    """The contenders by what makes records alike, highest first, and that number for each."""
    if alike == Alike.PLACE:
        placed = sorted(listed, key=lambda one: (-one.wins, one.losses))
        return placed, [-place for place in range(len(placed))]
    placed = sorted(listed, key=lambda one: _value(one, alike), reverse=True)
    return placed, [_value(one, alike) for one in placed]


def _value(contender: Contender[EntryId], alike: Alike) -> int:
    if alike == Alike.WINS:
        return contender.wins
    if alike == Alike.LOSSES:
        return -contender.losses
    return contender.wins - contender.losses


def _bye_cost(contender: Contender[EntryId], value: int) -> tuple[int, tuple[int, int, int]]:
    """Byes had, then the record, worst first."""
    return contender.byes, (value, contender.wins - contender.losses, contender.wins)


def _bye_above(byes: Sequence[tuple[int, tuple[int, int, int]]]) -> list[int]:
    """How many different records are worse, among those who had as many byes."""
    worse: dict[tuple[int, tuple[int, int, int]], int] = {}
    of_as_many: Counter[int] = Counter()
    for had, record in sorted(set(byes)):
        worse[had, record] = of_as_many[had]
        of_as_many[had] += 1
    return [worse[one] for one in byes]


def _levels(values: Sequence[int], due: int | None) -> list[Level]:
    """The levels of these values, highest first; `due` is the number of whoever should have the bye."""
    levels: list[Level] = []
    first = up = 0
    for value, size in Counter(values).items():
        byes = int(due is not None and first <= due < first + size)
        below = (up + size + byes) % 2
        levels.append(Level(value, first, size, up, below + byes))
        first, up = first + size, below
    return levels


def _crossed(levels: Sequence[Level]) -> list[int]:
    """For each level, what crossing the steps down to it has to cost in any pairing of everybody."""
    steps = pairwise(levels)
    return list(
        accumulate(((above.value - below.value) ** 2 * below.up for above, below in steps), initial=0)
    )


def _meetings(contenders: Sequence[Contender[EntryId]]) -> list[dict[int, int]]:
    """For each contender, how often it met which others; it is enough that one of the two knows."""
    number_of = {one.entry: number for number, one in enumerate(contenders)}
    met: list[dict[int, int]] = [{} for _ in contenders]
    for number, one in enumerate(contenders):
        for entry, times in Counter(one.opponents).items():
            other = number_of.get(entry)
            if other is not None and other != number:
                most = max(times, met[number].get(other, 0))
                met[number][other] = met[other][number] = most
    return met
