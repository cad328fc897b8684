"""The auction of players, called a Calcutta: bids, shares of owners, and the split of its pot. Pure.

The shares of a lot are whole parts of all its parts: 1 and 2 are a third and two thirds.
"""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from tournament.fees.amounts import apportion
from tournament.fees.schedule import MAIN_POT
from tournament.fees.shares import WHOLE
from tournament.prizes.awards import awards_of
from tournament.prizes.places import Entrant, Place
from tournament.prizes.structure import Part, PrizeStructure

EntryT = TypeVar("EntryT", bound=Hashable)
OwnerT = TypeVar("OwnerT", bound=Hashable)

SPLITS = ((100,), (70, 30), (70, 20, 10), (50, 20, 15, 10, 5), (40, 30, 20, 10))
"""The usual splits, in percent by place."""
MOST_PLACES, MOST_PARTS, LONGEST_STATE = 10, 1_000, 40


@dataclass(frozen=True, slots=True)
class Lot(Generic[EntryT, OwnerT]):
    """A sold lot: its entries, and the parts of each owner."""

    number: int
    entries: frozenset[EntryT]
    owners: Mapping[OwnerT, int]


@dataclass(frozen=True, slots=True)
class LotCharges(Generic[OwnerT]):
    """The price of each owner's share of a lot, and its parts for the organizer (`rake`) and the pot."""

    owners: Mapping[OwnerT, int]
    rake: int

    @property
    def pot(self) -> int:
        return sum(self.owners.values()) - self.rake


@dataclass(frozen=True, slots=True)
class OwnerPrize(Generic[OwnerT]):
    """`line` names the lot and the place: `lot 3 1`."""

    owner: OwnerT
    line: str
    minor: int


def smallest_bid(minimum: int, step: int, highest: int) -> int:
    """The least amount of the next bid; `highest` is the bid before it, 0 without one."""
    return max(minimum, highest + step) if highest else minimum


def bought_back(owners: Mapping[OwnerT, int], player: OwnerT) -> dict[OwnerT, int]:
    """The shares after the player bought half of the lot from all its owners alike."""
    return {**owners, player: owners.get(player, 0) + sum(owners.values())}


def charges_of_lot(bid: int, owners: Mapping[OwnerT, int], rake: int) -> LotCharges[OwnerT]:
    """`rake` is in hundredths of a percent, rounded down to a minor unit."""
    amounts = apportion(bid, owners.values())
    return LotCharges(dict(zip(owners, amounts, strict=True)), bid * rake // WHOLE)


def owner_prizes(
    currency: str,
    pot: int,
    split: Sequence[int],
    bracket: str,
    places: Sequence[Place[EntryT]],
    lots: Sequence[Lot[EntryT, OwnerT]],
) -> list[OwnerPrize[OwnerT]]:
    """Splits the pot over certain places of a bracket, and each prize over the owners of the placed player's lot.

    The prize of a player whom nobody owns stays in the pot.
    """
    parts = tuple(Part(bracket, place, place, share) for place, share in enumerate(split, 1))
    structure = PrizeStructure(currency, parts)
    entrants = {place.entry: Entrant() for place in places}
    lot_of = {entry: lot for lot in lots for entry in lot.entries}
    sums: Counter[tuple[OwnerT, str]] = Counter()
    for award in awards_of(structure, {MAIN_POT: pot}, {bracket: places}, entrants):
        lot = lot_of.get(award.entry)
        if lot is not None:
            amounts = apportion(award.minor, lot.owners.values())
            for owner, minor in zip(lot.owners, amounts, strict=True):
                sums[owner, f"lot {lot.number} {award.line.rpartition(' ')[2]}"] += minor
    return [OwnerPrize(owner, line, minor) for (owner, line), minor in sums.items() if minor]
