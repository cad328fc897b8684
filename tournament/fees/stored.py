"""A fee schedule as JSON, and back. Zero fees and empty lists are left out."""

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Any

from rules.translation import gettext_noop
from tournament.draw.sentence_error import SentenceError
from tournament.fees.amounts import MOST_MINOR_UNITS, current_currencies
from tournament.fees.refunds import RefundTier
from tournament.fees.schedule import (
    MAIN_POT,
    Condition,
    EventFees,
    Fee,
    FeeSchedule,
    Reentry,
    Share,
    SidePool,
    Target,
)
from tournament.fees.shares import WHOLE

MOST_POOLS, MOST_REENTRIES, MOST_TIERS = 8, 3, 4
LONGEST_POOL_NAME = 40
POOL_KEYS = tuple(str(number) for number in range(1, MOST_POOLS + 1))
UNREADABLE = gettext_noop("These fees cannot be read. Enter them in the form.")
NOT_PLAIN = gettext_noop(
    "A side pool or jackpot has one share at most: a percentage or an amount, which goes to registration."
)
SHARES_ABOVE_FEE = gettext_noop("The shares of the entry fee are larger than the fee. Lower a share.")
AND = "+"
EVENT_FEES = ("registration", "membership")
FEES = ("entry", "registration", "late")


class ScheduleError(SentenceError):
    """This fee schedule is impossible. The message says why."""


def schedule_as_json(schedule: FeeSchedule) -> dict[str, Any]:
    stored: dict[str, Any] = {"currency": schedule.currency}
    for name in FEES:
        stored[name] = _fee_as_json(getattr(schedule, name))
    stored["shares"] = [_share_as_json(share) for share in schedule.shares]
    stored["pools"] = [_pool_as_json(pool) for pool in schedule.pools]
    stored["reentries"] = [[prices.entry, prices.registration] for prices in schedule.reentries]
    stored["refunds"] = [_tier_as_json(tier) for tier in schedule.refunds]
    stored["late_after"] = schedule.late_after.isoformat() if schedule.late_after else ""
    stored["jackpot_share"] = _share_as_json(schedule.jackpot_share) if schedule.jackpot_share else {}
    return {name: value for name, value in stored.items() if value}


def parse_schedule(data: Mapping[str, Any]) -> FeeSchedule | None:
    """Returns the stored schedule, None for an empty one. Raises ScheduleError."""
    if not data:
        return None
    try:
        schedule = FeeSchedule(
            currency=str(data["currency"]),
            **{name: _fee(data.get(name, {})) for name in FEES},
            shares=_shares(data),
            pools=tuple(map(_pool, data.get("pools", []))),
            reentries=tuple(
                Reentry(_minor(entry), _minor(more)) for entry, more in data.get("reentries", [])
            ),
            refunds=tuple(map(_tier, data.get("refunds", []))),
            late_after=date.fromisoformat(data["late_after"]) if data.get("late_after") else None,
            jackpot_share=_plain_share(data["jackpot_share"]) if data.get("jackpot_share") else None,
        )
    except (KeyError, TypeError, ValueError, AttributeError, InvalidOperation) as error:
        if isinstance(error, ScheduleError):
            raise
        raise ScheduleError(UNREADABLE) from error
    _check(schedule)
    return schedule


def parse_refunds(data: Sequence[Mapping[str, Any]]) -> tuple[RefundTier, ...]:
    """Returns the stored refunds of a schedule. Raises ScheduleError."""
    try:
        tiers = tuple(map(_tier, data))
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, ScheduleError):
            raise
        raise ScheduleError(UNREADABLE) from error
    _check_tiers(tiers)
    return tiers


def event_fees_as_json(fees: EventFees) -> dict[str, Any]:
    stored = {name: _fee_as_json(getattr(fees, name)) for name in EVENT_FEES}
    present = {name: value for name, value in stored.items() if value}
    return {"currency": fees.currency, **present} if present else {}


def parse_event_fees(data: Mapping[str, Any]) -> EventFees | None:
    """Returns the stored fees of an event, None for none. Raises ScheduleError."""
    if not data:
        return None
    try:
        fees = EventFees(str(data["currency"]), **{name: _fee(data.get(name, {})) for name in EVENT_FEES})
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        if isinstance(error, ScheduleError):
            raise
        raise ScheduleError(UNREADABLE) from error
    _check_currency(fees.currency)
    return fees


def refuse_shares_above_fee(schedule: FeeSchedule) -> None:
    """Raises ScheduleError if the shares of a fee that all pay are larger than the fee.

    Charging cuts such shares at the fee, so this is checked for new schedules only.
    """
    if _are_above(schedule.shares, schedule.entry.price):
        raise ScheduleError(SHARES_ABOVE_FEE)
    for pool in schedule.pools:
        if _are_above(pool.shares, pool.fee.price):
            raise ScheduleError(
                gettext_noop("The share of {pool} is larger than its fee. Lower the share."), pool=pool.name
            )


def _are_above(shares: Sequence[Share], fee: int) -> bool:
    amounts = [share.of(fee) if share.percent else share.least for share in shares]
    return fee > 0 and sum(amounts) > fee


def _check_currency(currency: str) -> None:
    if currency not in current_currencies():
        raise ScheduleError(
            gettext_noop("{currency} is not a currency in use. Choose a code such as EUR."), currency=currency
        )


def _check(schedule: FeeSchedule) -> None:
    _check_currency(schedule.currency)
    if len(schedule.pools) > MOST_POOLS:
        raise ScheduleError(gettext_noop("A tournament has up to {most} side pools."), most=MOST_POOLS)
    if len(schedule.reentries) > MOST_REENTRIES:
        raise ScheduleError(
            gettext_noop("A schedule has up to {most} prices of re-entries."), most=MOST_REENTRIES
        )
    targets = [share.target for share in schedule.shares]
    if len(set(targets)) < len(targets):
        raise ScheduleError(gettext_noop("Two shares go to the same target. Add them up."))
    _check_tiers(schedule.refunds)
    _check_pools(schedule.pools)


def _check_tiers(tiers: Sequence[RefundTier]) -> None:
    days = [tier.until for tier in tiers]
    if len(set(days)) < len(days) or len(days) > MOST_TIERS:
        raise ScheduleError(
            gettext_noop("Two refunds end on the same day. Give each of up to {most} its own."),
            most=MOST_TIERS,
        )


def _check_pools(pools: tuple[SidePool, ...]) -> None:
    keys = [pool.key for pool in pools]
    if len(set(keys)) < len(keys) or MAIN_POT in keys:
        raise ScheduleError(gettext_noop("Two side pools have the same key. Give each its own."))
    for place, pool in enumerate(pools):
        if pool.after and pool.after not in keys[:place]:
            raise ScheduleError(
                gettext_noop("{pool} depends on a side pool that is not listed above it."), pool=pool.name
            )


def _minor(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= MOST_MINOR_UNITS:
        raise ScheduleError(gettext_noop("A fee is a whole number of minor units, such as 1250 for 12.50."))
    return value


def _fee_as_json(fee: Fee) -> dict[str, Any]:
    prices = {condition.value: price for condition, price in fee.prices.items()}
    prices |= {AND.join(sorted(together)): price for together, price in fee.combined.items()}
    stored = {"price": fee.price, "prices": prices}
    return {name: value for name, value in stored.items() if value}


def _fee(data: Mapping[str, Any]) -> Fee:
    """A price for two conditions together has both as its key: `early+title`."""
    prices = {
        frozenset(map(Condition, names.split(AND))): _minor(price)
        for names, price in data.get("prices", {}).items()
    }
    single = {min(together): price for together, price in prices.items() if len(together) == 1}
    combined = {together: price for together, price in prices.items() if len(together) > 1}
    return Fee(_minor(data.get("price", 0)), single, combined)


def _share_as_json(share: Share) -> dict[str, Any]:
    return {
        "target": share.target.value,
        "percent": share.percent,
        "least": share.least,
        "unit": share.unit,
    }


def _shares(data: Mapping[str, Any]) -> tuple[Share, ...]:
    return tuple(map(_share, data.get("shares", [])))


def _pool_shares(data: Mapping[str, Any]) -> tuple[Share, ...]:
    """A side pool has one share at most, as the page of fees shows it."""
    shares = data.get("shares", [])
    if len(shares) > 1:
        raise ScheduleError(NOT_PLAIN)
    return tuple(map(_plain_share, shares))


def _plain_share(data: Mapping[str, Any]) -> Share:
    share = _share(data)
    if not _is_plain(share):
        raise ScheduleError(NOT_PLAIN)
    return share


def _is_plain(share: Share) -> bool:
    """True for a percentage or an amount for registration."""
    has_rounding = share.percent > 0 and (share.least > 0 or share.unit > 1)
    return share.target is Target.REGISTRATION and not has_rounding


def _share(data: Mapping[str, Any]) -> Share:
    target, percent = Target(data["target"]), _minor(data.get("percent", 0))
    unit = _minor(data.get("unit", 1))
    if target in (Target.POT, Target.MEMBERSHIP) or percent > WHOLE or unit < 1:
        raise ScheduleError(
            gettext_noop("A share is up to 100 percent, for registration, federation or yearly pot.")
        )
    return Share(target, percent, _minor(data.get("least", 0)), unit)


def _pool_as_json(pool: SidePool) -> dict[str, Any]:
    stored = {
        "key": pool.key,
        "name": pool.name,
        "fee": _fee_as_json(pool.fee),
        "registration": pool.registration,
        "shares": [_share_as_json(share) for share in pool.shares],
        "ratings_below": str(pool.ratings_below) if pool.ratings_below is not None else "",
        "condition": pool.condition.value if pool.condition else "",
        "after": pool.after,
        "kept": pool.kept,
    }
    return {name: value for name, value in stored.items() if value}


def _pool(data: Mapping[str, Any]) -> SidePool:
    key, name = str(data["key"]), str(data["name"]).strip()
    if key not in POOL_KEYS:
        raise ScheduleError(
            gettext_noop("The key of a side pool is a number from 1 to {most}."), most=MOST_POOLS
        )
    if not 0 < len(name) <= LONGEST_POOL_NAME:
        raise ScheduleError(
            gettext_noop("The name of a side pool has up to {most} characters."), most=LONGEST_POOL_NAME
        )
    ratings_below = Decimal(data["ratings_below"]) if data.get("ratings_below") else None
    if ratings_below is not None and not ratings_below.is_finite():
        raise ScheduleError(UNREADABLE)
    return SidePool(
        key,
        name,
        _fee(data.get("fee", {})),
        registration=_minor(data.get("registration", 0)),
        shares=_pool_shares(data),
        ratings_below=ratings_below,
        condition=Condition(data["condition"]) if data.get("condition") else None,
        after=str(data.get("after", "")),
        kept=data.get("kept") is True,
    )


def _tier_as_json(tier: RefundTier) -> dict[str, Any]:
    stored = {
        "until": tier.until.isoformat(),
        "percent": tier.percent,
        "kept": tier.kept,
        "keeps_registration": tier.keeps_registration,
    }
    return {name: value for name, value in stored.items() if value}


def _tier(data: Mapping[str, Any]) -> RefundTier:
    percent = _minor(data.get("percent", 0))
    if percent > WHOLE:
        raise ScheduleError(gettext_noop("A refund is up to 100 percent."))
    return RefundTier(
        date.fromisoformat(data["until"]),
        percent,
        _minor(data.get("kept", 0)),
        data.get("keeps_registration") is True,
    )
