"""Fees in another currency: the same numbers, in its minor units. Pure.

5.00 EUR becomes 5 JPY, because yen have no decimals. Halves are rounded up.
"""

from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal

from tournament.fees.amounts import exponent_of
from tournament.fees.schedule import EventFees, Fee, FeeSchedule, Share


def with_other_currency(schedule: FeeSchedule, currency: str) -> FeeSchedule:
    """The schedule with its numbers as amounts of this currency. A schedule without a currency has whole units."""
    shift = shift_between(schedule.currency, currency)

    def share(stored: Share) -> Share:
        unit = max(moved(stored.unit, shift), 1) if stored.unit > 1 else 1
        return replace(stored, least=moved(stored.least, shift), unit=unit)

    return replace(
        schedule,
        currency=currency,
        entry=_fee(schedule.entry, shift),
        registration=_fee(schedule.registration, shift),
        late=_fee(schedule.late, shift),
        shares=tuple(map(share, schedule.shares)),
        pools=tuple(
            replace(
                pool,
                fee=_fee(pool.fee, shift),
                registration=moved(pool.registration, shift),
                shares=tuple(map(share, pool.shares)),
            )
            for pool in schedule.pools
        ),
        reentries=tuple(
            replace(prices, entry=moved(prices.entry, shift), registration=moved(prices.registration, shift))
            for prices in schedule.reentries
        ),
        refunds=tuple(replace(tier, kept=moved(tier.kept, shift)) for tier in schedule.refunds),
        jackpot_share=share(schedule.jackpot_share) if schedule.jackpot_share else None,
    )


def event_fees_with_other_currency(fees: EventFees, currency: str) -> EventFees:
    """As `with_other_currency`, for the fees of an event."""
    shift = shift_between(fees.currency, currency)
    return EventFees(currency, _fee(fees.registration, shift), _fee(fees.membership, shift))


def shift_between(currency: str, other: str) -> int:
    """The decimals of the other currency minus those of this one. An empty currency has none."""
    return exponent_of(other) - (exponent_of(currency) if currency else 0)


def moved(minor: int, shift: int) -> int:
    """The minor units of the same number in a currency with so many more decimals."""
    return int(Decimal(minor).scaleb(shift).to_integral_value(ROUND_HALF_UP))


def _fee(fee: Fee, shift: int) -> Fee:
    return Fee(
        moved(fee.price, shift),
        {condition: moved(price, shift) for condition, price in fee.prices.items()},
        {together: moved(price, shift) for together, price in fee.combined.items()},
    )
