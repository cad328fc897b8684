"""What a director may ask of a draw: who is in it, who gets the byes, who is kept apart.

Values only; what follows from them is worked out in `order`, `byes` and `separation`.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic

from tournament.draw.graph import EntryId


class DrawError(ValueError):
    """These entries cannot be drawn; the message says why."""


class Byes(StrEnum):
    """Who goes through the first round unplayed, where the entries do not fill the sheet."""

    TOP_SEEDS = "top_seeds"
    """The seeds by their numbers, then others by lot."""
    LOTTERY = "lottery"
    """Entries drawn among all, seeds like everybody else."""
    BALANCED_LOTTERY = "balanced_lottery"
    """Lines drawn so that halves, quarters, eighths ... of the sheet have as many byes as each other, or one more."""
    BY_HAND = "by_hand"
    """The entries a director names."""


class Separate(StrEnum):
    """Whom not to let meet early: those who have this in common."""

    NONE = "none"
    CLUB = "club"
    COUNTRY = "country"
    TEAM = "team"


class SeededLines(StrEnum):
    FIXED = "fixed"
    """Seed 3 stands on position 3."""
    DRAWN = "drawn"
    """Seeds 3 and 4 are drawn between their two positions, 5 to 8 among their four, and so on."""


@dataclass(frozen=True, slots=True)
class Entrant(Generic[EntryId]):
    """An entry with everything that a draw may look at."""

    entry: EntryId
    seed: int | None = None
    club: str = ""
    country: str = ""
    team: str = ""

    def belongs_to(self, separate: Separate) -> str:
        """What this entry may share with others, told apart neither by spaces nor by capitals; empty for nobody's."""
        shared = {
            Separate.NONE: "",
            Separate.CLUB: self.club,
            Separate.COUNTRY: self.country,
            Separate.TEAM: self.team,
        }
        return normalize_spaces(shared[separate]).casefold()


@dataclass(frozen=True, slots=True)
class OrderRules(Generic[EntryId]):
    """How the positions of a sheet are taken. As it stands without a word: seeds on fixed lines, the rest by lot.

    `protected_rounds` is how many rounds, from the first, separation looks at; `by_hand` names the entries with a
    bye where byes are given by hand.
    """

    byes: Byes = Byes.TOP_SEEDS
    seeded_lines: SeededLines = SeededLines.FIXED
    separate: Separate = Separate.NONE
    protected_rounds: int = 1
    by_hand: tuple[EntryId, ...] = ()


def normalize_spaces(text: str) -> str:
    """The words of a text with one space between them and none around: what a draw reads of anything typed."""
    return " ".join(text.split())


def sort_seeded(entrants: Sequence[Entrant[EntryId]]) -> list[EntryId]:
    """The seeded entries by their numbers."""
    seeded = [(entrant.seed, entrant.entry) for entrant in entrants if entrant.seed is not None]
    return [entry for _, entry in sorted(seeded, key=_seed_number)]


def _seed_number(seeded: tuple[int, Hashable]) -> int:
    return seeded[0]
