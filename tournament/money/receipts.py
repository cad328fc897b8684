"""Receipts of payments and refunds.

A receipt gets its number when somebody asks for it: most payments of a club night need none, and no payment waits for
the counter, which all events of the installation share. Numbers run without gaps in each year. A payment that is taken
back leaves its receipt, and a counter-receipt cancels it.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from django.db.models import Q
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext as _

from tournament.access.actors import Actor
from tournament.fees.amounts import Amount
from tournament.fees.charge_lines import parse_charge_line
from tournament.ledger.accounts import players_of
from tournament.ledger.charging import schedule_of
from tournament.ledger.recording import Book, lock_book
from tournament.live import journal
from tournament.live.journal import JournalEntry
from tournament.models import (
    PAYMENT_METHODS,
    AccountKind,
    Deed,
    Event,
    LedgerAccount,
    LedgerTransaction,
    Receipt,
    ReceiptCounter,
    Transfer,
)
from tournament.refusals.money import REVERSED_ALREADY
from tournament.runtime.errors import NotFound, Refused

PAID = (Deed.PAYMENT, Deed.REFUND)
CANCELLED, PAID_BEFORE, STILL_OPEN, IN_ADVANCE = "cancelled", "paid_before", "still_open", "in_advance"
PRIZE, DEDUCTED, PAID_BACK = "prize", "deducted", "paid_back"
KEY_LENGTH = 32
"""Hexadecimal digits of the key in the address of a receipt: 128 bits."""

Line = tuple[str, str, int, str]
"""`ChargeLine.fee`, a kind of deed or one of the words above; its name; minor units and their currency."""


@dataclass(frozen=True, slots=True)
class _NewReceipt:
    transaction: LedgerTransaction
    amount: Amount
    lines: list[Line]
    cancels: Receipt | None = None


def issue_receipt(event: Event, transaction_id: int, actor: Actor) -> Receipt:
    """Returns the receipt of a payment, refund or payout, and gives it a number if it has none.

    Raises NotFound for other transactions, Refused for one that was taken back without a receipt.
    """
    with lock_book(event.pk) as book:
        rows = LedgerTransaction.objects.filter(event=event, deed__in=(*PAID, Deed.PAYOUT))
        row = rows.filter(pk=transaction_id).first()
        if row is None:
            raise NotFound
        present = Receipt.objects.filter(transaction=row).first()
        if present is not None:
            return present
        if LedgerTransaction.objects.filter(reverses=row).exists():
            raise Refused(REVERSED_ALREADY)
        (receipt,) = _write(book, [_NewReceipt(row, _received(row), _lines(row))], actor)
        return receipt


def cancel_receipts(book: Book, reversals: Sequence[LedgerTransaction], actor: Actor) -> None:
    """Issues the counter-receipts of payments and payouts that are taken back, where these have a receipt."""
    reversal_of = {row.reverses_id: row for row in reversals}
    cancelled = Receipt.objects.filter(transaction__in=reversal_of).order_by("year", "number")
    receipts = [
        _NewReceipt(
            reversal_of[row.transaction_id],
            Amount(-row.amount, row.currency),
            [(CANCELLED, number_of(row), -row.amount, row.currency)],
            row,
        )
        for row in cancelled
    ]
    if receipts:
        _write(book, receipts, actor)


def number_of(receipt: Receipt) -> str:
    return _number(receipt.year, receipt.number)


def _number(year: int, number: int) -> str:
    return f"{year}-{number:05d}"


def key_of(receipt: Receipt) -> str:
    """The key in the address for the payer: signed with SECRET_KEY and not stored."""
    return salted_hmac("receipt", str(receipt.pk), algorithm="sha256").hexdigest()[:KEY_LENGTH]


def opens(receipt: Receipt, key: str) -> bool:
    return constant_time_compare(key, key_of(receipt))


def _write(book: Book, new: Sequence[_NewReceipt], actor: Actor) -> list[Receipt]:
    now, organizer = timezone.now(), book.event.organizer
    year, numbers = _take_numbers(book.event, now, len(new))
    receipts = Receipt.objects.bulk_create(
        Receipt(
            year=year,
            number=number,
            event=book.event,
            transaction=receipt.transaction,
            cancels=receipt.cancels,
            issued_at=now,
            amount=receipt.amount.minor,
            currency=receipt.amount.currency,
            lines=[list(line) for line in receipt.lines],
            organizer=organizer.name if organizer else book.event.name,
            tax_text=organizer.tax_text if organizer else "",
        )
        for number, receipt in zip(numbers, new, strict=True)
    )
    players = players_of([receipt.transaction.pk for receipt in new])
    actions = [
        JournalEntry(
            "issue receipt",
            "player",
            players[receipt.transaction.pk],
            after={"receipt": _number(year, number)},
        )
        for number, receipt in zip(numbers, new, strict=True)
    ]
    journal.write_many(book.event, actor, actions)
    return receipts


def _take_numbers(event: Event, now: datetime, count: int) -> tuple[int, range]:
    """The year and its next numbers. Locks its counter until the transaction ends, so that a failure leaves no gap."""
    year = now.astimezone(ZoneInfo(event.time_zone)).year
    ReceiptCounter.objects.get_or_create(year=year, defaults={"last_number": 0})
    counter = ReceiptCounter.objects.select_for_update().get(year=year)
    first = counter.last_number + 1
    counter.last_number += count
    counter.save(update_fields=["last_number"])
    return year, range(first, first + count)


def _received(row: LedgerTransaction) -> Amount:
    """The amount that the till received, negative if it paid."""
    transfers = row.transfers.select_related("source", "target")
    transfer = transfers.get(Q(source__kind__in=PAYMENT_METHODS) | Q(target__kind__in=PAYMENT_METHODS))
    sign = 1 if transfer.target.kind in PAYMENT_METHODS else -1
    return Amount(sign * transfer.amount, transfer.target.currency)


def _lines(row: LedgerTransaction) -> list[Line]:
    """The lines of the payment: the charges of the player until then, less earlier payments.

    The lines of a payout: the prizes until then, less what is taken out of them. The lines add up to the amount.
    """
    moved = row.transfers.select_related("source", "target").filter(
        Q(source__kind=AccountKind.PLAYER) | Q(target__kind=AccountKind.PLAYER)
    )
    is_refund = row.deed != Deed.PAYMENT
    account = next(transfer.target if is_refund else transfer.source for transfer in moved)
    settled = sum(transfer.amount for transfer in moved)
    currency = account.currency
    if row.deed == Deed.PAYOUT:
        return _payout_lines(row, account, settled)
    if is_refund:
        return [(Deed.REFUND, "", -settled, currency)]
    charged, before = Counter[tuple[str, str]](), 0
    for sign, transfers in ((1, account.debits), (-1, account.credits)):
        entry = "entry__tournament"
        related = (f"transaction__{entry}", f"transaction__reverses__{entry}", "source", "target")
        for transfer in transfers.filter(transaction__lt=row.pk).select_related(*related):
            deed = (transfer.transaction.reverses or transfer.transaction).deed
            if deed == Deed.CHARGE:
                charged[_charge_of(transfer)] += sign * transfer.amount
            elif deed in PAID:
                before -= sign * transfer.amount
    lines: list[Line] = [
        (kind, name, minor, currency) for (kind, name), minor in sorted(charged.items()) if minor
    ]
    if before:
        lines.append((PAID_BEFORE, "", -before, currency))
    rest = settled - (sum(charged.values()) - before)
    if rest:
        lines.append((IN_ADVANCE if rest > 0 else STILL_OPEN, "", rest, currency))
    return lines


def _payout_lines(row: LedgerTransaction, account: LedgerAccount, paid: int) -> list[Line]:
    """Negative amounts, as the till pays them: the prizes by tournament, and the rest."""
    prizes: Counter[str] = Counter()
    for transfers, sign in ((account.credits, 1), (account.debits, -1)):
        rows = transfers.filter(transaction__lt=row.pk, transaction__deed=Deed.PRIZE)
        rows = rows.exclude(transaction__reversed_by__lt=row.pk)
        for transfer in rows.select_related("transaction__entry__tournament"):
            entry = transfer.transaction.entry
            prizes[entry.tournament.name if entry else ""] -= sign * transfer.amount
    lines: list[Line] = [(PRIZE, name, minor, account.currency) for name, minor in sorted(prizes.items())]
    rest = -paid - prizes.total()
    if rest:
        lines.append((DEDUCTED if rest > 0 else PAID_BACK, "", rest, account.currency))
    return lines


def _charge_of(transfer: Transfer) -> tuple[str, str]:
    """The fee, of which a share is a part, and the names of the tournament and the side pool."""
    entry = (transfer.transaction.reverses or transfer.transaction).entry
    charge = parse_charge_line(transfer.line, entry.number if entry is not None else 1)
    tournament = entry.tournament if entry is not None and not charge.is_once_in_an_event else None
    schedule = schedule_of(tournament) if tournament is not None and charge.pool else None
    pool = schedule.pool_names.get(charge.pool, "") if schedule is not None else ""
    names = [tournament.name if tournament is not None else "", pool]
    return charge.fee, ": ".join(name for name in names if name)


def faults_of_numbers() -> list[str]:
    """Sentences about missing receipts of the installation, of all years."""
    years = {
        *Receipt.objects.order_by().values_list("year", flat=True),
        *ReceiptCounter.objects.values_list("year", flat=True),
    }
    return [
        _("Receipt {number} is missing.").format(number=_number(year, number))
        for year in sorted(years)
        for number in missing_numbers(year)
    ]


def missing_numbers(year: int) -> list[int]:
    """The numbers that no receipt of this year has; empty unless the database was changed by hand."""
    used = set(Receipt.objects.filter(year=year).values_list("number", flat=True))
    last = ReceiptCounter.objects.filter(year=year).values_list("last_number", flat=True).first() or 0
    return sorted(set(range(1, max({last, *used}) + 1)) - used)
