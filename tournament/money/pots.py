"""The money in the pots of a tournament: what entries were charged, and what the organizer added. Reads only."""

import uuid
from collections import Counter
from collections.abc import Collection

from django.db.models import QuerySet, Sum

from tournament.ledger.balances import IS_CHARGE
from tournament.models import AccountKind, Tournament, Transfer

ADDED, SERIES = "added", "series"
"""Lines of money that the organizer adds to a pot, and of money that is set aside for a series."""


def paid_into_pots(tournament: Tournament, currency: str) -> dict[str, int]:
    """The sums that entries were charged for each pot of the tournament, in minor units by the key of the pot."""
    return {
        pot: minor
        for (_tournament, pot, pot_currency), minor in charged_pots([tournament.pk]).items()
        if pot_currency == currency
    }


def charged_pots(tournaments: Collection[uuid.UUID]) -> Counter[tuple[uuid.UUID, str, str]]:
    """Minor units by tournament, key of the pot and currency."""
    pots: Counter[tuple[uuid.UUID, str, str]] = Counter()
    for side, sign in (("source", 1), ("target", -1)):
        accounts = {f"{side}__tournament__in": tournaments, f"{side}__kind": AccountKind.POT}
        rows = Transfer.objects.filter(IS_CHARGE, **accounts).order_by()
        sums = rows.values_list(f"{side}__tournament", f"{side}__name", f"{side}__currency")
        for tournament, pot, currency, minor in sums.annotate(Sum("amount")):
            pots[tournament, pot, currency] += sign * minor
    return pots


def added_transfers(tournament: Tournament) -> QuerySet[Transfer]:
    """The transfers of money that the organizer added to the pots of the tournament, or set aside from them."""
    return Transfer.objects.filter(
        transaction__event=tournament.event_id, transaction__key__startswith=f"{ADDED} {tournament.pk} "
    )
