"""Takes payments, refunds and payouts back: reverses them, and cancels their receipts."""

import uuid
from collections.abc import Collection, Sequence

from django.db.models import BigIntegerField, Q

from tournament.access.actors import Actor
from tournament.fees.amounts import Amount
from tournament.ledger.accounts import owner_of
from tournament.ledger.paid_marks import mark_paid_entries
from tournament.ledger.recording import Book, lock_book, reverse
from tournament.live.journal import JournalEntry
from tournament.models import (
    AccountKind,
    Deed,
    Event,
    LedgerTransaction,
    PayoutSignature,
    Player,
    Transfer,
)
from tournament.money.receipts import cancel_receipts
from tournament.refusals.money import PLAYER_IS_GONE, REVERSED_ALREADY
from tournament.runtime.errors import NotFound, Refused

PAYMENTS = (Deed.PAYMENT, Deed.REFUND)
PAYOUTS = (Deed.PAYOUT,)


def take_back(
    event: Event, deeds: Collection[Deed], transaction_id: int, actor: Actor, reason: str
) -> LedgerTransaction:
    """Reverses one of these deeds; a payout loses its signature.

    Raises NotFound for any other transaction, Refused if it is reversed already or its player was removed.
    """
    with lock_book(event.pk) as book:
        rows = find_transactions(event, deeds, [transaction_id])
        (reversal,) = _take_back(book, rows, actor, reason)
    return reversal


def take_back_several(
    event: Event, deeds: Collection[Deed], transaction_ids: Collection[int], actor: Actor, reason: str
) -> list[LedgerTransaction]:
    """Reverses those of these deeds that are not reversed yet. Raises as `take_back` does.

    Raises Refused if all of them are reversed already.
    """
    with lock_book(event.pk) as book:
        rows = find_transactions(event, deeds, transaction_ids)
        remaining = [row for row in rows if not hasattr(row, "reversed_by")]
        if not remaining:
            raise Refused(REVERSED_ALREADY)
        return _take_back(book, remaining, actor, reason)


def find_transactions(
    event: Event, deeds: Collection[Deed], transaction_ids: Collection[int]
) -> list[LedgerTransaction]:
    """Returns the transactions with their reversals. Raises NotFound if one of these ids names no such deed."""
    if any(pk > BigIntegerField.MAX_BIGINT for pk in transaction_ids):
        raise NotFound
    rows = LedgerTransaction.objects.filter(event=event, deed__in=deeds, pk__in=transaction_ids)
    transactions = list(rows.select_related("journal_line", "reversed_by").order_by("pk"))
    if len(transactions) != len(set(transaction_ids)):
        raise NotFound
    return transactions


def _take_back(
    book: Book, rows: Sequence[LedgerTransaction], actor: Actor, reason: str
) -> list[LedgerTransaction]:
    changes = _changes_of_players(rows)
    players = {player_id for player_id, _amount in changes.values()}
    if Player.objects.filter(pk__in=players, event=book.event).count() != len(players):
        raise Refused(PLAYER_IS_GONE)
    actions = [_action(row, *changes[row.pk], reason.strip()) for row in rows]
    reversals = reverse(book, [row.pk for row in rows], actions, actor)
    PayoutSignature.objects.filter(transaction__in=rows).delete()
    mark_paid_entries(book, players)
    cancel_receipts(book, reversals, actor)
    return reversals


def _changes_of_players(rows: Sequence[LedgerTransaction]) -> dict[int, tuple[uuid.UUID, Amount]]:
    """The player of each transaction, and the amount by which it changes a debt or a claim."""
    is_player = Q(source__kind=AccountKind.PLAYER) | Q(target__kind=AccountKind.PLAYER)
    values = Transfer.objects.filter(is_player, transaction__in=rows).values_list(
        "transaction", "source__kind", "source", "target", "amount", "source__currency"
    )
    return {
        pk: (owner_of(source if kind == AccountKind.PLAYER else target), Amount(minor, currency))
        for pk, kind, source, target, minor, currency in values.order_by()
    }


def _action(row: LedgerTransaction, player_id: uuid.UUID, amount: Amount, reason: str) -> JournalEntry:
    """The line of a payout may be about several of them, so it does not name the amount of this one."""
    if row.deed in PAYOUTS:
        verb, before = "take payout back", {"amount": str(amount)}
    else:
        verb, before = "take payment back", row.journal_line.after
    return JournalEntry(verb, "player", player_id, before=before, reason=reason)
