"""What a pairing costs, aim by aim, and how the aims become one number in which a higher aim outweighs all below it.

Costs are whole numbers and nothing is ever rounded. Who the players are is not known here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeAlias

from tournament.draw.pairing.contenders import PairingError

MOST_BITS: Final = 120
"""Bits of what a whole pairing can weigh: the matching counts in signed numbers of 128 bits, and on its way with
twice the difference of two such weights."""

WonLost: TypeAlias = tuple[int, int]


class Tiers(NamedTuple):
    """A cost in each aim, the highest aim first: of two costs the smaller tuple is the better one.

    `second_byes`: byes that the one with the bye had more than whoever had fewest. `rematches`: earlier meetings of
    those paired. `bye_above`: worse records there were among those with as many byes. `gap`: squared difference of
    records. `same_team`, `same_club`, `same_country`: pairs of the same one, where that counts. `seeding`: squared
    distance from where the seeding, or the lot, would have them.
    """

    second_byes: int = 0
    rematches: int = 0
    bye_above: int = 0
    gap: int = 0
    same_team: int = 0
    same_club: int = 0
    same_country: int = 0
    seeding: int = 0

    def plus(self, other: Tiers) -> Tiers:
        return Tiers(*(one + more for one, more in zip(self, other, strict=True)))

    def less(self, other: Tiers) -> Tiers:
        return Tiers(*(one - taken for one, taken in zip(self, other, strict=True)))


REMATCHES_FIRST: Final = ("rematches", "second_byes", *Tiers._fields[2:])
"""The order of the aims in earlier releases, and among free players, of whom one waits instead of having a bye."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What one pair or bye cost, and the records it was reckoned from: two for a pair, one for a bye.

    `byes` had before by whoever has this one.
    """

    tiers: Tiers
    records: tuple[WonLost, ...]
    byes: int = 0

    def as_json(self) -> dict[str, Any]:
        return {**self.tiers._asdict(), "records": [list(one) for one in self.records], "byes": self.byes}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Cost:
        """A kept cost; an aim it does not name cost nothing. Raises PairingError for what cannot be read."""
        try:
            tiers = Tiers(*(int(data.get(name, 0)) for name in Tiers._fields))
            records = tuple((int(wins), int(losses)) for wins, losses in data["records"])
            return cls(tiers, records, int(data.get("byes", 0)))
        except (KeyError, TypeError, ValueError) as error:
            raise PairingError("This cost was kept by another release and cannot be read.") from error


class Scale:
    """Weights for the aims, given the most that one pair can cost in each and how many pairs there are.

    `order` names the aims from the highest: rounds of earlier releases were paired in another order than `Tiers` has.

    The weight of an aim is one more than all pairs together can cost in the aims below it. So the weights of two
    whole pairings compare as their summed tiers do, and a summed weight can be read back aim by aim.
    """

    def __init__(self, most: Tiers, pairs: int, order: tuple[str, ...] = Tiers._fields) -> None:
        units: dict[str, int] = {}
        unit = 1
        for aim in reversed(order):
            units[aim] = unit
            unit *= pairs * getattr(most, aim) + 1
        if unit.bit_length() > MOST_BITS:
            raise PairingError("These records differ too much to be paired by them.")
        self.order = order
        self.units = Tiers(**units)

    def weight(self, tiers: Tiers) -> int:
        return sum(unit * cost for unit, cost in zip(self.units, tiers, strict=True))

    def tiers(self, weight: int) -> Tiers:
        """The tiers that weigh so much."""
        costs: dict[str, int] = {}
        for aim in self.order:
            costs[aim], weight = divmod(weight, getattr(self.units, aim))
        return Tiers(**costs)
