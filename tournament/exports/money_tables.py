"""Builds the exported tables of an event's money: transfers, accounts, players, and the year of its organizer.

`player_statements` builds the one with each charge and payment of each player.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from tournament.exports.export_tables import Cell, Column, Table
from tournament.exports.player_statements import RELATED, names_of_transfer, statements_table
from tournament.fees.amounts import Amount
from tournament.ledger.accounts import methods_of
from tournament.ledger.labels import BookLabels
from tournament.models import AccountKind, Deed, Event, LedgerAccount, Transfer
from tournament.queries.money.player_statement import names_in
from tournament.queries.money.tills import holders

CHARGED, PAID, WON, PAID_OUT = range(4)
COLUMN_OF_DEED = {
    Deed.CHARGE: CHARGED,
    Deed.PAYMENT: PAID,
    Deed.REFUND: PAID,
    Deed.PRIZE: WON,
    Deed.PAYOUT: PAID_OUT,
}
"""Every other deed counts as charged, so that the columns of a player add up."""


def transfers_table(event: Event) -> Table:
    """Every transfer in the order of the book. People read the time of the event, programs UTC."""
    zone = ZoneInfo(event.time_zone)
    columns = (
        Column("transaction", _("Number")),
        Column("at"),
        Column(heading=_("Time ({zone})").format(zone=zone.key)),
        Column("deed"),
        Column(heading=_("Type")),
        Column("line"),
        Column(heading=_("Line")),
        Column("credited", _("Credited account")),
        Column("debited", _("Debited account")),
        Column("amount", _("Amount")),
        Column("currency", _("Currency")),
        Column("reverses", _("Reverses")),
        Column("by", _("By")),
        Column("reason", _("Reason")),
    )
    rows = Transfer.objects.filter(transaction__event=event).order_by("transaction_id", "pk")
    transfers = list(rows.select_related(*RELATED))
    tills, labels = holders(event), BookLabels(event.pk)
    names, methods = names_in(event.pk, transfers), methods_of(rows)
    cells = [
        _transfer_cells(row, zone, names_of_transfer(row, names, methods)[1], tills, labels)
        for row in transfers
    ]
    return Table(_("Transfers"), columns, tuple(cells))


def _label(account: LedgerAccount, tills: Mapping[str, str], labels: BookLabels) -> str:
    """The name of the account; a till has the name of its holder."""
    return tills.get(account.name, "") if account.kind == AccountKind.CASH else labels.of_account(account)


def _transfer_cells(
    row: Transfer, zone: ZoneInfo, line_label: str, tills: Mapping[str, str], labels: BookLabels
) -> Sequence[Cell]:
    transaction, currency = row.transaction, row.source.currency
    journal_line = transaction.journal_line
    return (
        transaction.pk, transaction.at, transaction.at.astimezone(zone).replace(tzinfo=None), transaction.deed,
        str(Deed(transaction.deed).label), row.line, line_label,
        _label(row.source, tills, labels), _label(row.target, tills, labels),
        Amount(row.amount, currency).decimal, currency, transaction.reverses_id,
        journal_line.user.get_username() if journal_line.user else "", journal_line.reason,
    )  # fmt: skip


def accounts_table(event: Event) -> Table:
    """The statement of the event: what each account received and gave."""
    return Table(_("Accounts"), _account_columns(), tuple(_account_rows(event)))


def year_table(events: Sequence[Event]) -> Table:
    """The statements of events one after the other."""
    columns = (Column("event", _("Event")), Column("day", _("Date")), *_account_columns())
    rows = tuple(
        (event.name, event.starts_on.isoformat(), *cells)
        for event in events
        for cells in _account_rows(event)
    )
    return Table(_("Year"), columns, rows)


def _account_columns() -> tuple[Column, ...]:
    return (
        Column("kind"),
        Column(heading=_("Kind")),
        Column("account", _("Account")),
        Column("debits", _("Debits")),
        Column("credits", _("Credits")),
        Column("balance", _("Balance")),
        Column("currency", _("Currency")),
    )


def _account_rows(event: Event) -> Iterator[Sequence[Cell]]:
    sums: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    rows = Transfer.objects.filter(transaction__event=event)
    for source, target, minor in rows.values_list("source", "target", "amount"):
        sums[target][0] += minor
        sums[source][1] += minor
    order = [kind.value for kind in AccountKind]
    accounts = LedgerAccount.objects.filter(event=event).select_related("player", "tournament")
    names = holders(event), BookLabels(event.pk)
    labelled = [(order.index(row.kind), _label(row, *names), row.currency, row) for row in accounts]
    for _position, label, currency, account in sorted(labelled, key=lambda row: row[:3]):
        received, given = sums[account.pk]
        amounts = [Amount(minor, currency).decimal for minor in (received, given, received - given)]
        yield (account.kind, str(AccountKind(account.kind).label), label, *amounts, currency)


def players_table(event: Event) -> Table:
    """One line for each player: charged, paid, won and paid out; a negative rest is a claim of the player."""
    columns = (
        Column("player", _("Player")),
        Column("charged", _("Charged")),
        Column("paid", _("Paid")),
        Column("won", _("Prizes")),
        Column("paid_out", _("Paid out")),
        Column("open", _("Open")),
        Column("currency", _("Currency")),
    )
    return Table(_("Players"), columns, tuple(_player_rows(event)))


def _player_rows(event: Event) -> Iterator[Sequence[Cell]]:
    accounts = LedgerAccount.objects.filter(event=event, kind=AccountKind.PLAYER).select_related("player")
    labels = BookLabels(event.pk)
    labelled = {row.pk: (labels.of_account(row), row.currency) for row in accounts}
    sums: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    rows = Transfer.objects.filter(transaction__event=event)
    values = ("source", "target", "amount", "transaction__deed", "transaction__reverses__deed")
    for source, target, minor, deed, reversed_deed in rows.values_list(*values):
        column = COLUMN_OF_DEED.get(Deed(reversed_deed or deed), CHARGED)
        for account, sign in ((target, 1), (source, -1)):
            if account in labelled:
                sums[account][column] += sign * minor
    for pk, (label, currency) in sorted(labelled.items(), key=lambda row: row[1]):
        charged, paid, won, paid_out = sums[pk]
        minors = (charged, -paid, -won, paid_out, charged + paid + won + paid_out)
        yield (label, *(Amount(minor, currency).decimal for minor in minors), currency)


MONEY_TABLES: dict[str, Callable[[Event], Table]] = {
    "transfers": transfers_table,
    "accounts": accounts_table,
    "players": players_table,
    "statements": statements_table,
}
