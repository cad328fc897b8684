"""Payments of players at the desk, and refunds. The product records money; it takes none."""

import uuid
from dataclasses import dataclass

from tournament.access.actors import Actor
from tournament.fees.amounts import Amount
from tournament.ledger.accounts import AccountName, player_account
from tournament.ledger.balances import open_amounts
from tournament.ledger.recording import NewDeed, TransferLine, lock_book, record, reverse
from tournament.ledger.settlement import mark_settled
from tournament.ledger.tills import till_of
from tournament.live.journal import JournalEntry
from tournament.models import AccountKind, Deed, Event, LedgerTransaction, Player
from tournament.refusals.money import AMOUNT_IS_ZERO
from tournament.runtime.errors import NotFound, Refused

METHODS = (AccountKind.CASH, AccountKind.BANK, AccountKind.CARD, AccountKind.OTHER)


@dataclass(frozen=True, slots=True)
class NewPayment:
    """A payment of a player, or with a negative amount a refund to the player.

    `key` is chosen by the page that asks for the payment, so that a repeated request records it once.
    """

    key: uuid.UUID
    amount: Amount
    method: AccountKind


def take_payment(event: Event, player_id: uuid.UUID, payment: NewPayment, actor: Actor) -> LedgerTransaction:
    """Records a payment in the till of the actor. Raises NotFound for a player of another event, or Refused."""
    if not payment.amount:
        raise Refused(AMOUNT_IS_ZERO)
    if not Player.objects.filter(pk=player_id, event=event).exists():
        raise NotFound
    till = till_account(payment.method, payment.amount.currency, actor)
    customer = player_account(player_id, payment.amount.currency)
    is_refund = payment.amount.minor < 0
    source, target = (till, customer) if is_refund else (customer, till)
    deed = NewDeed(
        Deed.REFUND if is_refund else Deed.PAYMENT,
        f"payment {payment.key.hex}",
        [TransferLine(payment.method.value, source, target, abs(payment.amount.minor))],
    )
    with lock_book(event.pk) as book:
        (row,) = record(book, [deed], _action(player_id, payment), actor)
        mark_settled(book, [player_id])
    return row


def pay_open_amounts(
    event: Event, player_ids: list[uuid.UUID], method: AccountKind, actor: Actor
) -> list[LedgerTransaction]:
    """Records that each of these players paid all that was open. Players who owe nothing are left out."""
    with lock_book(event.pk):
        return [
            take_payment(event, player_id, NewPayment(uuid.uuid4(), Amount(minor, currency), method), actor)
            for player_id, amounts in open_amounts(event.pk, player_ids).items()
            for currency, minor in amounts.items()
            if minor > 0
        ]


def _action(player_id: uuid.UUID, payment: NewPayment) -> JournalEntry:
    verb = "refund" if payment.amount.minor < 0 else "pay"
    return JournalEntry(
        verb, "player", player_id, after={"amount": str(payment.amount), "payment": payment.method.value}
    )


def undo_payment(event: Event, transaction_id: int, actor: Actor, reason: str = "") -> LedgerTransaction:
    """Reverses a payment or a refund. Raises NotFound for any other transaction, Refused if it is reversed already."""
    with lock_book(event.pk) as book:
        rows = LedgerTransaction.objects.filter(event=event, deed__in=(Deed.PAYMENT, Deed.REFUND))
        row = rows.filter(pk=transaction_id).first()
        if row is None:
            raise NotFound
        line = row.journal_line
        action = JournalEntry(
            "take payment back", "player", line.subject_id, before=line.after, reason=reason
        )
        reversal = reverse(book, row, action, actor)
        mark_settled(book, [uuid.UUID(line.subject_id)])
        return reversal


def till_account(method: AccountKind, currency: str, actor: Actor) -> AccountName:
    """Cash goes into the till of the user who takes it; every other method has one account."""
    return AccountName(method, currency, till_of(actor) if method is AccountKind.CASH else "")
