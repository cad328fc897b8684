"""The table of a match at the desk, and the tables that are free for it. Reads only."""

from dataclasses import dataclass

from django.db.models import Exists, OuterRef

from tournament.models import Call, Pairing, Table
from tournament.queries.room.called import CurrentCall, current_calls


@dataclass(frozen=True, slots=True)
class MatchCall:
    """`current` is None without a call. `free_tables` are empty for a match that cannot be called or moved now."""

    current: CurrentCall | None
    free_tables: tuple[Table, ...]
    can_be_called: bool


def load_match_call(pairing: Pairing) -> MatchCall:
    """`pairing` is loaded with its match, round, bracket and tournament."""
    match = pairing.match
    if match is None:
        return MatchCall(None, (), can_be_called=False)
    current = current_calls([match.pk]).get(match.pk)
    is_in_room = pairing.round.bracket.tournament.archived_at is None
    can_be_called = current is None and match.state == "open" and is_in_room
    tables = _free_tables(pairing) if current is not None or can_be_called else ()
    return MatchCall(current, tables, can_be_called)


def _free_tables(pairing: Pairing) -> tuple[Table, ...]:
    """Returns the open tables without a call, reserved ones last."""
    event_id = pairing.round.bracket.tournament.event_id
    occupied = Call.objects.filter(table=OuterRef("pk"), ended_at__isnull=True)
    tables = Table.objects.filter(room__event=event_id, closed_at__isnull=True).exclude(Exists(occupied))
    return tuple(tables.order_by("is_reserved", "position", "pk"))
