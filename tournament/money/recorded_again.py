"""Records deeds of one player again for another one: the deeds of the first are reversed."""

import uuid
from collections.abc import Collection, Mapping

from tournament.access.actors import Actor
from tournament.ledger.accounts import AccountName, name_of, player_account
from tournament.ledger.recording import Book, NewDeed, TransferLine, replace
from tournament.live.journal import JournalEntry
from tournament.models import Deed, LedgerTransaction, PayoutSignature
from tournament.money.bank_statement import following_key
from tournament.money.receipts import cancel_receipts


def record_again(
    book: Book,
    rows: Collection[LedgerTransaction],
    players: tuple[uuid.UUID, uuid.UUID],
    keys: Mapping[str, str],
    action: JournalEntry,
    actor: Actor,
) -> list[LedgerTransaction]:
    """Reverses those of these transactions that are not reversed, and records them for the second player.

    Receipts are cancelled, signatures copied. `keys`: new keys of payments by their old ones; a payment without one
    gets the key that follows its own.
    """
    former, player_id = players
    present = LedgerTransaction.objects.filter(
        pk__in=[row.pk for row in rows], reversed_by__isnull=True
    ).order_by("pk")
    moved = list(present.prefetch_related("transfers__source", "transfers__target"))
    deeds = [_deed_for(row, former, player_id, keys) for row in moved]
    recorded = replace(book, [row.pk for row in moved], deeds, action, actor)
    reversals, again = recorded[: len(moved)], recorded[len(moved) :]
    cancel_receipts(book, reversals, actor)
    new_rows = {row.pk: new_row for row, new_row in zip(moved, again, strict=True)}
    signatures = PayoutSignature.objects.filter(transaction__in=new_rows)
    PayoutSignature.objects.bulk_create(
        PayoutSignature(
            transaction=new_rows[signature.transaction_id], player_id=player_id, strokes=signature.strokes
        )
        for signature in signatures
    )
    return again


def _deed_for(
    row: LedgerTransaction, former: uuid.UUID, player_id: uuid.UUID, keys: Mapping[str, str]
) -> NewDeed:
    lines = [
        TransferLine(
            line.line,
            _with_player(name_of(line.source), former, player_id),
            _with_player(name_of(line.target), former, player_id),
            line.amount,
        )
        for line in row.transfers.all()
    ]
    return NewDeed(Deed(row.deed), _new_key(row, keys), lines, row.entry_id)


def _new_key(row: LedgerTransaction, keys: Mapping[str, str]) -> str:
    """A bank statement finds its payment by the key that follows one that was taken back."""
    kind, _, number = row.key.partition(" ")
    if kind != "payment":
        return f"merge {row.pk}"
    return keys.get(row.key) or f"payment {following_key(uuid.UUID(number)).hex}"


def _with_player(account: AccountName, former: uuid.UUID, player_id: uuid.UUID) -> AccountName:
    return player_account(player_id, account.currency) if account.player_id == former else account
