"""Refunds of entries that withdraw, by dated tiers. Pure, in minor units."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from tournament.fees.amounts import apportion
from tournament.fees.shares import WHOLE, share_of


@dataclass(frozen=True, slots=True)
class RefundTier:
    """Until this day an entry gets back `percent` hundredths of a percent, less the amount `kept`.

    `keeps_registration`: the registration fees are not given back.
    """

    until: date
    percent: int = WHOLE
    kept: int = 0
    keeps_registration: bool = False


@dataclass(frozen=True, slots=True)
class Charged:
    """A line of the charges of an entry."""

    minor: int
    is_registration: bool


def tier_on(tiers: Sequence[RefundTier], day: date) -> RefundTier | None:
    """The first tier that has not ended on this day; None after the last, when nothing is given back."""
    return next((tier for tier in sorted(tiers, key=lambda tier: tier.until) if day <= tier.until), None)


def refund_amounts(tier: RefundTier, charges: Sequence[Charged]) -> list[int]:
    """The refund of each line; halves are rounded up, and the parts add up to the rounded total."""
    weights = [
        0 if tier.keeps_registration and charge.is_registration else max(charge.minor, 0)
        for charge in charges
    ]
    if not any(weights):
        return [0] * len(weights)
    return apportion(max(share_of(sum(weights), tier.percent) - tier.kept, 0), weights)
