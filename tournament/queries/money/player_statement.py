"""The statement of one player of an event: charges, payments, prizes and payouts. Reads only."""

import uuid
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Q
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from tournament.fees.amounts import Amount
from tournament.fees.schedule import CALCUTTA_POT
from tournament.ledger.charging import prices_of
from tournament.ledger.labels import METHOD_LABELS
from tournament.models import AccountKind, Deed, Entry, Event, LedgerAccount, Player, Transfer
from tournament.queries.money.payouts import WonPrize, settled_matches
from tournament.runtime.errors import NotFound

POOL = "pool"


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
    def claims(self) -> list[Amount]:
        return [-amount for amount in self.open_amounts if amount.minor < 0]


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
    rows = Transfer.objects.filter(Q(source__in=accounts) | Q(target__in=accounts)).select_related(
        "transaction__entry__tournament", "transaction__reverses__entry__tournament", "source", "target"
    )
    pools = _pool_names(player.event_id)
    statement = PlayerStatement(player)
    charged: Counter[tuple[str, str, str]] = Counter()
    balances: Counter[str] = Counter()
    for row in rows.order_by("pk"):
        is_debit = row.target.player_id == player.pk
        account = row.target if is_debit else row.source
        minor = row.amount if is_debit else -row.amount
        balances[account.currency] += minor
        deed, is_reversal = _deed_of(row)
        if deed == Deed.CHARGE:
            entry = (row.transaction.reverses or row.transaction).entry
            charged[_charge_name(row.line, entry, pools), _tournament(entry), account.currency] += minor
        elif not is_reversal and not hasattr(row.transaction, "reversed_by"):
            _add_movement(statement, row, deed, Amount(minor, account.currency))
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


def _tournament(entry: Entry | None) -> str:
    return entry.tournament.name if entry else ""


def _add_movement(statement: PlayerStatement, row: Transfer, deed: str, amount: Amount) -> None:
    """Every amount is positive in its list, except a refund among the payments."""
    if deed == Deed.PRIZE:
        tournament = _tournament(row.transaction.entry)
        matches = settled_matches([row.line])
        prize = WonPrize(tournament, row.line, -amount, match=matches.get(row.line, ""))
        statement.won.append(MoneyLine(capfirst(prize.label), tournament, prize.amount))
    elif deed == Deed.PAYOUT:
        statement.paid_out.append(MoneyLine(_method(row), "", amount, row.transaction.at))
    else:
        statement.paid.append(MoneyLine(_method(row), "", -amount, row.transaction.at))


def _method(row: Transfer) -> str:
    till = row.source if row.target.kind == AccountKind.PLAYER else row.target
    return str(METHOD_LABELS[till.kind])


def _charge_name(line: str, entry: Entry | None, pools: dict[tuple[uuid.UUID, str], str]) -> str:
    """“Entry fee” for `entry share 1 EUR`: a share is part of its fee."""
    first, *rest = line.split(" ")
    if first == POOL and entry is not None:
        return pools.get((entry.tournament_id, rest[0]), "") or _("Side pool")
    names = {
        "entry": _("Entry fee") if entry is None or entry.number == 1 else _("Re-entry"),
        "registration": _("Registration"),
        "late": _("Late fee"),
        "membership": _("Membership"),
        CALCUTTA_POT: _("Auction of players"),
    }
    return names.get(first) or _("Other fee")


def _pool_names(event_id: uuid.UUID) -> dict[tuple[uuid.UUID, str], str]:
    schedules = prices_of(event_id).tournaments
    return {(pk, pool.key): pool.name for pk, schedule in schedules.items() for pool in schedule.pools}
