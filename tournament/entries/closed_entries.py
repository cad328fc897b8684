"""Refuses changes of entries that are closed for a public draw. Their hash is published, so they may not change.

Reads only. `drawing.draw_secret` reopens entries and publishes the reason.
"""

import uuid
from collections.abc import Collection

from django.db.models import Q

from tournament.models import Commitment, Tournament
from tournament.refusals.entries import ENTRIES_CLOSED
from tournament.runtime.errors import Refused


def are_closed(tournament: Tournament) -> bool:
    return _closed_tournament_name(Q(tournament=tournament)) is not None


def refuse_while_closed(tournament: Tournament) -> None:
    """Raises Refused while this tournament's entries are closed and not drawn yet."""
    _refuse_if_closed(Q(tournament=tournament))


def refuse_players_while_closed(players: Collection[uuid.UUID]) -> None:
    """Raises Refused while one of these players is entered in a tournament of the event whose entries are closed."""
    _refuse_if_closed(Q(tournament__entries__player__in=players))


def _refuse_if_closed(where: Q) -> None:
    name = _closed_tournament_name(where)
    if name is not None:
        raise Refused(ENTRIES_CLOSED, tournament=name)


def _closed_tournament_name(where: Q) -> str | None:
    closed = Commitment.objects.filter(
        where, closed_at__isnull=False, draw__isnull=True, given_up_at__isnull=True
    )
    return closed.values_list("tournament__name", flat=True).first()
