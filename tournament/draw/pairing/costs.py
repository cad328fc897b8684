"""Costs of a pairing in each aim, and the weight that combines them so that a higher aim outweighs all lower ones.

Costs are integers and nothing is rounded. Players are unknown here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple, TypeAlias

from rules.translation import gettext_noop
from tournament.draw.pairing.contenders import PairingError

MOST_BITS: Final = 120
"""Bits of the largest weight of a whole pairing. The matching library counts in signed 128-bit integers and needs twice
the difference of two such weights.
"""

WonLost: TypeAlias = tuple[int, int]


class Tiers(NamedTuple):
    """A cost in each aim, the highest aim first. The smaller tuple is the better cost.

    `kept_apart`: pairs that a director keeps apart. `second_byes`: byes of the player with the bye, less the fewest
    byes of any player. `rematches`: earlier meetings of the pair. `bye_above`: number of different worse records among
    players with as many byes. `gap`: squared difference of records. `same_team`, `same_club`, `same_country`: pairs
    that share one, if these are kept apart. `seeding`: squared distance from the opponent by seeding or lot.
    """

    kept_apart: int = 0
    second_byes: int = 0
    rematches: int = 0
    bye_above: int = 0
    gap: int = 0
    same_team: int = 0
    same_club: int = 0
    same_country: int = 0
    seeding: int = 0

    def plus(self, other: Tiers) -> Tiers:
        return Tiers(*(cost + added for cost, added in zip(self, other, strict=True)))

    def less(self, other: Tiers) -> Tiers:
        return Tiers(*(cost - taken for cost, taken in zip(self, other, strict=True)))


REMATCHES_FIRST: Final = ("kept_apart", "rematches", "second_byes", *Tiers._fields[3:])
"""The order of the aims in earlier releases, and among free players, where one waits and has no bye."""


class Cost(NamedTuple):
    """The cost of one pair or bye, and the records it was computed from: two for a pair, one for a bye.

    `byes` are the earlier byes of the player with this bye.
    """

    tiers: Tiers
    records: tuple[WonLost, ...]
    byes: int = 0

    def as_json(self) -> dict[str, Any]:
        return {
            **self.tiers._asdict(),
            "records": [list(record) for record in self.records],
            "byes": self.byes,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Cost:
        """Returns a stored cost. A missing aim costs 0. Raises PairingError for unreadable values."""
        try:
            tiers = Tiers(*(int(data.get(name, 0)) for name in Tiers._fields))
            records = tuple((int(wins), int(losses)) for wins, losses in data["records"])
            return cls(tiers, records, int(data.get("byes", 0)))
        except (KeyError, TypeError, ValueError) as error:
            raise PairingError(
                gettext_noop("This cost was stored by another release and cannot be read.")
            ) from error


class Scale:
    """Weights of the aims, from the largest cost of one pair in each aim and the number of pairs.

    `order` names the aims from the highest, because earlier releases used another order.

    The weight of an aim is one more than all pairs together can cost in the lower aims. So the weights of two pairings
    compare like their summed tiers, and a summed weight converts back to tiers.
    """

    def __init__(self, most: Tiers, pairs: int, order: tuple[str, ...] = Tiers._fields) -> None:
        units: dict[str, int] = {}
        unit = 1
        for aim in reversed(order):
            units[aim] = unit
            unit *= pairs * getattr(most, aim) + 1
        if unit.bit_length() > MOST_BITS:
            raise PairingError(gettext_noop("These records differ too much for pairing by records."))
        self.order = order
        self.units = Tiers(**units)

    def weight(self, tiers: Tiers) -> int:
        return sum(unit * cost for unit, cost in zip(self.units, tiers, strict=True))

    def tiers(self, weight: int) -> Tiers:
        costs: dict[str, int] = {}
        for aim in self.order:
            costs[aim], weight = divmod(weight, getattr(self.units, aim))
        return Tiers(**costs)
