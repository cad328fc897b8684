"""The prize structure of a tournament: how its pots are split over brackets and places. Pure.

All amounts are minor units of the structure's currency.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from tournament.fees.schedule import Condition
from tournament.fees.shares import WHOLE


class Feat(StrEnum):
    """An achievement that is paid beside the places.

    UNBEATEN: reaches the final of a double elimination without a loss. PAIR_OF_THREE: one of the two who play while
    the third of the last three has a bye. WIN: wins a match; byes do not count.
    """

    UNBEATEN = "unbeaten"
    PAIR_OF_THREE = "pair_of_three"
    WIN = "win"


class Ties(StrEnum):
    """PLACES: only entries that share places share prizes. RECORDS: all with the same score share, without
    tie-breaks. HALF: half of the prize of the own place, half of an equal share among all with the same score.
    """

    PLACES = "places"
    RECORDS = "records"
    HALF = "half"


class Rest(StrEnum):
    """Receives what rounding leaves over. FIRST: first place. ORGANIZER: stays in the pot."""

    FIRST = "first"
    ORGANIZER = "organizer"


@dataclass(frozen=True, slots=True)
class Part:
    """The prize of each of the places `place_from` to `place_to` of a bracket, or of each of so many with a feat.

    With Feat.WIN it is the prize of each win of an entry from win number `place_from` on.

    A part has a fixed amount `minor`, or a `share`: fixed amounts are taken out of the pot first, and what is left is
    split in proportion to the shares. A place may have one part of each kind.
    """

    bracket: str
    place_from: int
    place_to: int
    share: int = 0
    minor: int = 0
    feat: Feat | None = None

    @property
    def count(self) -> int:
        return self.place_to - self.place_from + 1


@dataclass(frozen=True, slots=True)
class PoolPrizes:
    """Prizes for those who get furthest among the entries of a side pool.

    `shares`: of the furthest, the second, ... The first of the `brackets` decides, the next one between entries that
    are equal in it or not in it; entries equal in all of them split. `condition`: only entries with it.
    `added`: money of the organizer or of a sponsor. `is_open`: every entry takes part, not only those who joined.
    `like_main`: the pool is split like the main prizes instead, with places that count its entries only.
    """

    key: str
    shares: tuple[int, ...] = (WHOLE,)
    brackets: tuple[str, ...] = ("main",)
    condition: Condition | None = None
    added: int = 0
    is_open: bool = False
    like_main: bool = False


@dataclass(frozen=True, slots=True)
class PrizeStructure:
    """`added`: money of the organizer for the main pot; `yearly`: money of its yearly pot. `guaranteed`: the least sum
    of the prizes of the main pot, 0 without.

    `series_share` (hundredths of a percent) and `series_minor` are set aside from the main pot for a series.
    `unit`: prizes are rounded down to multiples of it. A place whose share is below `minimum` is not paid, the others
    get its share. `bubble`: an entry out of the prizes with as many wins (byes not counted) as a paid one shares with
    it. `condition`: only entries with it are counted for places. `is_public`: standings show the prizes.
    """

    currency: str
    parts: tuple[Part, ...] = ()
    added: int = 0
    yearly: int = 0
    guaranteed: int = 0
    series_share: int = 0
    series_minor: int = 0
    unit: int = 1
    rest: Rest = Rest.FIRST
    ties: Ties = Ties.PLACES
    minimum: int = 0
    bubble: bool = False
    condition: Condition | None = None
    pools: tuple[PoolPrizes, ...] = ()
    is_public: bool = False

    @property
    def brackets(self) -> tuple[str, ...]:
        """The brackets with prizes, in the order of the parts."""
        return tuple(dict.fromkeys(part.bracket for part in self.parts))


@dataclass(frozen=True, slots=True)
class PotMoney:
    """The money of a pot: `paid_in` by entries, `added` by the organizer, and `yearly` from its yearly pot, of which
    `set_aside` goes to a series.
    """

    paid_in: int
    added: int = 0
    set_aside: int = 0
    yearly: int = 0

    @property
    def prizes(self) -> int:
        return self.paid_in + self.added + self.yearly - self.set_aside


def main_pot(structure: PrizeStructure, paid_in: int) -> PotMoney:
    """The organizer adds `added`, and more if a guaranteed sum of prizes needs it."""
    money = paid_in + structure.added + structure.yearly
    set_aside = min(money, money * structure.series_share // WHOLE + structure.series_minor)
    missing = max(0, structure.guaranteed - (money - set_aside))
    return PotMoney(paid_in, structure.added + missing, set_aside, structure.yearly)
