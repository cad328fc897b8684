"""The books of an event: its transactions with their transfers, and its accounts with their balances. Reads only."""

from typing import Any

from django.db.models import Prefetch, QuerySet

from tournament.ledger.balances import balances_of
from tournament.ledger.labels import BookLabels
from tournament.models import AccountKind, Event, LedgerAccount, LedgerTransaction, Transfer

CHARGED_KINDS = (
    AccountKind.PLAYER,
    AccountKind.POT,
    AccountKind.REGISTRATION,
    AccountKind.FEDERATION,
    AccountKind.MEMBERSHIP,
    AccountKind.YEARLY_POT,
)
"""Accounts that exist once players are charged, before anybody pays."""


def transactions_of(event: Event) -> QuerySet[LedgerTransaction]:
    transfers = Prefetch("transfers", Transfer.objects.select_related("source").order_by("pk"))
    rows = LedgerTransaction.objects.filter(event=event).select_related("journal_line__user")
    return rows.prefetch_related(transfers)


def account_balances(event: Event) -> list[dict[str, Any]]:
    """Accounts by key; `minor` is debits minus credits."""
    accounts = LedgerAccount.objects.filter(event=event).select_related("player", "tournament").order_by("pk")
    balances = balances_of(LedgerAccount.objects.filter(event=event))
    labels = BookLabels(event.pk)
    return [
        {
            "key": account.pk,
            "kind": account.kind,
            "name": labels.of_account(account),
            "balance": {"minor": balances.get(account.pk, 0), "currency": account.currency},
        }
        for account in accounts
    ]


def has_payments(event: Event) -> bool:
    return LedgerAccount.objects.filter(event=event).exclude(kind__in=CHARGED_KINDS).exists()
