"""Refuses changes that seat an entry at two tables because a seat was kept as played. Writes nothing."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager

from tournament.brackets import storage
from tournament.draw.seating.double_seating import DoubleSeating, find_double_seatings
from tournament.models import KeptSeat, Tournament
from tournament.refusals.seats import SEATED_TWICE
from tournament.runtime.errors import Refused


@contextmanager
def no_double_seating(tournament: Tournament) -> Iterator[None]:
    """Raises Refused if the block seats an entry at two tables that was not seated twice before."""
    before = _twice(tournament)
    yield
    if _twice(tournament) - before:
        raise Refused(SEATED_TWICE)


def _twice(tournament: Tournament) -> set[DoubleSeating[uuid.UUID, int]]:
    if not KeptSeat.objects.filter(correction__tournament=tournament, lifted_at__isnull=True).exists():
        return set()
    sheet = storage.read(tournament)
    return set(find_double_seatings(sheet.graph, sheet.seated(), sheet.facts.kept_seats))
