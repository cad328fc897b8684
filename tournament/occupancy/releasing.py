"""Updates calls and tables when a match is played: the first game marks the call, the end frees the table.

Runs with the lock of the match held, in the transaction that ends the match. A match without a call costs one query
and no lock.
"""

import uuid
from collections.abc import Collection

from django.utils import timezone

from matches.scorecard import WriteResult
from tournament import sql
from tournament.models import Call, Room, TableOccupancy, Tournament
from tournament.occupancy import locking
from tournament.occupancy.locking import LockedRoom


def release_tables(match_ids: Collection[uuid.UUID]) -> None:
    """Ends the calls of finished or cancelled matches."""
    calls = sql.current_calls(match_ids) if match_ids else []
    if calls:
        with locking.lock_room(calls[0].room.event_id) as locked:
            end_calls(locked, [call.pk for call in sql.current_calls(match_ids)])


def release_tables_of_tournament(tournament: Tournament) -> None:
    """Ends all calls of a tournament that leaves the room.

    Takes the lock of the room first: a call either ends here, or sees that the tournament has left.
    """
    if not Room.objects.filter(event=tournament.event_id).exists():
        return
    with locking.lock_room(tournament.event_id) as locked:
        calls = Call.objects.filter(pairing__round__bracket__tournament=tournament, ended_at__isnull=True)
        end_calls(locked, list(calls.values_list("pk", flat=True)))


def end_calls(locked: LockedRoom, call_ids: Collection[uuid.UUID], **fields: bool) -> None:
    """Ends these calls and frees their tables and players."""
    now = timezone.now()
    TableOccupancy.objects.filter(call__in=call_ids, left_at__isnull=True).update(left_at=now)
    Call.objects.filter(pk__in=call_ids).update(ended_at=now, **fields)
    locked.has_freed_tables = True


def note_first_game(written: WriteResult) -> None:
    """The first row of a score card marks the call as being played."""
    if written.is_repeat or written.row.number != 1:
        return
    calls = Call.objects.filter(match=written.match, ended_at__isnull=True, playing_at__isnull=True)
    call = calls.select_related("room").first()
    if call is not None:
        with locking.lock_room(call.room.event_id):
            calls.update(playing_at=timezone.now())
