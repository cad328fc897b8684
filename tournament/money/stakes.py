"""The prizes that depend on one match, and how its players share them fairly at any moment."""

from dataclasses import dataclass
from fractions import Fraction

from tournament.models import Pairing


@dataclass(frozen=True, slots=True)
class Stakes:
    """The prizes of the winner and of the loser of a match, in minor units of `currency`."""

    currency: str
    first: int
    second: int

    @property
    def total(self) -> int:
        return self.first + self.second


def fair_share(stakes: Stakes, chance: Fraction) -> int:
    """The minor units of a player who wins with this chance: the second prize and that part of the difference."""
    return round(stakes.second + chance * (stakes.first - stakes.second))


def stakes_of(pairing: Pairing) -> Stakes | None:  # noqa: ARG001
    """The two prizes of the match; None if no prizes are set or they depend on other matches too."""
    return None
