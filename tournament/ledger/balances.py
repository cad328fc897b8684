"""Balances: debits minus credits of accounts, in minor units. Always computed from the transfers."""

import uuid
from collections import Counter
from collections.abc import Collection

from django.db.models import Q, QuerySet, Sum

from tournament.models import AccountKind, Deed, LedgerAccount, Transfer

IS_CHARGE = Q(transaction__deed=Deed.CHARGE) | Q(transaction__reverses__deed=Deed.CHARGE)
"""Transfers of charges and of their reversals."""

IS_ADDED_MONEY = Q(transaction__deed=Deed.ADDED_MONEY) | Q(transaction__reverses__deed=Deed.ADDED_MONEY)


def of_players(players: object) -> Q:
    """Transfers from or to the accounts of these players: a collection of ids, or a subquery."""
    return Q(source__player__in=players) | Q(target__player__in=players)


def balances_of(accounts: QuerySet[LedgerAccount]) -> dict[str, int]:
    """The balance of each of these accounts by its id; one statement for debits and one for credits."""
    totals: Counter[str] = Counter()
    for side, sign in (("target", 1), ("source", -1)):
        rows = Transfer.objects.filter(**{f"{side}__in": accounts})
        for pk, minor in rows.order_by().values_list(side).annotate(Sum("amount")):
            totals[pk] += sign * minor
    return dict(totals)


def open_amounts(event_id: uuid.UUID, players: Collection[uuid.UUID]) -> dict[uuid.UUID, dict[str, int]]:
    """The open amounts of each player by currency; negative amounts are claims. Settled currencies are left out."""
    totals: Counter[tuple[uuid.UUID, str]] = Counter()
    for side, sign in (("target", 1), ("source", -1)):
        rows = Transfer.objects.filter(
            **{
                f"{side}__event": event_id,
                f"{side}__kind": AccountKind.PLAYER,
                f"{side}__player__in": players,
            }
        ).order_by()
        sums = rows.values_list(f"{side}__player", f"{side}__currency").annotate(Sum("amount"))
        for player_id, currency, minor in sums:
            totals[player_id, currency] += sign * minor
    amounts: dict[uuid.UUID, dict[str, int]] = {}
    for (player_id, currency), minor in sorted(totals.items()):
        if minor:
            amounts.setdefault(player_id, {})[currency] = minor
    return amounts


def paid_out_amounts(event_id: uuid.UUID, players: Collection[uuid.UUID]) -> dict[tuple[uuid.UUID, str], int]:
    """The payouts of these players that were not taken back, by player and currency."""
    rows = Transfer.objects.filter(
        transaction__event=event_id,
        transaction__deed=Deed.PAYOUT,
        transaction__reversed_by__isnull=True,
        target__player__in=players,
    ).order_by()
    sums = rows.values_list("target__player", "target__currency").annotate(Sum("amount"))
    return {(pk, currency): minor for pk, currency, minor in sums if pk is not None}


def currencies_of_added_money(tournament_id: uuid.UUID) -> set[str]:
    """The currencies in which pots of the tournament hold money of the organizer, or gave some to a series.

    Money of the organizer that a pot gave to a series counts too, although the balance of the pot is zero.
    """
    totals: Counter[tuple[str, str, str]] = Counter()
    for pot, other, sign in (("target", "source", -1), ("source", "target", 1)):
        rows = Transfer.objects.filter(IS_ADDED_MONEY, **{f"{pot}__tournament": tournament_id}).order_by()
        sums = rows.values_list(pot, other, f"{pot}__currency").annotate(Sum("amount"))
        for pot_id, other_id, currency, minor in sums:
            totals[pot_id, other_id, currency] += sign * minor
    return {currency for (_pot, _other, currency), minor in totals.items() if minor}
