"""Compares the books of an event with its entries, its fees and its journal. Reads only.

A difference is a fault of the program or of its database, and never a mistake of a director.
"""

import uuid
from collections import Counter, defaultdict
from collections.abc import Iterator
from decimal import Decimal

from django.utils.translation import gettext as _

from tournament.fees.amounts import Amount, sum_by_currency
from tournament.fees.schedule import CALCUTTA_POT
from tournament.ledger.accounts import name_of
from tournament.ledger.charging import chargeable_entries, differences_of, prices_of
from tournament.ledger.unpaid_charges import unpaid_charges
from tournament.models import (
    AccountKind,
    Deed,
    Entry,
    Event,
    JournalLine,
    LedgerTransaction,
)
from tournament.queries.money.book_rows import BookRows, load_book_rows
from tournament.queries.money.deed_check import differences_of_deeds
from tournament.runtime.snapshot import consistent_read

SIGNS = {"charge": 1, "pay": -1, "refund": -1, "pay out": 1}
"""By verb of a journal line: the sign of its amount in the accounts of players."""

MOST_NAMES = 3
"""Players that a sentence names."""


@consistent_read()
def differences_in_books(event: Event) -> list[str]:
    """Sentences about differences, each with the name of an account."""
    book = load_book_rows(event)
    return [
        *_misplaced_rows(book),
        *_empty_transactions(book),
        *_sums(book),
        *_amounts_of_journal(book),
        *_reversals(book),
        *_dues(book),
        *_pots(book),
        *_marks(book),
        *differences_of_deeds(book),
    ]


def _misplaced_rows(book: BookRows) -> Iterator[str]:
    for account in book.accounts.values():
        has_lost_owner = account.kind in (AccountKind.PLAYER, AccountKind.POT) and not (
            account.player_id or account.tournament_id
        )
        if not has_lost_owner and account.pk != name_of(account).id_in(book.event.pk):
            yield _("{account}: its key {key} names another account.").format(
                account=book.labels.of_account(account), key=account.pk
            )
    for row in book.transfers:
        is_inside = row.source_id in book.accounts and row.target_id in book.accounts
        if not is_inside or row.transaction_id not in book.transactions:
            yield _("{account}: transfer {number} belongs to two events.").format(
                account=book.label(row.target_id), number=row.pk
            )


def _empty_transactions(book: BookRows) -> Iterator[str]:
    filled = {row.transaction_id for row in book.transfers}
    for row in book.transactions.values():
        if row.pk not in filled:
            yield _("Transaction {number} ({key}) has lost its transfers.").format(number=row.pk, key=row.key)


def _sums(book: BookRows) -> Iterator[str]:
    """Each currency of the event sums to zero."""
    sums: Counter[str] = Counter()
    for row in book.transfers:
        for account, sign in ((row.target_id, 1), (row.source_id, -1)):
            if account in book.accounts:
                sums[book.accounts[account].currency] += sign * row.amount
    for currency, minor in sums.items():
        if minor:
            yield _("All accounts in {currency} together have {amount}, not zero.").format(
                currency=currency, amount=Amount(minor, currency)
            )


def _amounts_of_journal(book: BookRows) -> Iterator[str]:
    """Charges and payments of players equal the amounts in the journal."""
    lines: dict[int, JournalLine] = {}
    moved: dict[int, Counter[str]] = defaultdict(Counter)
    players: dict[int, set[str]] = defaultdict(set)
    for row in book.transfers:
        transaction = book.transactions.get(row.transaction_id)
        if transaction is None or transaction.journal_line.verb not in SIGNS:
            continue
        line = transaction.journal_line
        lines[line.pk] = line
        for account, sign in ((row.target_id, 1), (row.source_id, -1)):
            if account in book.accounts and book.accounts[account].kind == AccountKind.PLAYER:
                moved[line.pk][book.accounts[account].currency] += SIGNS[line.verb] * sign * row.amount
                players[line.pk].add(account)
    for pk, line in lines.items():
        amounts = {str(Amount(minor, currency)) for currency, minor in moved[pk].items() if minor}
        recorded = _nonzero_amounts(str(line.after.get("amount", "")))
        if amounts != recorded:
            yield _("{account}: {recorded} in the journal, but {moved} in the book.").format(
                account=", ".join(book.label(account) for account in sorted(players[pk])[:MOST_NAMES]),
                recorded=", ".join(sorted(recorded)) or "0",
                moved=", ".join(sorted(amounts)) or "0",
            )


def _nonzero_amounts(text: str) -> set[str]:
    """The amounts of a text such as `12.50 EUR, 0.00 SEK`."""
    return {amount for amount in text.split(", ") if amount and Decimal(amount.split()[0])}


def _reversals(book: BookRows) -> Iterator[str]:
    """A reversal is the opposite of what it reverses."""
    moved: dict[int, Counter[tuple[str, str, str]]] = defaultdict(Counter)
    for row in book.transfers:
        moved[row.transaction_id][row.line, row.source_id, row.target_id] += row.amount
    for transaction in book.transactions.values():
        if transaction.reverses_id is None:
            continue
        opposite = {
            (line, source, target): minor
            for (line, target, source), minor in moved[transaction.reverses_id].items()
        }
        if opposite != moved[transaction.pk]:
            account = next((source for _line, source, _target in moved[transaction.pk]), "")
            yield _("{account}: transaction {number} is not the opposite of {reversed}.").format(
                account=book.label(account), number=transaction.pk, reversed=transaction.reverses_id
            )


def _dues(book: BookRows) -> Iterator[str]:
    """Every entry that takes part was charged by the fees of its tournament and of the event."""
    entries = list(chargeable_entries(book.event.pk).select_related("tournament"))
    for difference in differences_of(prices_of(book.event.pk), entries):
        for line in difference.lines:
            is_too_little = line.target.kind == AccountKind.PLAYER
            receiver = line.source if is_too_little else line.target
            sentence = (
                _("{account}: {player} is charged {amount} too little by the fees of {tournament}.")
                if is_too_little
                else _("{account}: {player} is charged {amount} too much by the fees of {tournament}.")
            )
            yield sentence.format(
                account=book.label(receiver.id_in(book.event.pk)),
                player=difference.entry.registered_name,
                amount=Amount(line.minor, receiver.currency),
                tournament=difference.entry.tournament.name,
            )


def _pots(book: BookRows) -> Iterator[str]:
    """Charges of entries go into pots of their own tournament, and removed entries have paid nothing.

    Buyers at an auction are no entries.
    """
    tournament_of = dict(Entry.objects.filter(player__event=book.event).values_list("pk", "tournament"))
    stray: Counter[str] = Counter()
    for row in book.transfers:
        transaction = book.transactions.get(row.transaction_id)
        if transaction is None or _recorded_deed(book, transaction) != Deed.CHARGE:
            continue
        for pk, sign in ((row.source_id, 1), (row.target_id, -1)):
            account = book.accounts.get(pk)
            if account is None or account.kind != AccountKind.POT or account.tournament_id is None:
                continue
            if account.name == CALCUTTA_POT:
                continue
            entry = transaction.entry_id
            if entry is None or tournament_of.get(entry) != account.tournament_id:
                stray[pk] += sign * row.amount
    for pk, minor in stray.items():
        if minor:
            yield _("{account}: {amount} comes from entries of no or another tournament.").format(
                account=book.label(pk), amount=Amount(minor, book.accounts[pk].currency)
            )


def _recorded_deed(book: BookRows, transaction: LedgerTransaction) -> str:
    """The deed of the transaction, or of the transaction that it reverses."""
    reversed_row = book.transactions.get(transaction.reverses_id or 0)
    return reversed_row.deed if reversed_row else transaction.deed


def _marks(book: BookRows) -> Iterator[str]:
    """An entry is marked as paid exactly while its charges are paid, in tournaments with fees."""
    entries = Entry.objects.filter(tournament__event=book.event).exclude(tournament__fees={})
    entries = entries.filter(tournament__deleted_at__isnull=True).select_related("player", "tournament")
    unpaid: dict[uuid.UUID | None, list[Amount]] = defaultdict(list)
    for row in unpaid_charges(book.event.pk, {entry.player_id for entry in entries}):
        unpaid[row.entry].append(Amount(row.minor, row.currency))
    for entry in entries:
        debts = sum_by_currency(unpaid[entry.pk])
        if entry.is_paid == bool(debts):
            sentence = (
                _("{player} owes {amount}, but the entry in {tournament} is marked as paid.")
                if entry.is_paid
                else _("{player} has paid, but the entry in {tournament} is marked as not paid.")
            )
            yield sentence.format(
                player=entry.registered_name,
                amount=", ".join(map(str, debts)),
                tournament=entry.tournament.name,
            )
