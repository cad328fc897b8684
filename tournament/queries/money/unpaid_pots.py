"""The part of each pot that players were charged and did not pay yet. Reads only."""

import uuid
from collections import Counter
from dataclasses import dataclass

from django.db.models import Q, Sum

from tournament.fees.amounts import Amount
from tournament.fees.schedule import MAIN_POT
from tournament.ledger.balances import open_amounts
from tournament.ledger.labels import pot_label
from tournament.models import AccountKind, Deed, Tournament, Transfer


@dataclass(frozen=True, slots=True)
class UnpaidPot:
    name: str
    amount: Amount
    players: int


def unpaid_pots(tournament: Tournament) -> list[UnpaidPot]:
    """What a player owes counts for the main pot first, then for side pools and jackpots."""
    charged = _charged(tournament)
    debts = open_amounts(tournament.event_id, {player for player, _pot, _currency in charged})
    owed = Counter(
        {(player, currency): minor for player, sums in debts.items() for currency, minor in sums.items()}
    )
    unpaid: Counter[tuple[str, str]] = Counter()
    players: Counter[tuple[str, str]] = Counter()
    for player, pot, currency in sorted(charged, key=lambda key: (key[1] != MAIN_POT, key[1])):
        minor = min(owed[player, currency], charged[player, pot, currency])
        if minor > 0:
            owed[player, currency] -= minor
            unpaid[pot, currency] += minor
            players[pot, currency] += 1
    return [
        UnpaidPot(pot_label(tournament, pot), Amount(minor, currency), players[pot, currency])
        for (pot, currency), minor in unpaid.items()
    ]


def _charged(tournament: Tournament) -> Counter[tuple[uuid.UUID, str, str]]:
    """Minor units by player, pot and currency."""
    charges = Q(transaction__deed=Deed.CHARGE) | Q(transaction__reverses__deed=Deed.CHARGE)
    sums: Counter[tuple[uuid.UUID, str, str]] = Counter()
    for pot, player, sign in (("source", "target", 1), ("target", "source", -1)):
        account = {
            f"{pot}__tournament": tournament,
            f"{pot}__kind": AccountKind.POT,
            f"{player}__player__isnull": False,
        }
        rows = Transfer.objects.filter(charges, **account).order_by()
        keys = rows.values_list(f"{player}__player", f"{pot}__name", f"{pot}__currency")
        for player_id, name, currency, minor in keys.annotate(Sum("amount")):
            sums[player_id, name, currency] += sign * minor
    return sums
