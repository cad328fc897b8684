"""Formats for tests, and a plain way to play them that is independent of `seating`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from tournament.draw.graph import BYE, Bye, FromBye, FromEntry, FromPairing, Graph, Outcome
from tournament.draw.recipes.drops import (
    CONSOLATION_AND_LAST_CHANCE,
    DOUBLE_ELIMINATION,
    DOUBLE_ELIMINATION_WITH_RESET,
    PROGRESSIVE_CONSOLATION,
    SIMPLE,
    SIMPLE_CONSOLATION,
    KnockoutFormat,
    knockout,
)
from tournament.draw.recipes.drops.report import LayoutReport, report_on
from tournament.draw.recipes.knockout import Spot

SIZES = [*range(2, 6), *range(7, 10), 11, 13, 16, 17, 24, *range(31, 34)]
FORMATS = {
    "simple consolation": SIMPLE_CONSOLATION,
    "progressive consolation": PROGRESSIVE_CONSOLATION,
    "progressive consolation from three rounds": KnockoutFormat(consolation="progressive", dropping=3),
    "third place and consolation": KnockoutFormat(third_place=True, consolation="progressive"),
    "simple consolation and last chance": KnockoutFormat(consolation=SIMPLE, last_chance=SIMPLE),
    "consolation and last chance": CONSOLATION_AND_LAST_CHANCE,
    "double elimination": DOUBLE_ELIMINATION,
    "double elimination with reset": DOUBLE_ELIMINATION_WITH_RESET,
    "double elimination and last chance": KnockoutFormat(double=True, last_chance="progressive"),
}
FEWEST = {
    "simple consolation": 3,
    "progressive consolation": 4,
    "progressive consolation from three rounds": 8,
    "third place and consolation": 7,
    "simple consolation and last chance": 5,
    "consolation and last chance": 5,
    "double elimination and last chance": 4,
}
"""The smallest field each format is for; the others are for two."""


class Played(NamedTuple):
    key: Spot
    left: int
    right: int
    left_won: bool

    @property
    def two(self) -> frozenset[int]:
        return frozenset((self.left, self.right))

    @property
    def loser(self) -> int:
        return self.right if self.left_won else self.left


def sizes_of(name: str) -> list[int]:
    return [entries for entries in SIZES if entries >= FEWEST.get(name, 2)]


def played(graph: Graph[Spot, int], left_wins: Callable[[], bool]) -> Iterator[Played]:
    """Yields every match of a draw. `left_wins` tosses for it. Byes are not matches."""
    sent: dict[tuple[Spot, Outcome], int | Bye] = {}
    for pairing in graph:
        left, right = (_comes(source, sent) for source in (pairing.left, pairing.right))
        won = right is BYE or (left is not BYE and left_wins())
        winner, loser = (left, right) if won else (right, left)
        sent[pairing.key, Outcome.WINNER], sent[pairing.key, Outcome.LOSER] = winner, loser
        sent[pairing.key, Outcome.FIRST_LOSS] = BYE if won else loser
        if not isinstance(left, Bye) and not isinstance(right, Bye):
            yield Played(pairing.key, left, right, won)


def _comes(source: object, sent: dict[tuple[Spot, Outcome], int | Bye]) -> int | Bye:
    if isinstance(source, FromPairing):
        return sent[source.pairing, source.outcome]
    if isinstance(source, FromEntry):
        assert isinstance(source.entry, int)
        return source.entry
    assert isinstance(source, FromBye)
    return BYE


def report_of(entries: int, chosen: KnockoutFormat) -> LayoutReport:
    return report_on(knockout(entries, chosen))
