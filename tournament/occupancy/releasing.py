"""Updates calls and tables when a match is played: the first game marks the call, the end frees the table.

Runs with the lock of the match held, in the transaction that ends the match. A match without a call costs one query
and no lock.
"""

import uuid
from collections.abc import Collection

from django.utils import timezone

from matches.scorecard import WriteResult
from matches.statements import CompiledQuery
from tournament.models import Call, TableOccupancy
from tournament.occupancy import locking
from tournament.occupancy.locking import LockedRoom

_call_of: CompiledQuery[Call] = CompiledQuery(
    lambda match: Call.objects.select_related("room").filter(match=match, ended_at__isnull=True)
)


def release_tables(match_ids: Collection[uuid.UUID]) -> None:
    """Ends the calls of finished or cancelled matches."""
    calls = _current_calls(match_ids)
    if not calls:
        return
    with locking.lock_room(calls[0].room.event_id) as locked:
        end_calls(locked, [call.pk for call in _current_calls(match_ids)])


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
    call = _call_of.first(written.match.pk)
    if call is None or call.playing_at is not None:
        return
    calls = Call.objects.filter(match=written.match, ended_at__isnull=True, playing_at__isnull=True)
    with locking.lock_room(call.room.event_id):
        calls.update(playing_at=timezone.now())


def _current_calls(match_ids: Collection[uuid.UUID]) -> list[Call]:
    """For a single match, the usual case, uses the compiled query."""
    if len(match_ids) < 2:
        return [call for match_id in match_ids for call in _call_of.all(match_id)]
    return list(Call.objects.select_related("room").filter(match_id__in=match_ids, ended_at__isnull=True))
