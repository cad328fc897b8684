"""The charges that players have not paid: payments count for the oldest charges first."""

import uuid
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from django.db.models import F, Min, Q

from tournament.fees.schedule import MAIN_POT
from tournament.ledger.balances import IS_CHARGE, of_players, open_amounts
from tournament.models import AccountKind, Deed, Transfer

IS_PRIZE = Q(transaction__deed__in=[Deed.PRIZE, Deed.PAYOUT]) | Q(
    transaction__reverses__deed__in=[Deed.PRIZE, Deed.PAYOUT]
)


@dataclass(frozen=True, slots=True)
class UnpaidCharge:
    """The unpaid part, `minor` units, of a charge for `account`. `entry`: None for a charge of an auction."""

    player: uuid.UUID
    entry: uuid.UUID | None
    account: str
    currency: str
    minor: int


def unpaid_charges(event_id: uuid.UUID, players: Collection[uuid.UUID]) -> list[UnpaidCharge]:
    """Of charges of one moment, payments count for the main pot last. What was lowered later is taken from the newest
    charge before it. The charges of an entry that was another player's are as old as they were there.

    Prizes pay charges, but a prize that is to be given back leaves none unpaid.
    """
    owed = _owed(event_id, players)
    if not owed:
        return []
    charges = list(_charges(event_id, {player for player, _currency in owed}))
    first = _first_charges({charge.entry for charge in charges if charge.entry})

    def newest_first(charge: _Charge) -> tuple[int, bool, str, bool]:
        age = first.get((charge.entry, charge.account), charge.transaction)
        return -age, not charge.is_main_pot, charge.account, charge.minor > 0

    charges.sort(key=newest_first)
    lowered: Counter[tuple[uuid.UUID, uuid.UUID | None, str]] = Counter()
    unpaid: Counter[UnpaidCharge] = Counter()
    for charge in charges:
        key, debt = (charge.player, charge.entry, charge.account), (charge.player, charge.currency)
        remaining = charge.minor - lowered[key]
        lowered[key] = max(-remaining, 0)
        minor = min(owed[debt], remaining)
        if minor > 0:
            owed[debt] -= minor
            unpaid[UnpaidCharge(*key, charge.currency, 0)] += minor
    return [
        UnpaidCharge(row.player, row.entry, row.account, row.currency, minor) for row, minor in unpaid.items()
    ]


@dataclass(frozen=True, slots=True)
class _Charge:
    """`minor` units; negative if a charge was lowered."""

    transaction: int
    player: uuid.UUID
    entry: uuid.UUID | None
    account: str
    currency: str
    minor: int
    is_main_pot: bool


def _first_charges(entries: Collection[uuid.UUID]) -> dict[tuple[uuid.UUID | None, str], int]:
    """The first transaction that charged another player than the present one for an entry, by entry and account."""
    of_others = Q(target__player__isnull=True) | ~Q(target__player=F("transaction__entry__player"))
    rows = Transfer.objects.filter(
        of_others,
        transaction__entry__in=entries,
        transaction__deed=Deed.CHARGE,
        target__kind=AccountKind.PLAYER,
    )
    values = rows.order_by().values_list("transaction__entry", "source").annotate(Min("transaction"))
    return {(entry, account): transaction for entry, account, transaction in values}


def _owed(event_id: uuid.UUID, players: Collection[uuid.UUID]) -> Counter[tuple[uuid.UUID, str]]:
    """The minor units of charges that these players still owe, by player and currency."""
    debts = {
        (player, currency): minor
        for player, amounts in open_amounts(event_id, players).items()
        for currency, minor in amounts.items()
        if minor > 0
    }
    if not debts:
        return Counter()
    owing = {player for player, _currency in debts}
    of_prizes: Counter[tuple[uuid.UUID | None, str]] = Counter()
    rows = Transfer.objects.filter(IS_PRIZE, of_players(owing), transaction__event=event_id)
    values = rows.values_list("source__player", "target__player", "source__currency", "amount")
    for source, target, currency, minor in values:
        of_prizes[target, currency] += minor
        of_prizes[source, currency] -= minor
    return Counter({key: min(minor, minor - of_prizes[key]) for key, minor in debts.items()})


def _charges(event_id: uuid.UUID, players: Collection[uuid.UUID]) -> Iterator[_Charge]:
    for account, player, sign in (("source", "target", 1), ("target", "source", -1)):
        rows = Transfer.objects.filter(
            IS_CHARGE, transaction__event=event_id, **{f"{player}__player__in": players}
        )
        values = rows.values_list(
            "transaction", f"{player}__player", "transaction__entry", account, f"{account}__kind",
            f"{account}__name", f"{account}__currency", "amount",
        )  # fmt: skip
        for transaction, player_id, entry, account_id, kind, name, currency, minor in values:
            is_main_pot = kind == AccountKind.POT and name == MAIN_POT
            yield _Charge(transaction, player_id, entry, account_id, currency, sign * minor, is_main_pot)
