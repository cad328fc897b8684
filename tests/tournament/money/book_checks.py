"""Statements that are true of the books after every deed."""

from collections import Counter

from tournament.fees.schedule import CALCUTTA_POT
from tournament.ledger.balances import balances_of, open_amounts
from tournament.models import (
    PAYMENT_METHODS,
    AccountKind,
    Calcutta,
    CashClosing,
    Deed,
    Entry,
    Event,
    JournalLine,
    LedgerAccount,
    LedgerTransaction,
    Receipt,
    ReceiptCounter,
    Tournament,
    Transfer,
)
from tournament.money.award_stamps import stamps_of
from tournament.money.calcutta_awards import owner_changes
from tournament.money.due_awards import is_awarded
from tournament.money.pots import paid_into_pots
from tournament.money.receipts import missing_numbers
from tournament.queries.money.cash_desk import cash_desk_list
from tournament.queries.money.payouts import payout_list
from tournament.queries.money.prize_steps import prize_steps
from tournament.queries.money.tills import list_tills

INCOME = {"registration", "federation", "membership", "yearly_pot", "pot"}
TOUCHED = {
    Deed.CHARGE: {"player", *INCOME},
    Deed.PAYMENT: {"player", "exchange", "rounding", *PAYMENT_METHODS},
    Deed.REFUND: {"player", "exchange", "rounding", *PAYMENT_METHODS},
    Deed.PRIZE: {"player", "pot"},
    Deed.PAYOUT: {"player", "exchange", "rounding", *PAYMENT_METHODS},
    Deed.ADDED_MONEY: {"pot", "registration", "yearly_pot"},
    Deed.CLOSING: {"cash", "over_short"},
    Deed.HANDOVER: {"cash"},
    Deed.OWN_CASH: {"cash", "own_money"},
}
"""The kinds of accounts that a deed, or its reversal, may move money between."""
VERBS = ("pay", "refund", "take payment back", "charge", "pay out", "take payout back", "close till")


def rows_of_books(event: Event) -> tuple[int, int, int, int, int]:
    """What a repeated, refused or killed request leaves as it is."""
    return (
        LedgerTransaction.objects.filter(event=event).count(),
        Transfer.objects.filter(transaction__event=event).count(),
        JournalLine.objects.filter(event=event, verb__in=VERBS).count(),
        Entry.objects.filter(tournament__event=event, is_paid=True).count(),
        Receipt.objects.filter(transaction__event=event).count(),
    )


def written_rows(event: Event) -> list[list[tuple[object, ...]]]:
    """The rows that never change, in the order in which they were written."""
    fields = ("pk", "event", "key", "deed", "at", "journal_line", "reverses")
    receipts = ("pk", "year", "number", "transaction", "cancels", "amount", "currency", "issued_at")
    closings = ("pk", "account", "last_transfer", "expected", "counted", "signed_by", "difference")
    moved = ("pk", "transaction", "line", "source", "target", "amount")
    return [
        list(LedgerTransaction.objects.filter(event=event).order_by("pk").values_list(*fields)),
        list(Transfer.objects.filter(transaction__event=event).order_by("pk").values_list(*moved)),
        list(
            Receipt.objects.filter(transaction__event=event).order_by("year", "number").values_list(*receipts)
        ),
        list(CashClosing.objects.filter(event=event).order_by("pk").values_list(*closings)),
    ]


def check_balances(event: Event) -> None:
    """Each currency sums to zero, and the sums that pages show are those of the transfers."""
    balances: Counter[str] = Counter()
    rows = Transfer.objects.filter(transaction__event=event)
    for amount, source, target in rows.values_list("amount", "source", "target"):
        balances[source] -= amount
        balances[target] += amount
    currencies: Counter[str] = Counter()
    for account, minor in balances.items():
        currencies[account[:3]] += minor
    assert set(currencies.values()) <= {0}
    accounts = LedgerAccount.objects.filter(event=event)
    assert balances_of(accounts) == dict(balances)
    players = {row.pk: row for row in accounts if row.kind == AccountKind.PLAYER}
    owed = {(row.player_id, row.currency): balances[pk] for pk, row in players.items() if balances[pk]}
    assert all(player for player, _currency in owed), "This money is nobody's."
    shown = open_amounts(event.pk, [pk for pk, _currency in owed if pk])
    assert owed == {(pk, currency): minor for pk, rows in shown.items() for currency, minor in rows.items()}


def check_pages(event: Event) -> None:
    """The desk, the payouts and the tills show what the books say."""
    owed = open_amounts(event.pk, list(event.players.values_list("pk", flat=True)))
    lines = [*cash_desk_list(event), *payouts_of(event)]
    for line in lines:
        assert {amount.currency: amount.minor for amount in line.open_amounts} == owed.get(line.player.pk, {})
    boxes = balances_of(LedgerAccount.objects.filter(event=event, kind=AccountKind.CASH))
    listed = {(till.name, till.currency): till.balance.minor for till in list_tills(event)}
    assert Counter(listed.values()) == Counter(boxes.values())


def payouts_of(event: Event):
    listed = payout_list(event)
    return [*listed.to_pay, *listed.owing, *listed.paid]


def check_deeds(event: Event) -> None:
    """Every deed moves money between its own kinds of accounts, and has a line in the journal of the event."""
    deeds = LedgerTransaction.objects.filter(event=event)
    assert not deeds.exclude(journal_line__event=event).exists()
    assert not deeds.filter(transfers__isnull=True).exists()
    rows = Transfer.objects.filter(transaction__event=event).values_list(
        "transaction__deed", "transaction__reverses__deed", "source__kind", "target__kind"
    )
    for deed, reversed_deed, source, target in rows.distinct():
        assert {source, target} <= TOUCHED[Deed(reversed_deed or deed)], (deed, source, target)


def check_pots(event: Event) -> None:
    """A pot holds what was charged for it and added to it, less the prizes, and never pays more than it has."""
    for tournament in Tournament.with_deleted.filter(event=event):
        rows = LedgerAccount.objects.filter(tournament=tournament, kind=AccountKind.POT)
        balances = balances_of(rows)
        sums: Counter[tuple[str, str]] = Counter()
        moved = Transfer.objects.filter(transaction__event=event).values_list(
            "transaction__deed", "transaction__reverses__deed", "source", "target", "amount"
        )
        for deed, reversed_deed, source, target, amount in moved:
            sums[reversed_deed or deed, source] += amount
            sums[reversed_deed or deed, target] -= amount
        for account in rows:
            charged = sums[Deed.CHARGE, account.pk]
            added, prizes = sums[Deed.ADDED_MONEY, account.pk], -sums[Deed.PRIZE, account.pk]
            assert -balances.get(account.pk, 0) == charged + added - prizes
            assert charged >= 0
            if account.name != CALCUTTA_POT:
                assert paid_into_pots(tournament, account.currency).get(account.name, 0) == charged
        check_awards(
            tournament, {row.pk: balances.get(row.pk, 0) for row in rows if row.name != CALCUTTA_POT}
        )
        check_auction(tournament)


def check_awards(tournament: Tournament, balances: dict[str, int]) -> None:
    """While the desk is not asked to post changes, no pot has paid more than it got."""
    if is_awarded(tournament) and all(step.is_auction for step in prize_steps([tournament])):
        assert all(minor <= 0 for minor in balances.values()), balances


def check_auction(tournament: Tournament) -> None:
    calcutta = Calcutta.objects.filter(tournament=tournament).first()
    if calcutta is not None:
        pot = LedgerAccount.objects.filter(tournament=tournament, name=CALCUTTA_POT)
        assert sum(balances_of(pot).values()) <= 0
        if calcutta.awards_stamp == stamps_of([tournament])[tournament.pk]:
            assert owner_changes(tournament, calcutta) == []


def check_receipts(event: Event) -> None:
    for counter in ReceiptCounter.objects.all():
        assert missing_numbers(counter.year) == []
    for receipt in Receipt.objects.filter(transaction__event=event):
        assert (
            sum(line[2] for line in receipt.lines) == receipt.amount
            or receipt.transaction.transfers.count() > 1
        )
