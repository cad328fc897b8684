"""Builds the exported statements of players: each charge, payment, prize and payout with the balance after it."""

import uuid
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from zoneinfo import ZoneInfo

from django.db.models import Q
from django.utils.translation import gettext as _

from tournament.exports.export_tables import Cell, Column, Table
from tournament.fees.amounts import Amount
from tournament.ledger.accounts import methods_of
from tournament.ledger.labels import METHOD_LABELS, BookLabels
from tournament.models import PAYMENT_METHODS, AccountKind, Deed, Event, LedgerAccount, Transfer
from tournament.queries.money.player_statement import Names, charge_names_of, deed_of, names_in, prize_name

RELATED = (
    "transaction__journal_line__user",
    "transaction__entry__tournament",
    "transaction__reverses__entry__tournament",
    "source__player",
    "source__tournament",
    "target__player",
    "target__tournament",
)


def statements_table(event: Event) -> Table:
    """All transfers of players, player by player. A positive amount raises what the player owes."""
    zone = ZoneInfo(event.time_zone)
    columns = (
        Column("player", _("Player")),
        Column("transaction", _("Number")),
        Column("at"),
        Column(heading=_("Time ({zone})").format(zone=zone.key)),
        Column("deed"),
        Column(heading=_("Type")),
        Column("tournament", _("Tournament")),
        Column("line", _("Line")),
        Column("amount", _("Amount")),
        Column("open", _("Open")),
        Column("currency", _("Currency")),
        Column("handed_over", _("Handed over")),
        Column("handed_over_currency", _("Currency handed over")),
        Column("reverses", _("Reverses")),
        Column("by", _("By")),
        Column("reason", _("Reason")),
    )
    return Table(_("Statements of players"), columns, tuple(_rows(event, zone)))


def _rows(event: Event, zone: ZoneInfo) -> Iterator[Sequence[Cell]]:
    of_players = Q(source__kind=AccountKind.PLAYER) | Q(target__kind=AccountKind.PLAYER)
    rows = list(
        Transfer.objects.filter(of_players, transaction__event=event).select_related(*RELATED).order_by("pk")
    )
    handed_over = _handed_over(event)
    methods = methods_of(Transfer.objects.filter(transaction__event=event))
    names, labels = names_in(event.pk, rows), BookLabels(event.pk)
    accounts: dict[LedgerAccount, list[tuple[Transfer, int]]] = defaultdict(list)
    for row in rows:
        for account, minor in ((row.target, row.amount), (row.source, -row.amount)):
            if account.kind == AccountKind.PLAYER:
                accounts[account].append((row, minor))
    labelled = {account: labels.of_account(account) for account in accounts}
    for account in sorted(accounts, key=lambda account: (labelled[account], account.pk)):
        balance: Counter[str] = Counter()
        for row, minor in accounts[account]:
            balance[account.currency] += minor
            amounts = Amount(minor, account.currency), Amount(balance[account.currency], account.currency)
            words = names_of_transfer(row, names, methods, account.player_id)
            exchanged = handed_over.get(row.transaction_id)
            yield labelled[account], *_cells(row, zone, words, amounts, exchanged)


def _handed_over(event: Event) -> dict[int, Amount]:
    """What came into the till for payments and payouts in another currency, with the sign of the statement.

    By transaction: negative for money from the player.
    """
    of_event = Transfer.objects.filter(transaction__event=event)
    related = ("source", "target")
    received = of_event.filter(source__kind=AccountKind.EXCHANGE, target__kind__in=PAYMENT_METHODS)
    given = of_event.filter(target__kind=AccountKind.EXCHANGE, source__kind__in=PAYMENT_METHODS)
    return {
        row.transaction_id: Amount(sign * row.amount, row.source.currency)
        for sign, rows in ((-1, received), (1, given))
        for row in rows.select_related(*related)
    }


def _cells(
    row: Transfer,
    zone: ZoneInfo,
    names: tuple[str, str],
    amounts: tuple[Amount, Amount],
    handed_over: Amount | None,
) -> Iterable[Cell]:
    transaction, journal_line = row.transaction, row.transaction.journal_line
    amount, balance = amounts
    return (
        transaction.pk, transaction.at, transaction.at.astimezone(zone).replace(tzinfo=None), transaction.deed,
        str(Deed(transaction.deed).label), *names, amount.decimal, balance.decimal, amount.currency,
        handed_over.decimal if handed_over else None, handed_over.currency if handed_over else "",
        transaction.reverses_id, journal_line.user.get_username() if journal_line.user else "", journal_line.reason,
    )  # fmt: skip


def names_of_transfer(
    row: Transfer, names: Names, methods: Mapping[int, str], player: uuid.UUID | None = None
) -> tuple[str, str]:
    """The tournament, and the words for what the transfer is: a fee, a place, or the way to pay.

    `player`: the one whose statement it is, if it is one.
    """
    deed, _is_reversal = deed_of(row)
    if AccountKind.PLAYER not in (row.source.kind, row.target.kind) and deed in (Deed.CHARGE, Deed.PRIZE):
        return "", ""
    original = row.transaction.reverses or row.transaction
    if deed == Deed.CHARGE:
        line, tournament = charge_names_of(row.line, original.entry, names)
        return tournament, line
    if deed == Deed.PRIZE:
        return original.entry.tournament.name if original.entry else "", prize_name(row, names, player)
    return "", str(METHOD_LABELS.get(methods.get(row.transaction_id, ""), ""))
