"""The fees of a tournament and of an event, and what an entry is charged by them. Pure.

All amounts are minor units of the schedule's currency. A fee has a price for everybody and other prices by condition.
Shares are taken out of the entry fee, the rest goes to the main pot.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from enum import StrEnum
from types import MappingProxyType
from typing import TypeAlias

from tournament.fees.refunds import RefundTier
from tournament.fees.shares import share_of

MAIN_POT = "main"
"""The key of the pot that entry fees pay into. Side pools have keys of their own."""
CALCUTTA_POT = "calcutta"
"""The key of the pot of the auction of players."""
EXTRA_POT = "extra"
"""The key of the prizes for the furthest entries of some, which are no side pool."""
JACKPOT_POT = "jackpot "
"""The key of the pot of a jackpot, and of its bracket, before its number."""


class Condition(StrEnum):
    """A property of a player that can change a price. NEW_MEMBER buys a membership, and pays as a member."""

    MEMBER = "member"
    NEW_MEMBER = "new_member"
    STUDENT = "student"
    TITLE = "title"
    FIRST_VISIT = "first_visit"
    EARLY = "early"


class Target(StrEnum):
    """Where the money of a charge goes."""

    POT = "pot"
    REGISTRATION = "registration"
    FEDERATION = "federation"
    MEMBERSHIP = "membership"
    YEARLY_POT = "yearly_pot"


Combination: TypeAlias = frozenset[Condition]
"""Conditions that apply together."""


@dataclass(frozen=True, slots=True)
class Fee:
    """The price for everybody, other prices by condition, and prices for several conditions together."""

    price: int = 0
    prices: Mapping[Condition, int] = field(default_factory=lambda: MappingProxyType({}))
    combined: Mapping[Combination, int] = field(default_factory=lambda: MappingProxyType({}))

    def price_for(self, conditions: Collection[Condition]) -> int:
        """The lowest price of the conditions that apply; a combination comes before the conditions in it.

        The price for everybody counts only without such a price, so a condition can also raise it.
        """
        prices = {frozenset({condition}): price for condition, price in self.prices.items()} | dict(
            self.combined
        )
        applicable = [combination for combination in prices if combination.issubset(conditions)]
        exact = [row for row in applicable if not any(row < other for other in applicable)]
        return min((prices[row] for row in exact), default=self.price)


@dataclass(frozen=True, slots=True)
class Share:
    """A part of a fee that goes elsewhere: hundredths of a percent of it, at least `least`, rounded to `unit`.

    A share of a fixed amount has `percent` 0. Halves are rounded up.
    """

    target: Target
    percent: int = 0
    least: int = 0
    unit: int = 1

    def of(self, price: int) -> int:
        return min(price, max(share_of(price, self.percent, self.unit), self.least))


@dataclass(frozen=True, slots=True)
class SidePool:
    """A pot that an entry may join. `registration` is charged beside the fee of the pool.

    `ratings_below`: only players with a lower rating may join. `condition`: only players with it. `after`: only entries
    that also join the pool with this key. `kept`: a player who joined with an earlier entry stays in it with a
    re-entry, without a second fee.
    """

    key: str
    name: str
    fee: Fee
    registration: int = 0
    shares: tuple[Share, ...] = ()
    ratings_below: Decimal | None = None
    condition: Condition | None = None
    after: str = ""
    kept: bool = False


@dataclass(frozen=True, slots=True)
class Reentry:
    """The prices of a re-entry or buy-back."""

    entry: int
    registration: int = 0


@dataclass(frozen=True, slots=True)
class FeeSchedule:
    """`reentries`: the prices of the second, third, ... entry of a player; the last is also that of every later one.

    `late` is charged beside the rest once the draw is made, and before it after the day `late_after`. `refunds`: what
    an entry gets back that withdraws. `jackpot_share` is taken out of the price of each jackpot.
    """

    currency: str
    entry: Fee = Fee()
    registration: Fee = Fee()
    late: Fee = Fee()
    shares: tuple[Share, ...] = ()
    pools: tuple[SidePool, ...] = ()
    reentries: tuple[Reentry, ...] = ()
    refunds: tuple[RefundTier, ...] = ()
    late_after: date | None = None
    jackpot_share: Share | None = None

    @property
    def kept_pools(self) -> frozenset[str]:
        """The keys of the side pools that re-entries keep."""
        return frozenset(pool.key for pool in self.pools if pool.kept)

    @property
    def pool_names(self) -> dict[str, str]:
        """The names of the side pools by key."""
        return {pool.key: pool.name for pool in self.pools}

    def pool(self, key: str) -> SidePool:
        """Raises KeyError for an unknown pool."""
        return {pool.key: pool for pool in self.pools}[key]


@dataclass(frozen=True, slots=True)
class EventFees:
    """Fees that a player pays once in an event, with the first entry. `membership` is the price of a membership."""

    currency: str
    registration: Fee = Fee()
    membership: Fee = Fee()


@dataclass(frozen=True, slots=True)
class FeeChoices:
    """The choices for an entry: the conditions of its player, and its side pools by key."""

    conditions: frozenset[Condition] = frozenset()
    pools: frozenset[str] = frozenset()

    def including(self, conditions: frozenset[Condition]) -> FeeChoices:
        """These choices, and conditions that applied to the player before."""
        return FeeChoices(self.conditions | conditions, self.pools)


@dataclass(frozen=True, slots=True)
class EntryFacts:
    """The facts that decide the price of an entry. `number` 2 is the first re-entry."""

    number: int = 1
    conditions: frozenset[Condition] = frozenset()
    pools: frozenset[str] = frozenset()
    is_late: bool = False

    @property
    def price_conditions(self) -> frozenset[Condition]:
        """The conditions that lower prices: a new member pays as a member."""
        if Condition.NEW_MEMBER in self.conditions:
            return self.conditions | {Condition.MEMBER}
        return self.conditions


@dataclass(frozen=True, slots=True)
class Charge:
    """A line of what an entry costs. `line` names it within the entry; `pot` is the pot of target POT."""

    line: str
    target: Target
    minor: int
    pot: str = ""


def charges_of(schedule: FeeSchedule, facts: EntryFacts) -> tuple[Charge, ...]:
    """The charges of this entry, by line; lines of 0 are left out. Raises KeyError for an unknown pool."""
    lines = [*_entry_charges(schedule, facts)]
    for key in sorted(facts.pools):
        lines += _pool_charges(schedule.pool(key), facts)
    return tuple(charge for charge in lines if charge.minor)


def event_charges(fees: EventFees, facts: EntryFacts) -> tuple[Charge, ...]:
    """The charges of the event for the first entry of a player; lines of 0 are left out."""
    registration = fees.registration.price_for(facts.price_conditions)
    charges = [Charge("event registration", Target.REGISTRATION, registration)]
    if Condition.NEW_MEMBER in facts.conditions:
        price = fees.membership.price_for(facts.conditions)
        charges.append(Charge("membership", Target.MEMBERSHIP, price))
    return tuple(charge for charge in charges if charge.minor)


def _entry_charges(schedule: FeeSchedule, facts: EntryFacts) -> list[Charge]:
    if facts.number > 1 and schedule.reentries:
        prices = schedule.reentries[min(facts.number - 2, len(schedule.reentries) - 1)]
        entry, registration = prices.entry, prices.registration
    else:
        entry = schedule.entry.price_for(facts.price_conditions)
        registration = schedule.registration.price_for(facts.price_conditions)
    charges = _split("entry", entry, schedule.shares, MAIN_POT)
    charges.append(Charge("registration", Target.REGISTRATION, registration))
    if facts.is_late and facts.number == 1:
        late = schedule.late.price_for(facts.price_conditions)
        charges.append(Charge("late", Target.REGISTRATION, late))
    return charges


def _pool_charges(pool: SidePool, facts: EntryFacts) -> list[Charge]:
    charges = _split(f"pool {pool.key}", pool.fee.price_for(facts.price_conditions), pool.shares, pool.key)
    return [*charges, Charge(f"pool {pool.key} registration", Target.REGISTRATION, pool.registration)]


def _split(line: str, price: int, shares: tuple[Share, ...], pot: str) -> list[Charge]:
    """The shares of a fee, each of the whole fee, then the rest for the pot."""
    charges, rest = [], price
    for number, share in enumerate(shares, 1):
        part = min(rest, share.of(price))
        rest -= part
        charges.append(Charge(f"{line} share {number}", share.target, part))
    return [*charges, Charge(line, Target.POT, rest, pot)]
