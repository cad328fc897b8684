"""Contenders of a round and the aims of its pairing.

Values only. The caller counts wins and losses, byes and walkovers included, and leaves out withdrawn players.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, Generic, NamedTuple

from rules.translation import gettext_noop
from tournament.draw.graph import EntryId
from tournament.draw.sentence_error import SentenceError


class PairingError(SentenceError):
    """These contenders cannot be paired. The message says why."""


class Alike(StrEnum):
    """The number whose difference between opponents is kept small."""

    WINS = "wins"
    LOSSES = "losses"
    BALANCE = "balance"
    """Wins less losses: separates players with different numbers of rounds."""
    PLACE = "place"
    """The place in the order of all, by wins, then fewest losses, then strength: neighbours meet (Monrad).

    The sum of the squared distances in places is kept small. The seeding has no effect.
    """


class Seeding(StrEnum):
    """The meetings among equals, listed from the strongest to the weakest."""

    FOLD = "fold"
    """The first meets the last, the second the last but one …"""
    SLIDE = "slide"
    """The first meets the first of the lower half, the second the second of it …"""
    CHANCE = "chance"
    """The list is shuffled and then folded: every pairing of equals is equally likely."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Aims:
    """The choices of a director. The order of the aims is that of the fields of `Tiers`.

    `byes_first` is False only for rounds that an earlier release paired, and among free players.
    """

    alike: Alike = Alike.WINS
    seeding: Seeding = Seeding.FOLD
    clubs_apart: bool = False
    countries_apart: bool = False
    teams_apart: bool = False
    byes_first: bool = True

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Aims:
        """Returns stored aims. Missing values take their defaults. Raises PairingError for unreadable values."""
        try:
            return cls(
                alike=Alike(data.get("alike", Alike.WINS)),
                seeding=Seeding(data.get("seeding", Seeding.FOLD)),
                clubs_apart=bool(data.get("clubs_apart", False)),
                countries_apart=bool(data.get("countries_apart", False)),
                teams_apart=bool(data.get("teams_apart", False)),
                byes_first=bool(data.get("byes_first", False)),
            )
        except ValueError as error:
            raise PairingError(
                gettext_noop("These aims were stored by another release and cannot be read.")
            ) from error


MONRAD = Aims(alike=Alike.PLACE)


class Contender(NamedTuple, Generic[EntryId]):
    """A player before a round.

    `wins` and `losses` are as the event counts them; a late entrant has fewer, or starting losses for missed rounds.
    `opponents` come in any order, and one named twice was met twice. `strength` is a place in the order of seeds or
    ratings; lower is stronger. An empty `club`, `country` or `team` means none. `apart` are opponents to avoid above
    all other aims; one of the two contenders may name the other.
    """

    entry: EntryId
    wins: int = 0
    losses: int = 0
    byes: int = 0
    opponents: tuple[EntryId, ...] = ()
    strength: int = 0
    club: str = ""
    country: str = ""
    team: str = ""
    apart: tuple[EntryId, ...] = ()
