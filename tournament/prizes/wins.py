"""Prizes for each match won. Pure."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from tournament.prizes.structure import Feat, Part, PrizeStructure


def paid_wins(part: Part, wins: int) -> int:
    """The wins of an entry that this part pays: those from its first place on."""
    return max(0, wins - part.place_from + 1)


def with_counts(parts: Iterable[Part], wins: Mapping[Part, int]) -> Iterator[Part]:
    """The parts, each for matches won with as many places as wins. Parts without a win are left out."""
    for part in parts:
        if part.feat is not Feat.WIN:
            yield part
        elif wins.get(part):
            yield replace(part, place_to=part.place_from + wins[part] - 1)


def win_parts(structure: PrizeStructure) -> list[Part]:
    return [part for part in structure.parts if part.feat is Feat.WIN]
