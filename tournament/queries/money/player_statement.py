"""The statement of one player of an event: charges, payments, prizes and payouts. Reads only."""

import uuid
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Q
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from tournament.fees.amounts import Amount
from tournament.fees.charge_lines import parse_charge_line
from tournament.ledger.charging import prices_of
from tournament.ledger.labels import METHOD_LABELS, BookLabels
from tournament.models import AccountKind, Deed, Entry, Event, LedgerAccount, Player, Tournament, Transfer
from tournament.queries.money.agreements import AgreedMatch, agreed_matches
from tournament.queries.money.cash_desk import refundable_amounts
from tournament.queries.money.charge_names import charge_name
from tournament.queries.money.corrected_prizes import CorrectedPrizes, corrected_prizes
from tournament.queries.money.payouts import WonPrize
from tournament.queries.money.prize_steps import reopened_tournaments
from tournament.runtime.errors import NotFound

RELATED = (
    "transaction__entry__tournament",
    "transaction__reverses__entry__tournament",
    "transaction__reversed_by__journal_line",
    "source",
    "target",
)


@dataclass(frozen=True, slots=True)
class MoneyLine:
    """An amount that was charged, or that moved at `at`. `tournament` is empty for the whole event.

    `handed_over` is the amount paid, if it was paid in another currency.
    """

    name: str
    tournament: str
    amount: Amount
    at: datetime | None = None
    handed_over: Amount | None = None


@dataclass(slots=True)
class PlayerStatement:
    """Amounts of a player by what they are for. `open_amounts` are positive for debts, negative for claims.

    `corrected`: prizes that were awarded, and then corrected. `reopened`: names of tournaments where a match is to be
    decided again whose prizes can cover debts of the correction.
    `refundable`: what the player paid above the charges, as the list of the cash desk shows it.
    """

    player: Player
    charged: list[MoneyLine] = field(default_factory=list)
    paid: list[MoneyLine] = field(default_factory=list)
    won: list[MoneyLine] = field(default_factory=list)
    corrected: list[CorrectedPrizes] = field(default_factory=list)
    reopened: list[str] = field(default_factory=list)
    paid_out: list[MoneyLine] = field(default_factory=list)
    open_amounts: list[Amount] = field(default_factory=list)
    refundable: tuple[Amount, ...] = ()

    @property
    def debts(self) -> list[Amount]:
        return [amount for amount in self.open_amounts if amount.minor > 0]

    @property
    def currency(self) -> str:
        """The currency in which the player most likely pays next; empty without any."""
        amounts = (*self.debts, *self.open_amounts, *(line.amount for line in self.charged))
        return amounts[0].currency if amounts else ""

    @property
    def claims(self) -> list[Amount]:
        return [-amount for amount in self.open_amounts if amount.minor < 0]


@dataclass(frozen=True, slots=True)
class Names:
    """Names of side pools by tournament and key, and matches by the line of an agreement."""

    pools: Mapping[tuple[uuid.UUID | None, str], str]
    matches: Mapping[str, AgreedMatch]


def has_money(players: Collection[uuid.UUID]) -> bool:
    """True if something was charged to one of these players, or paid by or to one."""
    return LedgerAccount.objects.filter(player__in=players).exists()


def player_of(event: Event, player_id: uuid.UUID) -> Player:
    """Raises NotFound for a player of another event."""
    player = Player.objects.filter(pk=player_id, event=event).first()
    if player is None:
        raise NotFound
    return player


def name_of_player(event: Event, player_id: uuid.UUID) -> str:
    """Returns the name on all pages and in all files of the event's money. Raises NotFound for other players."""
    return BookLabels(event.pk).of_player(player_of(event, player_id), player_id)


def _tournaments_of(player: Player) -> list[Tournament]:
    return list(Tournament.objects.filter(entries__player=player).distinct().order_by("name"))


def player_statement(player: Player) -> PlayerStatement:
    """Deeds that were taken back are left out; they change no amount."""
    of_player = Q(kind=AccountKind.PLAYER, player=player)
    accounts = LedgerAccount.objects.filter(of_player)
    transfers = Transfer.objects.filter(Q(source__in=accounts) | Q(target__in=accounts))
    whole = transfers.select_related(*RELATED).prefetch_related("transaction__transfers__source")
    rows = list(whole.order_by("pk"))
    names = names_in(player.event_id, rows)
    statement = PlayerStatement(player)
    charged: Counter[tuple[str, str, str]] = Counter()
    balances: Counter[str] = Counter()
    fees: Counter[str] = Counter()
    for row in rows:
        is_debit = row.target.player_id == player.pk
        account = row.target if is_debit else row.source
        minor = row.amount if is_debit else -row.amount
        balances[account.currency] += minor
        deed, is_reversal = deed_of(row)
        if deed not in (Deed.PRIZE, Deed.PAYOUT):
            fees[account.currency] += minor
        if deed == Deed.CHARGE:
            entry = (row.transaction.reverses or row.transaction).entry
            charged[*charge_names_of(row.line, entry, names), account.currency] += minor
        elif not is_reversal and not hasattr(row.transaction, "reversed_by"):
            _add_movement(statement, row, deed, Amount(minor, account.currency), names)
    statement.charged = [
        MoneyLine(name, tournament, Amount(minor, currency))
        for (name, tournament, currency), minor in charged.items()
        if minor
    ]
    statement.corrected = corrected_prizes(rows, player)
    statement.open_amounts = [Amount(minor, currency) for currency, minor in balances.items() if minor]
    if statement.corrected and statement.debts:
        statement.reopened = [row.name for row in reopened_tournaments(_tournaments_of(player))]
    statement.refundable = refundable_amounts(balances, fees)
    return statement


def names_in(event_id: uuid.UUID, rows: Iterable[Transfer]) -> Names:
    return Names(prices_of(event_id).pool_names, agreed_matches(row.line for row in rows))


def deed_of(row: Transfer) -> tuple[str, bool]:
    """The deed of the transfer; True if it is a reversal of that deed."""
    reversed_row = row.transaction.reverses
    return (reversed_row.deed, True) if reversed_row else (row.transaction.deed, False)


def _add_movement(statement: PlayerStatement, row: Transfer, deed: str, amount: Amount, names: Names) -> None:
    """Every amount is positive in its list, except a refund among the payments and what a player gives by a hedge."""
    if deed == Deed.PRIZE:
        entry = row.transaction.entry
        tournament = entry.tournament.name if entry else ""
        statement.won.append(MoneyLine(prize_name(row, names, statement.player.pk), tournament, -amount))
        return
    method, handed_over = _method(row)
    if deed == Deed.PAYOUT:
        statement.paid_out.append(MoneyLine(method, "", amount, row.transaction.at, handed_over))
    else:
        name = _("Refund to the player: {method}").format(method=method) if deed == Deed.REFUND else method
        statement.paid.append(MoneyLine(name, "", -amount, row.transaction.at, handed_over))


def prize_name(row: Transfer, names: Names, player: uuid.UUID | None = None) -> str:
    """“Place 1”, or an agreement of two players, by the transfer of the prize or of its reversal.

    `player`: the one whose statement it is; None names no opponent.
    """
    pot = row.target if row.target.kind == AccountKind.POT else row.source
    match = names.matches.get(row.line, AgreedMatch())
    details = names.pools.get((pot.tournament_id, pot.name), ""), match.number, match.name_for(player)
    return capfirst(WonPrize("", row.line, Amount(row.amount, pot.currency), *details).label)


def _method(row: Transfer) -> tuple[str, Amount | None]:
    """Returns the payment method, and the amount if it was paid in another currency."""
    till = row.source if row.target.kind == AccountKind.PLAYER else row.target
    if till.kind != AccountKind.EXCHANGE:
        return str(METHOD_LABELS[till.kind]), None
    moved = next(moved for moved in row.transaction.transfers.all() if moved.line in METHOD_LABELS)
    return str(METHOD_LABELS[moved.line]), Amount(moved.amount, moved.source.currency)


def charge_names_of(line: str, entry: Entry | None, names: Names) -> tuple[str, str]:
    """The name of a fee or of its side pool, and the tournament. A share is a part of its fee."""
    charge = parse_charge_line(line, entry.number if entry else 1)
    if entry is None or charge.is_once_in_an_event:
        return charge_name(charge.fee), ""
    pool = names.pools.get((entry.tournament_id, charge.pool), "")
    return pool or charge_name(charge.fee), entry.tournament.name
