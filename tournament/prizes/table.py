"""The amounts by place of a prize structure. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from tournament.fees.amounts import apportion
from tournament.prizes.rounding import round_down
from tournament.prizes.structure import Feat, Part, PoolPrizes, PrizeStructure, Rest, main_pot
from tournament.prizes.wins import with_counts

MAIN_BRACKET = "main"
NO_WINS: Mapping[Part, int] = {}


@dataclass(frozen=True, slots=True)
class PrizeTable:
    """Minor units by bracket and place, and for each holder of a feat. `rest` stays in the pot.

    `exact`: the amounts of places before rounding, without the rest for first place. Equal entries share these.
    """

    places: Mapping[str, Mapping[int, int]]
    exact: Mapping[str, Mapping[int, Fraction]]
    feats: Mapping[tuple[str, Feat], int]
    rest: int

    @property
    def total(self) -> int:
        """The sum of the prizes of places."""
        return sum(minor for places in self.places.values() for minor in places.values())


def prize_table(structure: PrizeStructure, paid_in: int, wins: Mapping[Part, int] = NO_WINS) -> PrizeTable:
    """The prizes of the main pot, once entries paid `paid_in` into it and each part for wins pays so many of them."""
    return split_money(
        structure, list(with_counts(structure.parts, wins)), main_pot(structure, paid_in).prizes
    )


def pool_table(structure: PrizeStructure, pool: PoolPrizes, money: int) -> Mapping[int, int]:
    """The prizes of a side pool of so much money, from the one of the furthest on, or of the main places in order."""
    if pool.like_main:
        split = like_main(structure)
        table = split_money(split, split.parts, money)
        prizes = [minor for places in table.places.values() for minor in places.values()]
        return dict(enumerate(prizes, 1))
    return split_of_pool(structure, pool, money).places.get(pool.key, {})


def split_of_pool(structure: PrizeStructure, pool: PoolPrizes, money: int) -> PrizeTable:
    """The split of a side pool by its own shares, under its key as bracket."""
    shares = [Part(pool.key, place, place, share) for place, share in enumerate(pool.shares, 1)]
    return split_money(structure, shares, money)


def like_main(structure: PrizeStructure) -> PrizeStructure:
    """The split of a side pool like the main prizes: by their shares, or by their fixed amounts if it has no shares.

    Prizes for feats are left out.
    """
    places = [part for part in structure.parts if not part.feat]
    shares = [part for part in places if part.share] or [
        replace(part, share=part.minor, minor=0) for part in places
    ]
    return replace(structure, parts=tuple(shares), bubble=False)


def split_money(structure: PrizeStructure, parts: Sequence[Part], money: int) -> PrizeTable:
    fixed = _within([part.minor * part.count for part in parts], money)
    shared = _shared_amounts(structure, parts, money - sum(fixed))
    places: dict[str, dict[int, int]] = {}
    exact: dict[str, dict[int, Fraction]] = {}
    feats: dict[tuple[str, Feat], int] = {}
    rest = money
    for part, whole, share in zip(parts, fixed, shared, strict=True):
        each = whole // part.count + round_down(share, structure.unit)
        rest -= each * part.count
        if part.feat:
            feats[part.bracket, part.feat] = feats.get((part.bracket, part.feat), 0) + each
            continue
        bracket, of_bracket = places.setdefault(part.bracket, {}), exact.setdefault(part.bracket, {})
        for place in range(part.place_from, part.place_to + 1):
            bracket[place] = bracket.get(place, 0) + each
            of_bracket[place] = of_bracket.get(place, Fraction(0)) + Fraction(whole, part.count) + share
    first = bracket_of_first(places)
    if structure.rest is Rest.FIRST and first:
        places[first][1] += rest
        rest = 0
    return PrizeTable(places, exact, feats, rest)


def bracket_of_first(places: Mapping[str, Mapping[int, int]]) -> str:
    """The bracket whose first place gets the rest of rounding: the main one, else the first one; empty without any."""
    return next((key for key in (MAIN_BRACKET, *places) if 1 in places.get(key, {})), "")


def _within(amounts: list[int], money: int) -> list[int]:
    """Fixed amounts, in proportion less if there is not enough money for them."""
    return amounts if sum(amounts) <= money else apportion(max(0, money), amounts)


def _shared_amounts(structure: PrizeStructure, parts: Sequence[Part], money: int) -> list[Fraction]:
    """The exact amount of each place of each part by its share of the money; 0 below the smallest prize."""
    paid = {part.share for part in parts if part.share}
    while paid:
        whole = sum(part.share * part.count for part in parts if part.share in paid)
        smallest = round_down(Fraction(money * min(paid), whole), structure.unit)
        if smallest >= structure.minimum or len(paid) == 1:
            break
        paid.remove(min(paid))
    return [Fraction(money * part.share, whole) if part.share in paid else Fraction(0) for part in parts]
