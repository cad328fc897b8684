"""Records deeds in the book of an event, and reverses them. All transactions and transfers are written here."""

import uuid
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from tournament.access.actors import Actor
from tournament.ledger.accounts import AccountName, create_accounts
from tournament.live import channels, journal
from tournament.live.journal import JournalEntry
from tournament.models import Deed, Event, JournalLine, LedgerTransaction, Transfer
from tournament.refusals.money import DEED_KEY_REUSED, REVERSED_ALREADY
from tournament.runtime import publish
from tournament.runtime.errors import Refused
from tournament.runtime.event_lock import lock_event


@dataclass(frozen=True, slots=True)
class TransferLine:
    """`minor` units from one account to another. `line` is unique in its deed."""

    line: str
    source: AccountName
    target: AccountName
    minor: int


@dataclass(frozen=True, slots=True)
class NewDeed:
    """The transfers of one deed. `key` names the deed within the event. `entry_id` is the entry that is charged."""

    deed: Deed
    key: str
    lines: Sequence[TransferLine]
    entry_id: uuid.UUID | None = None


@dataclass(frozen=True, slots=True)
class Book:
    """The locked book of an event."""

    event: Event


@contextmanager
def lock_book(event_id: uuid.UUID) -> Iterator[Book]:
    """Opens a transaction and takes the lock on the event, and so on its book. Raises Event.DoesNotExist.

    A deed that also needs the lock on a tournament takes that first.
    """
    with transaction.atomic():
        yield Book(lock_event(event_id))


def find_recorded(book: Book, deeds: Sequence[NewDeed]) -> dict[str, LedgerTransaction]:
    """Returns the transactions of deeds that are recorded already, by key.

    Raises Refused if a key names another deed: a transfer differs or is missing, or the transaction is reversed.
    """
    rows = LedgerTransaction.objects.filter(event=book.event, key__in=[deed.key for deed in deeds])
    present = {row.key: row for row in rows.select_related("reversed_by").prefetch_related("transfers")}
    for deed in deeds:
        row = present.get(deed.key)
        if row is None:
            continue
        recorded = {
            (moved.line, moved.source_id, moved.target_id, moved.amount) for moved in row.transfers.all()
        }
        wanted = {
            (moved.line, moved.source.id_in(book.event.pk), moved.target.id_in(book.event.pk), moved.minor)
            for moved in deed.lines
            if moved.minor
        }
        if row.deed != deed.deed or wanted - recorded or hasattr(row, "reversed_by"):
            raise Refused(DEED_KEY_REUSED)
    return present


def record(
    book: Book, deeds: Sequence[NewDeed], action: JournalEntry | Sequence[JournalEntry], actor: Actor
) -> list[LedgerTransaction]:
    """Records each deed whose key is new; returns the transactions of the deeds. `find_recorded` says what it refuses.

    `action` is one journal line for all, or one for each deed. Transfers of 0 are left out, and so are deeds without
    a transfer.
    """
    present = find_recorded(book, deeds)
    new = [
        index
        for index, deed in enumerate(deeds)
        if deed.key not in present and any(line.minor for line in deed.lines)
    ]
    if new:
        actions = action if isinstance(action, JournalEntry) else [action[index] for index in new]
        lines = _write_journal(book, actions, len(new), actor)
        rows = _write(book, [deeds[index] for index in new], lines)
        present |= {row.key: row for row in rows}
    return [present[deed.key] for deed in deeds if deed.key in present]


def reverse(
    book: Book,
    reversed_ids: Sequence[int],
    action: JournalEntry | Sequence[JournalEntry],
    actor: Actor,
) -> list[LedgerTransaction]:
    """Records the opposite of each transfer of these transactions; returns the reversals by ascending ids of those.

    `action` is one journal line for all, or one for each transaction. Raises Refused if one is reversed already.
    """
    if LedgerTransaction.objects.filter(reverses__in=reversed_ids).exists():
        raise Refused(REVERSED_ALREADY)
    lines = _write_journal(book, action, len(reversed_ids), actor)
    return _reverse_rows(book, dict(zip(reversed_ids, lines, strict=True)))


def replace(
    book: Book, reversed_ids: Collection[int], deeds: Sequence[NewDeed], action: JournalEntry, actor: Actor
) -> list[LedgerTransaction]:
    """Reverses these transactions and records the deeds, with one journal line for all; without any writes nothing.

    Raises IntegrityError if a transaction is reversed already, or a key is not new.
    """
    if not reversed_ids and not deeds:
        return []
    (line,) = _write_journal(book, action, 1, actor)
    reversals = _reverse_rows(book, dict.fromkeys(reversed_ids, line))
    return [*reversals, *_write(book, deeds, [line] * len(deeds))]


def _write_journal(
    book: Book, action: JournalEntry | Sequence[JournalEntry], count: int, actor: Actor
) -> list[JournalLine]:
    """The journal line of each of so many transactions."""
    if isinstance(action, JournalEntry):
        return journal.write_many(book.event, actor, [action]) * count
    return journal.write_many(book.event, actor, action)


def _reverse_rows(book: Book, lines: Mapping[int, JournalLine]) -> list[LedgerTransaction]:
    """Reverses the transactions with these ids, each with its journal line."""
    rows = LedgerTransaction.objects.filter(event=book.event, pk__in=lines)
    now = timezone.now()
    reversals = LedgerTransaction.objects.bulk_create(
        LedgerTransaction(
            event=book.event,
            key=f"reverse {row.pk}",
            deed=Deed.REVERSAL,
            at=now,
            journal_line=lines[row.pk],
            entry_id=row.entry_id,
            reverses=row,
        )
        for row in rows.order_by("pk")
    )
    by_reversed = {reversal.reverses_id: reversal for reversal in reversals}
    transfers = Transfer.objects.filter(transaction__in=by_reversed).select_related("source", "target")
    _publish_money(row.player_id for transfer in transfers for row in (transfer.source, transfer.target))
    Transfer.objects.bulk_create(
        Transfer(
            transaction=by_reversed[transfer.transaction_id],
            line=transfer.line,
            source_id=transfer.target_id,
            target_id=transfer.source_id,
            amount=transfer.amount,
        )
        for transfer in transfers
    )
    return reversals


def _write(
    book: Book, deeds: Sequence[NewDeed], journal_lines: Sequence[JournalLine]
) -> list[LedgerTransaction]:
    event_id, now = book.event.pk, timezone.now()
    names = [
        name for deed in deeds for moved in deed.lines if moved.minor for name in (moved.source, moved.target)
    ]
    create_accounts(event_id, names)
    _publish_money(name.player_id for name in names)
    rows = LedgerTransaction.objects.bulk_create(
        LedgerTransaction(
            event_id=event_id,
            key=deed.key,
            deed=deed.deed,
            at=now,
            journal_line=line,
            entry_id=deed.entry_id,
        )
        for deed, line in zip(deeds, journal_lines, strict=True)
    )
    Transfer.objects.bulk_create(
        Transfer(
            transaction=row,
            line=moved.line,
            source_id=moved.source.id_in(event_id),
            target_id=moved.target.id_in(event_id),
            amount=moved.minor,
        )
        for deed, row in zip(deeds, rows, strict=True)
        for moved in deed.lines
        if moved.minor
    )
    return rows


def _publish_money(player_ids: Iterable[uuid.UUID | None]) -> None:
    """After the commit, publishes to each of these players alone that their money changed."""
    changed = {channels.private_channel(player_id): 0 for player_id in player_ids if player_id}
    transaction.on_commit(lambda: publish.publish_changes(changed), robust=True)
