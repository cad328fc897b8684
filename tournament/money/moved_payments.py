"""Moves a payment to another player of the event, if it was recorded for the wrong person."""

import uuid

from tournament.access.actors import Actor
from tournament.ledger.accounts import players_of
from tournament.ledger.paid_marks import mark_paid_entries
from tournament.ledger.recording import lock_book
from tournament.live.journal import JournalEntry
from tournament.models import AccountKind, Event, LedgerTransaction, Player
from tournament.money.advance_payments import moved_keys_of_event
from tournament.money.recorded_again import record_again
from tournament.money.reversals import PAYMENTS, find_transactions
from tournament.refusals.entries import PLAYER_REMOVED
from tournament.refusals.money import PAYMENT_EXCHANGED, PAYMENT_IS_THEIRS, PLAYER_IS_GONE, REVERSED_ALREADY
from tournament.runtime.errors import NotFound, Refused


def move_payment(
    event: Event, transaction_id: int, player_id: uuid.UUID, actor: Actor, reason: str = ""
) -> LedgerTransaction:
    """Reverses a payment or refund and records it for the other player, in the same till. Its receipt is cancelled.

    A list that named it for the former player finds it as a payment of the other one.

    Raises NotFound for any other transaction and for a player of another event, and Refused if it is reversed already,
    was exchanged, or if one of the players was removed.
    """
    with lock_book(event.pk) as book:
        (row,) = find_transactions(event, PAYMENTS, [transaction_id])
        former = players_of([row.pk])[row.pk]
        players = Player.objects.filter(event=event).in_bulk([former, player_id])
        _refuse_move(row, players.get(former), players.get(player_id))
        action = JournalEntry(
            "move payment",
            "player",
            player_id,
            before={"player": str(former)},
            after={**(row.journal_line.after or {}), "player": str(player_id)},
            reason=reason.strip(),
        )
        currencies = row.transfers.values_list("source__currency", flat=True)
        keys = moved_keys_of_event(event, former, player_id, set(currencies), row.key)
        (moved,) = record_again(book, [row], (former, player_id), keys, action, actor)
        mark_paid_entries(book, [former, player_id])
    return moved


def _refuse_move(row: LedgerTransaction, former: Player | None, player: Player | None) -> None:
    if player is None:
        raise NotFound
    if hasattr(row, "reversed_by"):
        raise Refused(REVERSED_ALREADY)
    if former is None:
        raise Refused(PLAYER_IS_GONE)
    if player == former:
        raise Refused(PAYMENT_IS_THEIRS, name=former.registered_name)
    if player.removed_at:
        raise Refused(PLAYER_REMOVED)
    kinds = row.transfers.values_list("source__kind", "target__kind")
    if any(AccountKind.EXCHANGE in pair for pair in kinds):
        raise Refused(PAYMENT_EXCHANGED, name=former.registered_name)
