"""Loads all rows of an event's books into memory. Reads only."""

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property

from django.db.models import Q

from tournament.ledger.labels import BookLabels
from tournament.models import Event, LedgerAccount, LedgerTransaction, Transfer


@dataclass(frozen=True)
class BookRows:
    """All rows of an event's books. Accounts are loaded with their players and tournaments."""

    event: Event
    accounts: dict[str, LedgerAccount]
    transactions: dict[int, LedgerTransaction]
    transfers: list[Transfer]

    @cached_property
    def labels(self) -> BookLabels:
        return BookLabels(self.event.pk)

    def label(self, account_id: str) -> str:
        account = self.accounts.get(account_id)
        return self.labels.of_account(account) if account else account_id

    @cached_property
    def transfers_of(self) -> dict[int, list[Transfer]]:
        """Transfers by transaction."""
        rows: dict[int, list[Transfer]] = defaultdict(list)
        for row in self.transfers:
            rows[row.transaction_id].append(row)
        return rows

    @cached_property
    def reversed_ids(self) -> set[int]:
        return {row.reverses_id for row in self.transactions.values() if row.reverses_id is not None}

    def current_transactions(self, deed: str, prefix: str = "") -> list[LedgerTransaction]:
        """The transactions of this deed that were not reversed, with keys that begin like this."""
        return [
            row
            for row in self.transactions.values()
            if row.deed == deed and row.pk not in self.reversed_ids and row.key.startswith(prefix)
        ]


def load_book_rows(event: Event) -> BookRows:
    accounts = LedgerAccount.objects.filter(event=event).select_related("player", "tournament")
    transactions = LedgerTransaction.objects.filter(event=event).select_related("journal_line")
    transfers = Transfer.objects.filter(
        Q(transaction__event=event) | Q(source__event=event) | Q(target__event=event)
    )
    return BookRows(
        event, {row.pk: row for row in accounts}, {row.pk: row for row in transactions}, list(transfers)
    )
