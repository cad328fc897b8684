"""Payments of players at the desk, and refunds. The product records money; it takes none."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from matches.refusals import Refusal
from tournament.access.actors import Actor
from tournament.fees.amounts import MOST_MINOR_UNITS, Amount
from tournament.ledger.accounts import AccountName, player_account, players_of
from tournament.ledger.balances import open_amounts
from tournament.ledger.labels import BookLabels
from tournament.ledger.paid_marks import mark_paid_entries
from tournament.ledger.recording import (
    Book,
    NewDeed,
    TransferLine,
    find_recorded,
    lock_book,
    record,
)
from tournament.ledger.tills import cash_held, till_of
from tournament.live.journal import JournalEntry
from tournament.models import AccountKind, Deed, Event, LedgerTransaction, Player
from tournament.money.rates import find_rate
from tournament.money.reversals import PAYMENTS, take_back, take_back_several
from tournament.refusals.money import (
    AMOUNT_IS_ZERO,
    AMOUNT_TOO_LARGE,
    DEED_KEY_REUSED,
    OPEN_AMOUNT_CHANGED,
    PAYMENT_ABOVE_DEBT,
    PAYMENT_WITHOUT_RATE,
    REFUND_ABOVE_CLAIM,
    TILL_TOO_LOW,
)
from tournament.runtime.errors import NotFound, Refused


@dataclass(frozen=True, slots=True)
class NewPayment:
    """A payment of a player, or with a negative amount a refund to the player.

    `key` is chosen by the page that asks for the payment, so that a repeated request records it once.
    `open_currency`: the currency that the player owes, if it is paid in another one; empty for the currency of the
    amount. `expected`: the open amount that the page showed, in minor units of that currency; None accepts any. Three
    fields confirm what is unusual: `above_claim` a refund of more than the player may claim, `above_debt` a payment of
    more than the player owes, `above_till` a refund of more cash than the till holds.
    """

    key: uuid.UUID
    amount: Amount
    method: AccountKind
    open_currency: str = ""
    expected: int | None = None
    above_claim: bool = False
    above_debt: bool = True
    above_till: bool = True

    @property
    def is_refund(self) -> bool:
        return self.amount.minor < 0


def take_payment(event: Event, player_id: uuid.UUID, payment: NewPayment, actor: Actor) -> LedgerTransaction:
    """Records a payment in the till of the actor. Raises NotFound for a player of another event.

    Raises Refused for an amount of zero, for another currency without a rate, if the open amount is not the one shown,
    for what is unusual and not confirmed, and for a key of another payment.
    """
    if not payment.amount:
        raise Refused(AMOUNT_IS_ZERO)
    with lock_book(event.pk) as book:
        if not Player.objects.filter(pk=player_id, event=event).exists():
            raise NotFound
        recorded = _find_payment(book, player_id, payment, actor)
        if recorded is not None:
            return recorded
        currency = payment.open_currency or payment.amount.currency
        owed = Amount(open_amounts(event.pk, [player_id]).get(player_id, {}).get(currency, 0), currency)
        lines, credited = transfers_of_payment(event, player_id, payment, owed, actor)
        _refuse_unexpected(event, player_id, payment, owed, credited)
        if payment.is_refund and not payment.above_till:
            refuse_above_till(event, payment.method, -payment.amount, actor)
        (row,) = record(book, [_deed(payment, lines)], _action(player_id, payment, credited), actor)
        mark_paid_entries(book, [player_id])
    return row


def _find_payment(
    book: Book, player_id: uuid.UUID, payment: NewPayment, actor: Actor
) -> LedgerTransaction | None:
    """The payment with this key. Compares what the till received: the rest of an exchange depends on the debt."""
    deed = _deed(payment, [transfer_to_till(player_id, payment, actor)])
    row = find_recorded(book, [deed]).get(deed.key)
    if row is not None and players_of([row.pk])[row.pk] != player_id:
        raise Refused(DEED_KEY_REUSED)
    return row


def _refuse_unexpected(
    event: Event, player_id: uuid.UUID, payment: NewPayment, owed: Amount, credited: Amount
) -> None:
    refusal: Refusal | None = None
    amounts: dict[str, object] = {}
    if payment.expected not in (None, owed.minor):
        refusal = OPEN_AMOUNT_CHANGED
    elif payment.is_refund and not payment.above_claim and credited.minor < min(owed.minor, 0):
        claim = Amount(max(-owed.minor, 0), owed.currency)
        refusal, amounts = REFUND_ABOVE_CLAIM, {"claim": claim, "amount": -payment.amount}
    elif not payment.is_refund and not payment.above_debt and credited.minor > max(owed.minor, 0):
        refusal, amounts = _above_debt(event, player_id, payment, owed)
    if refusal is not None:
        player = Player.objects.get(pk=player_id, event=event)
        raise Refused(refusal, name=BookLabels(event.pk).of_player(player, player_id), **amounts)


def _above_debt(
    event: Event, player_id: uuid.UUID, payment: NewPayment, owed: Amount
) -> tuple[Refusal, dict[str, object]]:
    """Why the payment is more than the player owes: perhaps the debt is in another currency, which has no rate."""
    debts = [
        Amount(minor, currency)
        for currency, minor in open_amounts(event.pk, [player_id]).get(player_id, {}).items()
        if minor > 0 and currency != owed.currency
    ]
    if owed.minor > 0 or not debts:
        debt = Amount(max(owed.minor, 0), owed.currency)
        return PAYMENT_ABOVE_DEBT, {"owed": debt, "amount": payment.amount}
    named = {"debt": debts[0], "currency": owed.currency, "amount": payment.amount}
    return PAYMENT_WITHOUT_RATE, named


def refuse_above_till(event: Event, method: AccountKind, amount: Amount, actor: Actor) -> None:
    """Raises Refused if the actor's till holds less cash than the amount."""
    if method is AccountKind.CASH:
        held = cash_held(event.pk, till_of(actor), amount.currency)
        if held.minor < amount.minor:
            raise Refused(TILL_TOO_LOW, held=held, amount=amount)


def _deed(payment: NewPayment, lines: list[TransferLine]) -> NewDeed:
    return NewDeed(Deed.REFUND if payment.is_refund else Deed.PAYMENT, f"payment {payment.key.hex}", lines)


def transfer_to_till(player_id: uuid.UUID, payment: NewPayment, actor: Actor) -> TransferLine:
    """The transfer to the till: from the player, or from the exchange of another currency."""
    paid = payment.amount
    source = (
        player_account(player_id, paid.currency)
        if payment.open_currency in ("", paid.currency)
        else AccountName(AccountKind.EXCHANGE, paid.currency)
    )
    till = till_account(payment.method, paid.currency, actor)
    return _moved(payment.method.value, source, till, paid.minor)


def transfers_of_payment(
    event: Event, player_id: uuid.UUID, payment: NewPayment, owed: Amount, actor: Actor
) -> tuple[list[TransferLine], Amount]:
    """The transfers of a payment or refund, and the amount by which it changes the player's debt or claim.

    Raises Refused for another currency without a rate.
    """
    paid, received = payment.amount, transfer_to_till(player_id, payment, actor)
    if owed.currency == paid.currency:
        return [received], paid
    rate = find_rate(event, owed.currency, paid.currency)
    credited, worth = rate.credit(paid, owed)
    if not credited:
        raise Refused(AMOUNT_IS_ZERO)
    if abs(worth.minor) > MOST_MINOR_UNITS:
        raise Refused(AMOUNT_TOO_LARGE)
    customer = player_account(player_id, rate.base)
    exchange, rounding = (
        AccountName(kind, rate.base) for kind in (AccountKind.EXCHANGE, AccountKind.ROUNDING)
    )
    lines = [
        received,
        _moved("exchange", customer, exchange, credited.minor),
        _moved("rounding", rounding, exchange, worth.minor - credited.minor),
    ]
    return [line for line in lines if line.minor], credited


def _moved(line: str, source: AccountName, target: AccountName, minor: int) -> TransferLine:
    """A transfer of a positive amount; a negative amount goes the other way."""
    return (
        TransferLine(line, source, target, minor) if minor > 0 else TransferLine(line, target, source, -minor)
    )


OpenAmounts = Mapping[uuid.UUID, Mapping[str, int]]
"""The debts of players by currency, as `open_amounts` returns them."""


def pay_open_amounts(
    event: Event, expected: OpenAmounts, method: AccountKind, actor: Actor
) -> list[LedgerTransaction]:
    """Records that each of these players paid all that was open. Players who owe nothing are left out.

    Raises Refused if an open amount is not the one shown, NotFound for a player of another event.
    """
    with lock_book(event.pk) as book:
        refuse_changed_amounts(event, expected)
        payments = [
            (player_id, NewPayment(uuid.uuid4(), Amount(minor, currency), method))
            for player_id, amounts in expected.items()
            for currency, minor in amounts.items()
            if minor > 0
        ]
        return take_payments(book, payments, actor)


def take_payments(
    book: Book, payments: Sequence[tuple[uuid.UUID, NewPayment]], actor: Actor
) -> list[LedgerTransaction]:
    """Records payments of these players of the event, whatever each of them owes in the currency of the amount."""
    deeds = [_deed(payment, [transfer_to_till(player_id, payment, actor)]) for player_id, payment in payments]
    actions = [_action(player_id, payment, payment.amount) for player_id, payment in payments]
    rows = record(book, deeds, actions, actor)
    mark_paid_entries(book, {player_id for player_id, _ in payments})
    return rows


def refuse_changed_amounts(event: Event, expected: OpenAmounts) -> None:
    """Raises Refused if a player owes other amounts, NotFound for a player of another event."""
    if Player.objects.filter(event=event, pk__in=expected).count() < len(expected):
        raise NotFound
    amounts = open_amounts(event.pk, list(expected))
    for player_id, owed in expected.items():
        if owed != amounts.get(player_id, {}):
            player = Player.objects.get(pk=player_id)
            name = BookLabels(event.pk).of_player(player, player_id)
            raise Refused(OPEN_AMOUNT_CHANGED, name=name)


def _action(player_id: uuid.UUID, payment: NewPayment, credited: Amount) -> JournalEntry:
    verb = "refund" if payment.is_refund else "pay"
    after = {"amount": str(credited), "payment": payment.method.value}
    if credited != payment.amount:
        after["paid_amount"] = str(payment.amount)
    return JournalEntry(verb, "player", player_id, after=after)


def undo_payment(event: Event, transaction_id: int, actor: Actor, reason: str = "") -> LedgerTransaction:
    """Reverses a payment or a refund. Raises as `take_back` does."""
    return take_back(event, PAYMENTS, transaction_id, actor, reason)


def undo_payments(
    event: Event, transaction_ids: Sequence[int], actor: Actor, reason: str = ""
) -> list[LedgerTransaction]:
    """Reverses those of these payments that are not reversed yet. Raises as `take_back_several` does."""
    return take_back_several(event, PAYMENTS, transaction_ids, actor, reason)


def till_account(method: AccountKind, currency: str, actor: Actor) -> AccountName:
    """Cash goes into the till of the user who takes it; every other method has one account."""
    return AccountName(method, currency, till_of(actor) if method is AccountKind.CASH else "")
