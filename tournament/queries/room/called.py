"""Current calls of matches, for brackets, desk, match pages and phones. Reads only."""

import uuid
from collections.abc import Iterable
from dataclasses import dataclass

from tournament.models import Call, Pairing, Table


@dataclass(frozen=True, slots=True)
class CurrentCall:
    """A current call. `table` is empty if the match is called without a table."""

    id: uuid.UUID
    table: str
    is_second: bool
    is_playing: bool


def current_calls(matches: Iterable[uuid.UUID | None]) -> dict[uuid.UUID, CurrentCall]:
    """Returns the current calls of these matches, by match, in one statement."""
    current = Call.objects.filter(match__in=[pk for pk in matches if pk is not None], ended_at__isnull=True)
    rows = current.values_list("match_id", "pk", "table__name", "second_call_at", "playing_at")
    return {
        match: CurrentCall(pk, table or "", second is not None, playing is not None)
        for match, pk, table, second, playing in rows
    }


def latest_pairing_at(table: Table) -> Pairing | None:
    """Returns the pairing called last to this table, also after its match has ended."""
    calls = Call.objects.filter(table=table, is_taken_back=False).order_by("-called_at", "-pk")
    latest = calls.select_related("pairing__round__bracket__tournament").first()
    return latest.pairing if latest else None
