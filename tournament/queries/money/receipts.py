"""Receipts as they are printed. Reads only."""

import uuid
from collections.abc import Callable
from dataclasses import dataclass

from django.db.models import QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.fees.amounts import Amount
from tournament.fees.exchange import Rate
from tournament.ledger.accounts import methods_of, players_of
from tournament.ledger.labels import METHOD_LABELS, BookLabels
from tournament.models import Event, Player, Receipt, Transfer
from tournament.money.rates import rates_of_time
from tournament.money.receipts import (
    CANCELLED,
    DEDUCTED,
    IN_ADVANCE,
    PAID_BACK,
    PAID_BEFORE,
    PRIZE,
    STILL_OPEN,
    number_of,
    opens,
)
from tournament.queries.money.charge_names import charge_name
from tournament.runtime.errors import NotFound

WORDS: dict[str, Promise] = {
    "refund": gettext_lazy("Refund"),
    PRIZE: gettext_lazy("Prize money"),
    DEDUCTED: gettext_lazy("Paid before, taken out or still to pay"),
    PAID_BACK: gettext_lazy("Paid back"),
    PAID_BEFORE: gettext_lazy("Paid before"),
    STILL_OPEN: gettext_lazy("Not paid yet"),
    IN_ADVANCE: gettext_lazy("Paid in advance"),
}


@dataclass(frozen=True, slots=True)
class ReceiptPage:
    """`credited`: the amount of the player's debt or claim that is paid, if the payment is in another currency.

    `rate`: the one that it was exchanged at, if it is still known.

    `reason`: of a counter-receipt, why the payment or payout was taken back.
    """

    row: Receipt
    number: str
    payer: str
    method: str
    amount: Amount
    lines: tuple[tuple[str, Amount], ...]
    cancelled_by: str
    cancels: str
    reason: str
    rate: Rate | None = None

    @property
    def is_payout(self) -> bool:
        return any(line[0] in (PRIZE, DEDUCTED, PAID_BACK) for line in self.row.lines)

    @property
    def credited(self) -> Amount | None:
        currency = _credited_currency(self.row)
        if not currency:
            return None
        return Amount(sum(amount.minor for _text, amount in self.lines), currency)


def _credited_currency(row: Receipt) -> str:
    """The currency of the lines, if the payment is in another one; else empty."""
    currency = row.lines[0][3] if row.lines else row.currency
    return currency if currency != row.currency else ""


def find_receipt(event: Event, pk: uuid.UUID) -> ReceiptPage:
    """Raises NotFound for a receipt of another event."""
    row = _rows().filter(event=event, pk=pk).first()
    if row is None:
        raise NotFound
    return _pages(event.pk, [row])[0]


def receipt_for_payer(pk: uuid.UUID, key: str) -> ReceiptPage:
    """Raises NotFound without the key of the receipt, and for an event that was deleted."""
    row = _rows().filter(pk=pk, event__deleted_at__isnull=True, transaction__isnull=False).first()
    if row is None or row.event_id is None or not opens(row, key):
        raise NotFound
    return _pages(row.event_id, [row])[0]


def list_receipts(event: Event) -> list[ReceiptPage]:
    """Returns all receipts of the event, newest first."""
    return _pages(event.pk, list(_rows().filter(event=event)))


def _rows() -> QuerySet[Receipt]:
    return Receipt.objects.select_related(
        "event", "transaction__journal_line", "cancels", "cancelled_by"
    ).order_by("-year", "-number")


def _pages(event_id: uuid.UUID, rows: list[Receipt]) -> list[ReceiptPage]:
    transactions = [row.transaction_id for row in rows if row.transaction_id is not None]
    methods = methods_of(Transfer.objects.filter(transaction__in=transactions))
    payers = players_of(transactions)
    players = Player.objects.in_bulk(payers.values())
    labels = BookLabels(event_id)
    names = {pk: labels.of_payer(players.get(payer), payer) for pk, payer in payers.items()}
    find_rate = rates_of_time(Event.objects.get(pk=event_id)) if any(map(_credited_currency, rows)) else None
    return [
        ReceiptPage(
            row,
            number_of(row),
            names.get(row.transaction_id or 0, ""),
            str(METHOD_LABELS.get(methods.get(row.transaction_id or 0, ""), "")),
            Amount(row.amount, row.currency),
            tuple((_text(kind, name), Amount(minor, currency)) for kind, name, minor, currency in row.lines),
            number_of(row.cancelled_by) if hasattr(row, "cancelled_by") else "",
            number_of(row.cancels) if row.cancels else "",
            row.transaction.journal_line.reason if row.cancels and row.transaction else "",
            _rate(row, find_rate) if find_rate else None,
        )
        for row in rows
    ]


def _rate(row: Receipt, find_rate: Callable[[str, str, int], Rate | None]) -> Rate | None:
    currency = _credited_currency(row)
    if not currency or row.transaction is None:
        return None
    return find_rate(currency, row.currency, row.transaction.journal_line_id)


def _text(kind: str, name: str) -> str:
    if kind == CANCELLED:
        return _("Receipt {number} is cancelled").format(number=name)
    words = str(WORDS[kind]) if kind in WORDS else charge_name(kind)
    return f"{words} · {name}" if name else words
