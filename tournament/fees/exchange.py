"""Amounts of one currency paid in another, at the organizer's own rate. Pure, in whole minor units."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from tournament.fees.amounts import Amount, exponent_of

RATE_UNIT = 10**6


@dataclass(frozen=True, slots=True)
class Rate:
    """One `base` is `millionths` / RATE_UNIT of `currency`. What is paid is a multiple of `unit` minor units."""

    base: str
    currency: str
    millionths: int
    unit: int = 1

    @property
    def price(self) -> Decimal:
        """What one unit of the base costs in the currency."""
        return Decimal(self.millionths) / RATE_UNIT

    @property
    def _factor(self) -> Fraction:
        """Minor units of the currency for one minor unit of the base."""
        exponent = exponent_of(self.currency) - exponent_of(self.base)
        return Fraction(self.millionths, RATE_UNIT) * Fraction(10) ** exponent

    def convert(self, owed: Amount) -> Amount:
        """The price of an amount of the base: the nearest multiple of the unit, halves up."""
        self._check(owed.currency, self.base)
        return Amount(_nearest(owed.minor * self._factor / self.unit) * self.unit, self.currency)

    def worth(self, paid: Amount) -> Amount:
        """The value of an amount of the currency in the base, to the nearest minor unit."""
        self._check(paid.currency, self.currency)
        return Amount(_nearest(paid.minor / self._factor), self.base)

    def credit(self, paid: Amount, owed: Amount) -> tuple[Amount, Amount]:
        """The part of the debt that a payment pays, and its value. They differ by the rounding if it pays all of it."""
        worth = self.worth(paid)
        pays_all = bool(owed) and paid == self.convert(owed)
        return (owed if pays_all else worth), worth

    def _check(self, currency: str, expected: str) -> None:
        if currency != expected:
            raise ValueError(f"{currency} is not {expected}")


def _nearest(number: Fraction) -> int:
    """Halves away from zero, so that a refund returns what was paid."""
    whole = int(abs(number) + Fraction(1, 2))
    return whole if number >= 0 else -whole
