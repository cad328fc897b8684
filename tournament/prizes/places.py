"""The facts about entries that decide their prizes, and the awards that follow from them. Pure."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

from tournament.fees.schedule import Condition
from tournament.prizes.structure import Feat

EntryT = TypeVar("EntryT", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Place(Generic[EntryT]):
    """Places `place_from` to `place_to` of a bracket: shared if the entry is out, still possible if `still_in`.

    `tied_from` and `tied_to` are the places of all entries with the same score before tie-breaks; 0: as the places.
    `wins` do not count byes.
    """

    entry: EntryT
    place_from: int
    place_to: int
    still_in: bool = False
    tied_from: int = 0
    tied_to: int = 0
    wins: int = 0
    feats: frozenset[Feat] = frozenset()

    @property
    def tie(self) -> tuple[int, int]:
        return (self.tied_from or self.place_from, self.tied_to or self.place_to)

    def line_of(self, bracket: str) -> str:
        """The line of an award for this place: `main 1`, or `main 3-4` if it is shared."""
        shared = "" if self.place_from == self.place_to else f"-{self.place_to}"
        return f"{bracket} {self.place_from}{shared}"


@dataclass(frozen=True, slots=True)
class Entrant:
    """The facts that decide the prizes of an entry beside its places: its conditions and its side pools.

    All entries of a `player` count once, with the best of their places, for an extra prize and in a `kept` side pool.
    """

    conditions: frozenset[Condition] = frozenset()
    pools: frozenset[str] = frozenset()
    player: Hashable = None
    kept: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Award(Generic[EntryT]):
    """An entry gets `minor` units from a pot. `line` names the prize within the pot: `main 1`, `consolation 3-4`."""

    entry: EntryT
    pot: str
    line: str
    minor: int
