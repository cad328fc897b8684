"""The statement of one player of an event: charges, payments, prizes and payouts. Reads only."""

import uuid
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Q
from django.utils.text import capfirst

from tournament.fees.amounts import Amount
from tournament.fees.charge_lines import parse_charge_line
from tournament.ledger.charging import prices_of
from tournament.ledger.labels import METHOD_LABELS
from tournament.models import AccountKind, Deed, Entry, Event, LedgerAccount, Player, Transfer
from tournament.queries.money.charge_names import charge_name
from tournament.queries.money.payouts import WonPrize, settled_matches
from tournament.runtime.errors import NotFound

RELATED = (
    "transaction__entry__tournament",
    "transaction__reverses__entry__tournament",
    "transaction__reversed_by",
    "source",
    "target",
)


@dataclass(frozen=True, slots=True)
class MoneyLine:
    """An amount that was charged, or that moved at `at`. `tournament` is empty for the whole event."""

    name: str
    tournament: str
    amount: Amount
    at: datetime | None = None


@dataclass(slots=True)
class PlayerStatement:
    """Amounts of a player by what they are for. `open_amounts` are positive for debts, negative for claims."""

    player: Player
    charged: list[MoneyLine] = field(default_factory=list)
    paid: list[MoneyLine] = field(default_factory=list)
    won: list[MoneyLine] = field(default_factory=list)
    paid_out: list[MoneyLine] = field(default_factory=list)
    open_amounts: list[Amount] = field(default_factory=list)

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
    """Names of side pools by tournament and key, and numbers of settled matches by the line of the prize."""

    pools: Mapping[tuple[uuid.UUID | None, str], str]
    matches: Mapping[str, str]


def has_money(players: Collection[uuid.UUID]) -> bool:
    """True if something was charged to one of these players, or paid by or to one."""
    return LedgerAccount.objects.filter(player__in=players).exists()


def player_of(event: Event, player_id: uuid.UUID) -> Player:
    """Raises NotFound for a player of another event."""
    player = Player.objects.filter(pk=player_id, event=event).first()
    if player is None:
        raise NotFound
    return player


def player_statement(player: Player) -> PlayerStatement:
    """Deeds that were taken back are left out; they change no amount."""
    of_player = Q(kind=AccountKind.PLAYER, player=player)
    accounts = LedgerAccount.objects.filter(of_player)
    transfers = Transfer.objects.filter(Q(source__in=accounts) | Q(target__in=accounts))
    rows = list(transfers.select_related(*RELATED).order_by("pk"))
    names = Names(prices_of(player.event_id).pool_names, settled_matches(row.line for row in rows))
    statement = PlayerStatement(player)
    charged: Counter[tuple[str, str, str]] = Counter()
    balances: Counter[str] = Counter()
    for row in rows:
        is_debit = row.target.player_id == player.pk
        account = row.target if is_debit else row.source
        minor = row.amount if is_debit else -row.amount
        balances[account.currency] += minor
        deed, is_reversal = _deed_of(row)
        if deed == Deed.CHARGE:
            entry = (row.transaction.reverses or row.transaction).entry
            charged[*_charge_names(row.line, entry, names), account.currency] += minor
        elif not is_reversal and not hasattr(row.transaction, "reversed_by"):
            _add_movement(statement, row, deed, Amount(minor, account.currency), names)
    statement.charged = [
        MoneyLine(name, tournament, Amount(minor, currency))
        for (name, tournament, currency), minor in charged.items()
        if minor
    ]
    statement.open_amounts = [Amount(minor, currency) for currency, minor in balances.items() if minor]
    return statement


def _deed_of(row: Transfer) -> tuple[str, bool]:
    """The deed of the transfer; True if it is a reversal of that deed."""
    reversed_row = row.transaction.reverses
    return (reversed_row.deed, True) if reversed_row else (row.transaction.deed, False)


def _add_movement(statement: PlayerStatement, row: Transfer, deed: str, amount: Amount, names: Names) -> None:
    """Every amount is positive in its list, except a refund among the payments."""
    if deed == Deed.PRIZE:
        entry = row.transaction.entry
        tournament = entry.tournament.name if entry else ""
        pool = names.pools.get((row.target.tournament_id, row.target.name), "")
        prize = WonPrize(tournament, row.line, -amount, pool, names.matches.get(row.line, ""))
        statement.won.append(MoneyLine(capfirst(prize.label), tournament, prize.amount))
    elif deed == Deed.PAYOUT:
        statement.paid_out.append(MoneyLine(_method(row), "", amount, row.transaction.at))
    else:
        statement.paid.append(MoneyLine(_method(row), "", -amount, row.transaction.at))


def _method(row: Transfer) -> str:
    """The way to pay. In another currency it is the line of the transfer between till and exchange."""
    till = row.source if row.target.kind == AccountKind.PLAYER else row.target
    kind = till.kind
    if kind == AccountKind.EXCHANGE:
        kind = row.transaction.transfers.values_list("line", flat=True).get(line__in=METHOD_LABELS)
    return str(METHOD_LABELS[kind])


def _charge_names(line: str, entry: Entry | None, names: Names) -> tuple[str, str]:
    """The name of a fee or of its side pool, and the tournament. A share is a part of its fee."""
    charge = parse_charge_line(line, entry.number if entry else 1)
    if entry is None or charge.is_once_in_an_event:
        return charge_name(charge.fee), ""
    pool = names.pools.get((entry.tournament_id, charge.pool), "")
    return pool or charge_name(charge.fee), entry.tournament.name
