"""The field of a round: contenders in order, levels of like records, and the unavoidable crossings between levels.

A level holds contenders whose records count as alike. If the number of players at or above the end of a level is odd
(counting the bye in the level of the player who should have it), at least one pair has to cross that step. So the cost
of crossings is known before the pairing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise
from typing import Generic, NamedTuple

from rules.translation import gettext_noop
from tournament.draw.chance import shuffle
from tournament.draw.graph import EntryId
from tournament.draw.pairing.contenders import Aims, Alike, Contender, PairingError, Seeding


class Level(NamedTuple):
    """Contenders `first` to `first + size - 1`.

    `up` and `down` players leave it upwards and downwards, a bye included.
    """

    value: int
    first: int
    size: int
    up: int
    down: int


class Field(Generic[EntryId]):
    """Contenders from the best record to the worst, and among equals from the strongest or in the order of the lot.

    The order in which they are passed in does not matter. Raises PairingError for a contender named twice.
    """

    def __init__(self, contenders: Iterable[Contender[EntryId]], aims: Aims, seed_text: str) -> None:
        ordered = sorted(contenders, key=lambda contender: (contender.strength, str(contender.entry)))
        if len({contender.entry for contender in ordered}) < len(ordered):
            raise PairingError(gettext_noop("A player is listed twice among those to be paired."))
        self.aims = aims
        if aims.seeding == Seeding.CHANCE and aims.alike != Alike.PLACE:
            ordered = shuffle(ordered, seed_text)
        self.contenders, values = _by_value(ordered, aims.alike)
        self.number = len(self.contenders)
        self.has_bye = self.number % 2 == 1
        self.byes = [
            _bye_cost(contender, value) for contender, value in zip(self.contenders, values, strict=True)
        ]
        self.bye_above = _worse_records(self.byes)
        bye_number = min(range(self.number), key=lambda number: self.byes[number]) if self.has_bye else None
        self.levels = _cut_into_levels(values, bye_number)
        self.level_of = [number for number, level in enumerate(self.levels) for _ in range(level.size)]
        self.crossing_costs = _crossing_costs(self.levels)
        self.met = _count_meetings(self.contenders)
        self.apart = _kept_apart(self.contenders)


def _by_value(
    contenders: Sequence[Contender[EntryId]], alike: Alike
) -> tuple[list[Contender[EntryId]], list[int]]:
    """Returns the contenders by the number that makes records alike, highest first, and that number for each."""
    if alike == Alike.PLACE:
        ordered = sorted(contenders, key=lambda contender: (-contender.wins, contender.losses))
        return ordered, [-place for place in range(len(ordered))]
    ordered = sorted(contenders, key=lambda contender: _value(contender, alike), reverse=True)
    return ordered, [_value(contender, alike) for contender in ordered]


def _value(contender: Contender[EntryId], alike: Alike) -> int:
    if alike == Alike.WINS:
        return contender.wins
    if alike == Alike.LOSSES:
        return -contender.losses
    return contender.wins - contender.losses


def _bye_cost(contender: Contender[EntryId], value: int) -> tuple[int, tuple[int, int, int]]:
    """Returns the number of byes, then the record, worst first."""
    return contender.byes, (value, contender.wins - contender.losses, contender.wins)


def _worse_records(byes: Sequence[tuple[int, tuple[int, int, int]]]) -> list[int]:
    """Returns the number of different worse records among players with as many byes."""
    worse: dict[tuple[int, tuple[int, int, int]], int] = {}
    of_as_many: Counter[int] = Counter()
    for byes_had, record in sorted(set(byes)):
        worse[byes_had, record] = of_as_many[byes_had]
        of_as_many[byes_had] += 1
    return [worse[bye_cost] for bye_cost in byes]


def _cut_into_levels(values: Sequence[int], bye_number: int | None) -> list[Level]:
    """Returns the levels of these values, highest first. `bye_number` is the player who should have the bye."""
    levels: list[Level] = []
    first = up = 0
    for value, size in Counter(values).items():
        byes = int(bye_number is not None and first <= bye_number < first + size)
        below = (up + size + byes) % 2
        levels.append(Level(value, first, size, up, below + byes))
        first, up = first + size, below
    return levels


def _crossing_costs(levels: Sequence[Level]) -> list[int]:
    """Returns for each level the unavoidable cost of crossing the steps above it."""
    steps = pairwise(levels)
    return list(
        accumulate(((above.value - below.value) ** 2 * below.up for above, below in steps), initial=0)
    )


def _count_meetings(contenders: Sequence[Contender[EntryId]]) -> list[dict[int, int]]:
    """Returns for each contender the number of meetings with each other. One of the two records is enough."""
    number_of = {contender.entry: number for number, contender in enumerate(contenders)}
    met: list[dict[int, int]] = [{} for _ in contenders]
    for number, contender in enumerate(contenders):
        own = [number_of[entry] for entry in contender.opponents if entry in number_of]
        for other in own:
            if other != number:
                times_met = max(own.count(other), met[number].get(other, 0))
                met[number][other] = met[other][number] = times_met
    return met


def _kept_apart(contenders: Sequence[Contender[EntryId]]) -> list[set[int]]:
    """Returns for each contender the others that it should not meet. One of the two is enough."""
    number_of = {contender.entry: number for number, contender in enumerate(contenders)}
    apart: list[set[int]] = [set() for _ in contenders]
    for number, contender in enumerate(contenders):
        for other in (number_of[entry] for entry in contender.apart if entry in number_of):
            apart[number].add(other)
            apart[other].add(number)
    return apart
