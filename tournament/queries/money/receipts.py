"""Receipts as they are printed. Reads only."""

import uuid
from dataclasses import dataclass

from django.db.models import Q, QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.fees.amounts import Amount
from tournament.ledger.labels import METHOD_LABELS
from tournament.models import Event, Player, Receipt, Transfer
from tournament.money.receipts import (
    CANCELLED,
    IN_ADVANCE,
    PAID_BEFORE,
    RECEIVED,
    STILL_OPEN,
    number_of,
    opens,
)
from tournament.runtime.errors import NotFound

WORDS: dict[str, Promise] = {
    "entry": gettext_lazy("Entry fee"),
    "re-entry": gettext_lazy("Re-entry"),
    "registration": gettext_lazy("Registration"),
    "event": gettext_lazy("Registration"),
    "late": gettext_lazy("Late fee"),
    "membership": gettext_lazy("Membership"),
    "pool": gettext_lazy("Side pool"),
    "jackpot": gettext_lazy("Jackpot"),
    "refund": gettext_lazy("Refund"),
    PAID_BEFORE: gettext_lazy("Paid before"),
    STILL_OPEN: gettext_lazy("Still open"),
    IN_ADVANCE: gettext_lazy("Paid in advance"),
}


@dataclass(frozen=True, slots=True)
class ReceiptPage:
    """`settles`: what the payment settles, if it is in another currency."""

    row: Receipt
    number: str
    payer: str
    method: str
    amount: Amount
    lines: tuple[tuple[str, Amount], ...]
    cancelled_by: str
    cancels: str

    @property
    def settles(self) -> Amount | None:
        parts = [amount for _text, amount in self.lines]
        if not parts or parts[0].currency == self.amount.currency:
            return None
        return Amount(sum(part.minor for part in parts), parts[0].currency)


def find_receipt(event: Event, pk: uuid.UUID) -> ReceiptPage:
    """Raises NotFound for a receipt of another event."""
    row = _rows().filter(event=event, pk=pk).first()
    if row is None:
        raise NotFound
    return _pages([row])[0]


def receipt_for_payer(pk: uuid.UUID, key: str) -> ReceiptPage:
    """Raises NotFound without the key of the receipt, and for an event that was deleted."""
    row = _rows().filter(pk=pk, event__deleted_at__isnull=True, transaction__isnull=False).first()
    if row is None or not opens(row, key):
        raise NotFound
    return _pages([row])[0]


def list_receipts(event: Event) -> list[ReceiptPage]:
    """Returns all receipts of the event, newest first."""
    return _pages(list(_rows().filter(event=event)))


def _rows() -> QuerySet[Receipt]:
    return Receipt.objects.select_related(
        "event", "transaction__journal_line", "cancels", "cancelled_by"
    ).order_by("-year", "-number")


def _pages(rows: list[Receipt]) -> list[ReceiptPage]:
    lines = {row.transaction_id: row.transaction.journal_line for row in rows if row.transaction is not None}
    players = Player.objects.in_bulk([line.subject_id for line in lines.values()])
    names = {str(pk): player.registered_name for pk, player in players.items()}
    received = Transfer.objects.filter(
        Q(source__kind__in=RECEIVED) | Q(target__kind__in=RECEIVED), transaction__in=list(lines)
    ).select_related("source", "target")
    methods = {
        transfer.transaction_id: str(
            METHOD_LABELS[(transfer.source if transfer.source.kind in RECEIVED else transfer.target).kind]
        )
        for transfer in received
    }
    return [
        ReceiptPage(
            row,
            number_of(row),
            names.get(lines[row.transaction_id].subject_id, "") if row.transaction_id in lines else "",
            methods.get(row.transaction_id or 0, ""),
            Amount(row.amount, row.currency),
            tuple((_text(kind, name), Amount(minor, currency)) for kind, name, minor, currency in row.lines),
            number_of(row.cancelled_by) if hasattr(row, "cancelled_by") else "",
            number_of(row.cancels) if row.cancels else "",
        )
        for row in rows
    ]


def _text(kind: str, name: str) -> str:
    if kind == CANCELLED:
        return _("Receipt {number} is cancelled").format(number=name)
    words = str(WORDS.get(kind, _("Other fee")))
    return f"{words} · {name}" if name else words
