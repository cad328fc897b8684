"""Where matches are called to, for brackets, desk, match pages and phones: one statement. Reads only."""

import uuid
from collections.abc import Iterable
from dataclasses import dataclass

from tournament.models import Call


@dataclass(frozen=True, slots=True)
class Called:
    """A call that stands; `table` is empty where the match is called without one. `is_seen`: they play."""

    id: uuid.UUID
    table: str
    is_second: bool
    is_seen: bool


def called_to(matches: Iterable[uuid.UUID | None]) -> dict[uuid.UUID, Called]:
    """The calls that stand of these matches, by match."""
    standing = Call.objects.filter(match__in=[pk for pk in matches if pk is not None], ended_at__isnull=True)
    rows = standing.values_list("match_id", "pk", "table__name", "second_call_at", "playing_at")
    return {
        match: Called(pk, table or "", second is not None, playing is not None)
        for match, pk, table, second, playing in rows
    }
