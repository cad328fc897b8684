"""Deletes entries that take part in no match, and the players who are left without a purpose."""

import uuid
from collections.abc import Collection

from django.db.models import QuerySet

from tournament.access.actors import Actor
from tournament.ledger import charging
from tournament.ledger.balances import open_amounts
from tournament.models import CalcuttaSeat, Entry, Player, Tournament
from tournament.refusals.money import ENTRY_HAS_LOT, HAS_PAID
from tournament.runtime.errors import Refused


def delete_entries(tournament: Tournament, entries: QuerySet[Entry], actor: Actor) -> None:
    """Deletes entries, and their players without another entry or a bid, and takes back their charges.

    The caller holds the lock and writes the journal. Raises Refused if a player without another entry has paid, or if
    an entry has a lot in the auction.
    """
    seat = CalcuttaSeat.objects.filter(entry__in=entries).select_related("lot", "entry__player").first()
    if seat is not None:
        raise Refused(ENTRY_HAS_LOT, name=seat.entry.registered_name, number=seat.lot.number)
    charging.lock_fees(tournament)
    charging.cancel_charges(list(entries.select_related("player")), actor)
    players = list(entries.values_list("player_id", flat=True))
    entries.delete()
    if tournament.event.fees:
        charging.charge_players(tournament.event_id, players, actor)
    leaving = players_without_purpose(players)
    unsettled = open_amounts(tournament.event_id, list(leaving.values_list("pk", flat=True)))
    if unsettled:
        raise Refused(HAS_PAID, name=leaving.filter(pk__in=unsettled)[0].registered_name)
    leaving.delete()


def players_without_purpose(players: Collection[uuid.UUID]) -> QuerySet[Player]:
    """Those of the players who have no entry, and no bid or share in an auction."""
    rows = Player.objects.filter(pk__in=players, entries=None)
    return rows.filter(calcutta_bids=None, calcutta_shares=None)
