"""The rules of a draw that a director chooses: entrants, byes, lines of seeds and separation.

Values only. `order`, `byes` and `separation` apply them.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic

from tournament.draw.graph import EntryId
from tournament.draw.sentence_error import SentenceError


class DrawError(SentenceError):
    """These entries cannot be drawn. The message says why."""


class Byes(StrEnum):
    """The entries that skip the first round if the entries do not fill the sheet."""

    TOP_SEEDS = "top_seeds"
    """The seeds by their numbers, then others by lot."""
    LOTTERY = "lottery"
    """Entries drawn among all, with no preference for seeds."""
    BALANCED_LOTTERY = "balanced_lottery"
    """Lines drawn so that the byes of halves, quarters, eighths … of the sheet differ by one at most."""
    BY_HAND = "by_hand"
    """The entries that a director names."""


class Separate(StrEnum):
    """The attribute of entries that should not meet early."""

    NONE = "none"
    CLUB = "club"
    COUNTRY = "country"
    TEAM = "team"


class SeededLines(StrEnum):
    FIXED = "fixed"
    """Seed 3 takes position 3."""
    DRAWN = "drawn"
    """Seeds 3 and 4 are drawn between their two positions, 5 to 8 among their four, and so on."""


@dataclass(frozen=True, slots=True)
class Entrant(Generic[EntryId]):
    """An entry with everything that a draw may use."""

    entry: EntryId
    seed: int | None = None
    club: str = ""
    country: str = ""
    team: str = ""

    def belongs_to(self, separate: Separate) -> str:
        """Returns the shared attribute, without case and extra spaces. Empty if there is none."""
        shared = {
            Separate.NONE: "",
            Separate.CLUB: self.club,
            Separate.COUNTRY: self.country,
            Separate.TEAM: self.team,
        }
        return normalize_spaces(shared[separate]).casefold()


@dataclass(frozen=True, slots=True)
class OrderRules(Generic[EntryId]):
    """The rules for taking the positions of a sheet. By default seeds have fixed lines and the rest is by lot.

    `protected_rounds` is the number of rounds, from the first, that separation protects. `by_hand` names the entries
    with a bye if byes are given by hand.
    """

    byes: Byes = Byes.TOP_SEEDS
    seeded_lines: SeededLines = SeededLines.FIXED
    separate: Separate = Separate.NONE
    protected_rounds: int = 1
    by_hand: tuple[EntryId, ...] = ()


def normalize_spaces(text: str) -> str:
    """Returns the words of a typed text separated by one space."""
    return " ".join(text.split())


def sort_seeded(entrants: Sequence[Entrant[EntryId]]) -> list[EntryId]:
    seeded = [(entrant.seed, entrant.entry) for entrant in entrants if entrant.seed is not None]
    return [entry for _, entry in sorted(seeded, key=_seed_number)]


def _seed_number(seeded: tuple[int, Hashable]) -> int:
    return seeded[0]
