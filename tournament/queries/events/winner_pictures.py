"""Pictures of winners, without their bytes except one. Reads only."""

import uuid
from collections.abc import Iterable, Mapping

from tournament.models import Tournament, WinnerPicture
from tournament.queries.events.ends import find_result
from tournament.runtime.errors import NotFound


def winner_pictures(tournaments: Iterable[Tournament]) -> Mapping[tuple[uuid.UUID, str], WinnerPicture]:
    """The pictures by tournament and bracket; the key of the tournament's own winners is empty. One statement."""
    rows = WinnerPicture.objects.filter(tournament__in=tournaments, deleted_at__isnull=True).defer("photo")
    return {(row.tournament_id, row.bracket): row for row in rows}


def find_picture(tournament: Tournament, picture_id: uuid.UUID) -> WinnerPicture:
    """A picture with its bytes. Raises NotFound for a removed one."""
    rows = WinnerPicture.objects.filter(tournament=tournament, deleted_at__isnull=True)
    picture = rows.filter(pk=picture_id).first()
    if picture is None:
        raise NotFound
    return picture


def winners_of(tournament: Tournament, bracket: str) -> list[uuid.UUID]:
    """The entries whose places the results page shows for this group of winners. Raises NotFound without a winner."""
    result = find_result(tournament)
    groups = [group for group in (result.winners, *result.sides) if group is not None]
    lines = next((group.lines for group in groups if group.bracket == bracket), None)
    if lines is None:
        raise NotFound
    return [line.entry_id for line in lines]
