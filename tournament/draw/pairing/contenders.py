"""Who is to be paired and by which aims: what a director chooses, and what is known of each player before a round.

Only values. What a bye or a walkover counts is decided by whoever counts the wins and losses handed in; who is still
in the event, too: somebody who withdrew is simply not among the contenders.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, Generic

from tournament.draw.graph import EntryId


class PairingError(ValueError):
    """These contenders cannot be paired; the message says why."""


class Alike(StrEnum):
    """What makes two records alike: the difference of this number is kept small."""

    WINS = "wins"
    LOSSES = "losses"
    BALANCE = "balance"
    """Wins less losses: tells apart those who played different numbers of rounds."""
    PLACE = "place"
    """The place in the order of all, by wins, then fewest losses, then strength: neighbours meet (Monrad).

    The squares of how many places they are apart are kept small in sum, and the seeding has no say.
    """


class Seeding(StrEnum):
    """Who meets whom among equals, listed from the strongest to the weakest."""

    FOLD = "fold"
    """The first meets the last, the second the last but one ..."""
    SLIDE = "slide"
    """The first meets the first of the lower half, the second the second of it ..."""
    CHANCE = "chance"
    """The list is shuffled and then folded: every pairing of equals is equally likely."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Aims:
    """What a director chooses. The order of the aims is that of the fields of `Tiers`.

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
        """Kept aims; what is not said has its default. Raises PairingError for what cannot be read."""
        try:
            return cls(
                alike=Alike(data.get("alike", Alike.WINS)),
                seeding=Seeding(data.get("seeding", Seeding.FOLD)),
                clubs_apart=bool(data.get("clubs_apart", False)),
                countries_apart=bool(data.get("countries_apart", False)),
                teams_apart=bool(data.get("teams_apart", False)),
                byes_first=bool(data.get("byes_first", False)),
            )
        except ValueError as wrong:
            raise PairingError("These aims were kept by another release and cannot be read.") from wrong


MONRAD = Aims(alike=Alike.PLACE)


@dataclass(frozen=True, slots=True)
class Contender(Generic[EntryId]):
    """One player before a round.

    `wins` and `losses` as the event counts them; a late entrant has fewer, or losses given for the rounds missed.
    `byes` had so far. `opponents` in any order, one named twice was met twice. `strength` is a place in the order of
    seeds or ratings, lower is stronger. No club, no country and no team are "".
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
