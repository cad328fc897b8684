"""Tills: counting their cash, and handing cash from one to another."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q
from django.utils import timezone

from tournament.access.actors import Actor
from tournament.access.permissions import CAPABILITIES, Capability, may
from tournament.fees.amounts import Amount
from tournament.ledger.accounts import AccountName, name_of
from tournament.ledger.balances import balances_of
from tournament.ledger.recording import Book, NewDeed, TransferLine, find_recorded, lock_book, record, reverse
from tournament.ledger.tills import cash_account, cash_held, till_of
from tournament.live import journal
from tournament.live.journal import JournalEntry
from tournament.models import (
    AccountKind,
    CashClosing,
    Deed,
    Event,
    LedgerAccount,
    LedgerTransaction,
    Membership,
    Transfer,
)
from tournament.models.ledger import ORGANIZER_TILL
from tournament.refusals.money import (
    AMOUNT_IS_ZERO,
    AMOUNT_NOT_POSITIVE,
    CASH_NEEDS_REASON,
    COUNT_IS_NEGATIVE,
    COUNT_UNDO_NEEDS_REASON,
    COUNTED_ALREADY,
    COUNTED_SINCE,
    DIFFERENCE_NEEDS_REASON,
    REVERSED_ALREADY,
    SAME_TILL,
    SIGN_THE_COUNT,
    TILL_CHANGED,
    TILL_HAS_LESS,
    TILL_OF_ANOTHER,
)
from tournament.runtime.errors import NotFound, Refused


@dataclass(frozen=True, slots=True)
class Count:
    """The cash counted in a till: minor units, and [minor units, number] of each note and coin.

    `last_transfer` is the last transfer of the till when the count began.
    """

    counted: int
    last_transfer: int
    signed_by: str
    reason: str = ""
    pieces: Sequence[tuple[int, int]] = ()


@dataclass(frozen=True, slots=True)
class Handover:
    """Cash from one till to another. `key` is chosen by the page, so that a repeated request records it once."""

    key: uuid.UUID
    source: str
    target: str
    amount: Amount


@dataclass(frozen=True, slots=True)
class OwnCash:
    """Cash that the organizer puts into the cash box, or with a negative amount takes out. `key`: as in `Handover`."""

    key: uuid.UUID
    amount: Amount
    reason: str


def close_till(event: Event, till: str, currency: str, count: Count, actor: Actor) -> CashClosing:
    """Records the count and posts its difference to over and short. The same count of the same cash is recorded once.

    Raises NotFound for a till that never held this currency. Raises Refused if cash moved since the count began, for a
    difference without a reason, for a count that is negative or not signed, and for one that somebody else signed.
    """
    _refuse_incomplete(count)
    name = cash_account(till, currency)
    with lock_book(event.pk) as book:
        account = _account(event, name)
        rows = CashClosing.objects.filter(account=account, taken_back__isnull=True)
        repeated = rows.filter(last_transfer=count.last_transfer, counted=count.counted).first()
        if repeated is not None and repeated.signed_by != count.signed_by.strip():
            raise Refused(COUNTED_ALREADY, name=repeated.signed_by)
        if repeated is not None:
            return repeated
        if last_transfer_of(account) != count.last_transfer:
            raise Refused(TILL_CHANGED)
        expected = balances_of(LedgerAccount.objects.filter(pk=account.pk)).get(account.pk, 0)
        if count.counted != expected and not count.reason.strip():
            raise Refused(DIFFERENCE_NEEDS_REASON)
        return _write_closing(book, name, account, expected, count, actor)


def _write_closing(
    book: Book, name: AccountName, account: LedgerAccount, expected: int, count: Count, actor: Actor
) -> CashClosing:
    difference = count.counted - expected
    after = {
        "expected": str(Amount(expected, name.currency)),
        "counted": str(Amount(count.counted, name.currency)),
    }
    action = JournalEntry("close till", "event", book.event.pk, after=after, reason=count.reason.strip())
    transaction = _post_difference(book, name, difference, count, action, actor) if difference else None
    line = transaction.journal_line if transaction else journal.write_many(book.event, actor, [action])[0]
    return CashClosing.objects.create(
        event=book.event,
        account=account,
        last_transfer_id=count.last_transfer,
        at=timezone.now(),
        expected=expected,
        counted=count.counted,
        pieces=[list(piece) for piece in count.pieces],
        signed_by=count.signed_by.strip(),
        reason=count.reason.strip() if difference else "",
        difference=transaction,
        journal_line=line,
    )


def _post_difference(
    book: Book, name: AccountName, difference: int, count: Count, action: JournalEntry, actor: Actor
) -> LedgerTransaction:
    """Debits the till with what it holds too much; over and short takes the other side."""
    over_short = AccountName(AccountKind.OVER_SHORT, name.currency)
    source, target = (over_short, name) if difference > 0 else (name, over_short)
    line = TransferLine("difference", source, target, abs(difference))
    deed = NewDeed(Deed.CLOSING, f"closing {name.name} {count.last_transfer} {count.counted}", [line])
    (row,) = record(book, [deed], action, actor)
    return row


def _refuse_incomplete(count: Count) -> None:
    if count.counted < 0 or any(number < 0 for _unit, number in count.pieces):
        raise Refused(COUNT_IS_NEGATIVE)
    if not count.signed_by.strip():
        raise Refused(SIGN_THE_COUNT)


def take_count_back(event: Event, closing_id: int, actor: Actor, reason: str) -> CashClosing:
    """Takes the last count of a till back, and reverses its difference.

    Raises NotFound for a count of another event. Raises Refused without a reason, if it is taken back already, if the
    till was counted again since, and if the till no longer holds what the count found too much.
    """
    if not reason.strip():
        raise Refused(COUNT_UNDO_NEEDS_REASON)
    with lock_book(event.pk) as book:
        closings = CashClosing.objects.select_related("account", "journal_line")
        closing = closings.filter(event=event, pk=closing_id).first()
        if closing is None:
            raise NotFound
        if closing.taken_back_id:
            raise Refused(REVERSED_ALREADY)
        later = CashClosing.objects.filter(account=closing.account, pk__gt=closing.pk)
        if later.filter(taken_back__isnull=True).exists():
            raise Refused(COUNTED_SINCE)
        _refuse_overdraft(event, name_of(closing.account), closing.counted - closing.expected)
        before = closing.journal_line.after
        action = JournalEntry("take count back", "event", event.pk, before=before, reason=reason.strip())
        if closing.difference_id:
            (reversal,) = reverse(book, [closing.difference_id], action, actor)
            closing.taken_back = reversal.journal_line
        else:
            (closing.taken_back,) = journal.write_many(book.event, actor, [action])
        closing.save(update_fields=["taken_back"])
    return closing


def last_transfer_of(account: LedgerAccount) -> int:
    """Returns the id of the last transfer of an account; an account has at least one."""
    rows = Transfer.objects.filter(Q(source=account) | Q(target=account))
    return rows.order_by("-pk").values_list("pk", flat=True)[0]


def _account(event: Event, name: AccountName) -> LedgerAccount:
    account = LedgerAccount.objects.filter(pk=name.id_in(event.pk)).first()
    if account is None:
        raise NotFound
    return account


def hand_over(event: Event, handover: Handover, actor: Actor) -> LedgerTransaction:
    """Moves cash between two tills. The organizer's cash box may give more than it holds: the rest is brought along.

    Raises NotFound for a till that nobody of this event has, Refused for an amount that the till does not hold, and for
    the till of somebody else if the actor may not direct the event.
    """
    if handover.amount.minor <= 0:
        raise Refused(AMOUNT_NOT_POSITIVE)
    if handover.source == handover.target:
        raise Refused(SAME_TILL)
    currency = handover.amount.currency
    source, target = cash_account(handover.source, currency), cash_account(handover.target, currency)
    line = TransferLine("handover", source, target, handover.amount.minor)
    deed = NewDeed(Deed.HANDOVER, f"handover {handover.key.hex}", [line])
    with lock_book(event.pk) as book:
        repeated = find_recorded(book, [deed])
        if repeated:
            return repeated[deed.key]
        tills = tills_of(event)
        if {handover.source, handover.target} - tills:
            raise NotFound
        is_own = handover.source in (till_of(actor), ORGANIZER_TILL)
        if not is_own and not may(actor, event, Capability.DIRECT):
            raise Refused(TILL_OF_ANOTHER)
        _refuse_overdraft(event, source, handover.amount.minor)
        after = {
            "amount": str(handover.amount),
            "from_till": f"till:{handover.source}",
            "to_till": f"till:{handover.target}",
        }
        action = JournalEntry("hand over cash", "event", event.pk, after=after)
        (row,) = record(book, [deed], action, actor)
    return row


def move_own_cash(event: Event, moved: OwnCash, actor: Actor) -> LedgerTransaction:
    """Moves cash between the organizer's own money and the organizer's cash box.

    Raises Refused for an amount of zero, without a reason, and to take out more than the cash box holds.
    """
    amount, reason = moved.amount, moved.reason.strip()
    if not amount:
        raise Refused(AMOUNT_IS_ZERO)
    if not reason:
        raise Refused(CASH_NEEDS_REASON)
    own_money = AccountName(AccountKind.OWN_MONEY, amount.currency)
    box = cash_account(ORGANIZER_TILL, amount.currency)
    source, target = (own_money, box) if amount.minor > 0 else (box, own_money)
    line = TransferLine("own cash", source, target, abs(amount.minor))
    deed = NewDeed(Deed.OWN_CASH, f"own cash {moved.key.hex}", [line])
    with lock_book(event.pk) as book:
        repeated = find_recorded(book, [deed])
        if repeated:
            return repeated[deed.key]
        if cash_held(event.pk, ORGANIZER_TILL, amount.currency).minor < -amount.minor:
            raise Refused(TILL_HAS_LESS)
        verb = "put cash in" if amount.minor > 0 else "take cash out"
        action = JournalEntry(verb, "event", event.pk, after={"amount": str(abs(amount))}, reason=reason)
        (row,) = record(book, [deed], action, actor)
    return row


def undo_own_cash(event: Event, transaction_id: int, actor: Actor, reason: str = "") -> LedgerTransaction:
    """Raises NotFound for another transaction, Refused if it is taken back already or the cash moved on."""
    with lock_book(event.pk) as book:
        row, transfer = _cash_movement(event, Deed.OWN_CASH, transaction_id)
        if transfer.target.kind == AccountKind.CASH:
            held = cash_held(event.pk, ORGANIZER_TILL, transfer.target.currency)
            if held.minor < transfer.amount:
                raise Refused(TILL_HAS_LESS)
        before = row.journal_line.after
        action = JournalEntry("undo cash in or out", "event", event.pk, before=before, reason=reason.strip())
        (reversal,) = reverse(book, [row.pk], action, actor)
        return reversal


def _cash_movement(event: Event, deed: Deed, transaction_id: int) -> tuple[LedgerTransaction, Transfer]:
    row = LedgerTransaction.objects.filter(event=event, deed=deed, pk=transaction_id).first()
    if row is None:
        raise NotFound
    return row, row.transfers.select_related("target").get()


def undo_handover(event: Event, transaction_id: int, actor: Actor, reason: str = "") -> LedgerTransaction:
    """Raises NotFound for another transaction, Refused if it is taken back already or the cash moved on."""
    with lock_book(event.pk) as book:
        row, transfer = _cash_movement(event, Deed.HANDOVER, transaction_id)
        _refuse_overdraft(
            event, cash_account(transfer.target.name, transfer.target.currency), transfer.amount
        )
        before = row.journal_line.after
        action = JournalEntry("take handover back", "event", event.pk, before=before, reason=reason.strip())
        (reversal,) = reverse(book, [row.pk], action, actor)
        return reversal


def _refuse_overdraft(event: Event, source: AccountName, minor: int) -> None:
    if source.name == ORGANIZER_TILL or minor <= 0:
        return
    if cash_held(event.pk, source.name, source.currency).minor < minor:
        raise Refused(TILL_HAS_LESS)


def tills_of(event: Event) -> set[str]:
    """The tills of an event: of everybody who may take money, those that were used, and the organizer's cash box."""
    roles = [role for role, held in CAPABILITIES.items() if Capability.MONEY in held]
    users = Membership.objects.filter(event=event, role__in=roles).values_list("user_id", flat=True)
    used = LedgerAccount.objects.filter(event=event, kind=AccountKind.CASH).values_list("name", flat=True)
    return {ORGANIZER_TILL, *map(str, users), *used}
