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
from tournament.money.rates import find_rate
from tournament.money.receipts import cancel_receipt
from tournament.refusals.money import AMOUNT_IS_ZERO
from tournament.runtime.errors import NotFound, Refused

METHODS = (AccountKind.CASH, AccountKind.BANK, AccountKind.CARD, AccountKind.OTHER)


@dataclass(frozen=True, slots=True)
class NewPayment:
    """A payment of a player, or with a negative amount a refund to the player.

    `key` is chosen by the page that asks for the payment, so that a repeated request records it once. `settles`: the
    currency that the player owes, if it is paid in another one; empty for the currency of the amount.
    """

    key: uuid.UUID
    amount: Amount
    method: AccountKind
    settles: str = ""

    @property
    def is_refund(self) -> bool:
        return self.amount.minor < 0


def take_payment(event: Event, player_id: uuid.UUID, payment: NewPayment, actor: Actor) -> LedgerTransaction:
    """Records a payment in the till of the actor. Raises NotFound for a player of another event.

    Raises Refused for an amount of zero, and for another currency without a rate.
    """
    if not payment.amount:
        raise Refused(AMOUNT_IS_ZERO)
    if not Player.objects.filter(pk=player_id, event=event).exists():
        raise NotFound
    with lock_book(event.pk) as book:
        lines, settled = _lines(event, player_id, payment, actor)
        deed = NewDeed(
            Deed.REFUND if payment.is_refund else Deed.PAYMENT, f"payment {payment.key.hex}", lines
        )
        (row,) = record(book, [deed], _action(player_id, payment, settled), actor)
        mark_settled(book, [player_id])
    return row


def _lines(
    event: Event, player_id: uuid.UUID, payment: NewPayment, actor: Actor
) -> tuple[list[TransferLine], Amount]:
    """The transfers of a payment, and what it settles of the player's debt."""
    paid = payment.amount
    till = till_account(payment.method, paid.currency, actor)
    if payment.settles in ("", paid.currency):
        return [
            _moved(payment.method.value, player_account(player_id, paid.currency), till, paid.minor)
        ], paid
    rate = find_rate(event, payment.settles, paid.currency)
    owed = open_amounts(event.pk, [player_id]).get(player_id, {}).get(rate.base, 0)
    settled, worth = rate.credit(paid, Amount(owed, rate.base))
    if not settled:
        raise Refused(AMOUNT_IS_ZERO)
    customer = player_account(player_id, rate.base)
    exchange, rounding = (
        AccountName(kind, rate.base) for kind in (AccountKind.EXCHANGE, AccountKind.ROUNDING)
    )
    received = AccountName(AccountKind.EXCHANGE, paid.currency)
    lines = [
        _moved(payment.method.value, received, till, paid.minor),
        _moved("exchange", customer, exchange, settled.minor),
        _moved("rounding", rounding, exchange, worth.minor - settled.minor),
    ]
    return [line for line in lines if line.minor], settled


def _moved(line: str, source: AccountName, target: AccountName, minor: int) -> TransferLine:
    """A transfer of a positive amount; a negative amount goes the other way."""
    return (
        TransferLine(line, source, target, minor) if minor > 0 else TransferLine(line, target, source, -minor)
    )


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


def _action(player_id: uuid.UUID, payment: NewPayment, settled: Amount) -> JournalEntry:
    verb = "refund" if payment.is_refund else "pay"
    after = {"amount": str(settled), "payment": payment.method.value}
    if settled != payment.amount:
        after["paid_amount"] = str(payment.amount)
    return JournalEntry(verb, "player", player_id, after=after)


def undo_payment(event: Event, transaction_id: int, actor: Actor, reason: str = "") -> LedgerTransaction:
    """Reverses a payment or a refund. Its receipt is cancelled.

    Raises NotFound for any other transaction, Refused if it is reversed already.
    """
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
        cancel_receipt(book, row, reversal, actor)
        mark_settled(book, [uuid.UUID(line.subject_id)])
        return reversal


def till_account(method: AccountKind, currency: str, actor: Actor) -> AccountName:
    """Cash goes into the till of the user who takes it; every other method has one account."""
    return AccountName(method, currency, till_of(actor) if method is AccountKind.CASH else "")
