"""The organizer's own rates of exchange in an event."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

from tournament.access.actors import Actor
from tournament.fees.amounts import Amount, exponent_of
from tournament.fees.exchange import RATE_UNIT, Rate
from tournament.ledger.recording import lock_book
from tournament.live import journal
from tournament.live.journal import JournalEntry
from tournament.models import Event, ExchangeRate
from tournament.refusals.money import NO_EXCHANGE_RATE, RATE_HAS_ONE_CURRENCY, RATE_NOT_POSITIVE
from tournament.runtime.errors import NotFound, Refused

WRITTEN = re.compile(r"1 ([A-Z]{3}) = ([0-9]+(?:\.[0-9]{1,6})?) ([A-Z]{3})")
LARGEST_RATE = 10**6 * RATE_UNIT


def rate_of(row: ExchangeRate) -> Rate:
    return Rate(row.base, row.currency, row.rate, row.unit)


def rates_by_id(event: Event) -> dict[int, Rate]:
    return {row.pk: rate_of(row) for row in ExchangeRate.objects.filter(event=event)}


def rates_of(event: Event) -> list[Rate]:
    return list(rates_by_id(event).values())


def find_rate(event: Event, base: str, currency: str) -> Rate:
    """Raises Refused without a rate for these currencies."""
    row = ExchangeRate.objects.filter(event=event, base=base, currency=currency).first()
    if row is None:
        raise Refused(NO_EXCHANGE_RATE, base=base, currency=currency)
    return rate_of(row)


def set_rate(event: Event, rate: Rate, actor: Actor) -> None:
    """Sets the rate for payments from now on. Recorded payments keep theirs. Raises Refused for an impossible rate."""
    if rate.base == rate.currency:
        raise Refused(RATE_HAS_ONE_CURRENCY)
    if not 0 < rate.millionths <= LARGEST_RATE or rate.unit < 1:
        raise Refused(RATE_NOT_POSITIVE)
    with lock_book(event.pk) as book:
        rows = ExchangeRate.objects.filter(event=event, base=rate.base, currency=rate.currency)
        present = rows.first()
        before = _journal_values(rate_of(present)) if present else {}
        ExchangeRate.objects.update_or_create(
            event=event,
            base=rate.base,
            currency=rate.currency,
            defaults={"rate": rate.millionths, "unit": rate.unit},
        )
        if before != _journal_values(rate):
            action = JournalEntry("set exchange rate", "event", event.pk, before, _journal_values(rate))
            journal.write(book.event, actor, action)


def remove_rate(event: Event, rate_id: int, actor: Actor) -> None:
    """Raises NotFound for a rate of another event."""
    with lock_book(event.pk) as book:
        row = ExchangeRate.objects.filter(event=event, pk=rate_id).first()
        if row is None:
            raise NotFound
        action = JournalEntry("remove exchange rate", "event", event.pk, before=_journal_values(rate_of(row)))
        row.delete()
        journal.write(book.event, actor, action)


def rates_of_time(event: Event) -> Callable[[str, str, int], Rate | None]:
    """A function that finds the rate of two currencies before a line of the journal, by the lines that changed it."""
    changes = list(
        event.journal.filter(verb__in=("set exchange rate", "remove exchange rate"))
        .order_by("pk")
        .values_list("pk", "before", "after")
    )
    present = rates_of(event)

    def find(base: str, currency: str, line: int) -> Rate | None:
        current = next((rate for rate in present if (rate.base, rate.currency) == (base, currency)), None)
        for pk, before, after in reversed(changes):
            old, new = (_parse(values.get("rate", "")) for values in (before, after))
            if (base, currency) in {(rate.base, rate.currency) for rate in (old, new) if rate}:
                if pk < line:
                    return new
                current = old
        return current

    return find


def _parse(text: str) -> Rate | None:
    """The rate of a line of the journal, such as `1 EUR = 25.3 CZK`."""
    written = WRITTEN.fullmatch(text)
    if written is None:
        return None
    base, number, currency = written.groups()
    return Rate(base, currency, int(Decimal(number).scaleb(6)))


@dataclass(frozen=True, slots=True)
class WrittenRate:
    """A rate as people write it: `one` of the base is `other` of the currency."""

    id: int
    one: Amount
    other: str
    unit: Amount


def written_rates(event: Event) -> list[WrittenRate]:
    return [
        WrittenRate(
            row.pk,
            Amount(10 ** exponent_of(row.base), row.base),
            f"{_plain(row.rate)} {row.currency}",
            Amount(row.unit, row.currency),
        )
        for row in ExchangeRate.objects.filter(event=event)
    ]


def _plain(millionths: int) -> str:
    whole, rest = divmod(millionths, RATE_UNIT)
    return f"{whole}.{rest:06d}".rstrip("0").rstrip(".")


def _journal_values(rate: Rate) -> dict[str, str]:
    return {
        "rate": f"1 {rate.base} = {_plain(rate.millionths)} {rate.currency}",
        "unit": str(Amount(rate.unit, rate.currency)),
    }
