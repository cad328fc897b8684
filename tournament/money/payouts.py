"""Pays out what players may claim: prizes less what they owe, in one currency at a time, with tick or signature.

A payout changes no mark of a paid entry: a player with a claim owes no charge in its currency, before and after it.
"""

import re
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tournament.access.actors import Actor
from tournament.fees.amounts import Amount, sum_by_currency
from tournament.ledger.accounts import player_account, players_of
from tournament.ledger.balances import open_amounts
from tournament.ledger.recording import (
    Book,
    NewDeed,
    TransferLine,
    find_recorded,
    lock_book,
    record,
)
from tournament.live.journal import JournalEntry
from tournament.models import (
    AccountKind,
    Deed,
    Event,
    LedgerTransaction,
    PayoutSignature,
    Player,
)
from tournament.models.ledger import LONGEST_SIGNATURE
from tournament.money.payments import (
    NewPayment,
    OpenAmounts,
    refuse_above_till,
    refuse_changed_amounts,
    till_account,
    transfer_to_till,
    transfers_of_payment,
)
from tournament.money.reversals import PAYOUTS, take_back, take_back_several
from tournament.refusals.money import (
    DEED_KEY_REUSED,
    NO_SUCH_CLAIM,
    PAYOUT_ABOVE_CLAIM,
    SIGNATURE_OF_REMOVED_PLAYER,
    SIGNATURE_UNREADABLE,
)
from tournament.runtime.errors import NotFound, Refused

STROKES = re.compile(r"(?:M\d{1,3} \d{1,3}(?:L\d{1,3} \d{1,3})*)+")


@dataclass(frozen=True, slots=True)
class NewPayout:
    """A payout to a player. `key` is chosen by the page, so that a repeated request records it once.

    `signature` is drawn on the screen: an SVG path of M and L with whole numbers; empty for a tick. `expected`: the
    claim that the page showed, in minor units; None accepts any. `open_currency`: the currency of the claim, if another
    one is paid. `above_till` confirms a payout of more cash than the till holds.
    """

    key: uuid.UUID
    amount: Amount
    method: AccountKind
    signature: str = ""
    expected: int | None = None
    open_currency: str = ""
    above_till: bool = True


def pay_out(event: Event, player_id: uuid.UUID, payout: NewPayout, actor: Actor) -> LedgerTransaction:
    """Records the payout from the till of the actor.

    Raises NotFound for a player of another event, Refused if the player may claim less than the amount or not what was
    shown, for more cash than the till holds if that is not confirmed, and for a key of another payout.
    """
    _refuse_unreadable(payout.signature)
    with lock_book(event.pk) as book:
        player = Player.objects.filter(pk=player_id, event=event).first()
        if player is None:
            raise NotFound
        if payout.signature and player.removed_at is not None:
            raise Refused(SIGNATURE_OF_REMOVED_PLAYER)
        refund = NewPayment(payout.key, -payout.amount, payout.method, payout.open_currency)
        deed = NewDeed(Deed.PAYOUT, f"payout {payout.key.hex}", [transfer_to_till(player_id, refund, actor)])
        recorded = _find_payout(book, deed, player_id)
        if recorded is not None:
            return recorded
        currency = payout.open_currency or payout.amount.currency
        owed = Amount(open_amounts(event.pk, [player_id]).get(player_id, {}).get(currency, 0), currency)
        lines, credited = transfers_of_payment(event, player_id, refund, owed, actor)
        if owed.minor >= 0 or payout.expected not in (None, -owed.minor):
            raise Refused(NO_SUCH_CLAIM)
        if not owed.minor <= credited.minor < 0:
            raise Refused(PAYOUT_ABOVE_CLAIM, amount=-owed)
        if not payout.above_till:
            refuse_above_till(event, payout.method, payout.amount, actor)
        deed = replace(deed, lines=lines)
        (row,) = record(book, [deed], _action(player_id, -credited, payout.method, payout.amount), actor)
        if payout.signature:
            PayoutSignature.objects.create(transaction=row, player_id=player_id, strokes=payout.signature)
    return row


def _find_payout(book: Book, deed: NewDeed, player_id: uuid.UUID) -> LedgerTransaction | None:
    row = find_recorded(book, [deed]).get(deed.key)
    if row is not None and players_of([row.pk])[row.pk] != player_id:
        raise Refused(DEED_KEY_REUSED)
    return row


def pay_out_all(
    event: Event, expected: OpenAmounts, method: AccountKind, actor: Actor, *, above_till: bool = True
) -> list[LedgerTransaction]:
    """Records that each of these players was paid all that they may claim. Players without a claim are left out.

    `above_till` confirms payouts of more cash than the till holds. Raises Refused without it, or if an open amount is
    not the one shown, NotFound for a player of another event.
    """
    with lock_book(event.pk) as book:
        refuse_changed_amounts(event, expected)
        claims = [
            (player_id, Amount(-minor, currency))
            for player_id, amounts in expected.items()
            for currency, minor in amounts.items()
            if minor < 0
        ]
        if not above_till:
            for amount in sum_by_currency(amount for _, amount in claims):
                refuse_above_till(event, method, amount, actor)
        deeds = [_deed(player_id, uuid.uuid4(), amount, method, actor) for player_id, amount in claims]
        return record(book, deeds, _action_of_all(claims, method), actor)


def undo_payout(event: Event, transaction_id: int, actor: Actor, reason: str = "") -> LedgerTransaction:
    """Reverses a payout. Raises as `take_back` does."""
    return take_back(event, PAYOUTS, transaction_id, actor, reason)


def undo_payouts(
    event: Event, transaction_ids: Sequence[int], actor: Actor, reason: str = ""
) -> list[LedgerTransaction]:
    """Reverses those of these payouts that are not reversed yet. Raises as `take_back_several` does."""
    return take_back_several(event, PAYOUTS, transaction_ids, actor, reason)


def _refuse_unreadable(signature: str) -> None:
    if signature and (len(signature) > LONGEST_SIGNATURE or not STROKES.fullmatch(signature)):
        raise Refused(SIGNATURE_UNREADABLE)


def _deed(player_id: uuid.UUID, key: uuid.UUID, amount: Amount, method: AccountKind, actor: Actor) -> NewDeed:
    till = till_account(method, amount.currency, actor)
    customer = player_account(player_id, amount.currency)
    return NewDeed(
        Deed.PAYOUT, f"payout {key.hex}", [TransferLine(method.value, till, customer, amount.minor)]
    )


def _action(
    player_id: uuid.UUID, amount: Amount, method: AccountKind, paid: Amount | None = None
) -> JournalEntry:
    after = {"amount": str(amount), "payment": method.value}
    if paid is not None and paid != amount:
        after["paid_amount"] = str(paid)
    return JournalEntry("pay out", "player", player_id, after=after)


def _action_of_all(claims: Sequence[tuple[uuid.UUID, Amount]], method: AccountKind) -> JournalEntry:
    """One line about one payout, or about all of them together."""
    if len(claims) == 1:
        return _action(*claims[0], method)
    sums = sum_by_currency(amount for _, amount in claims)
    after = {"amount": ", ".join(map(str, sums)), "players": len(claims), "payment": method.value}
    return JournalEntry("pay out", "event", "", after=after)
