"""What play does to the room: the first game shows that they play, and a match that ends frees its table.

Called with the match's lock held, in the transaction that ends the match. A match that nobody was called to costs one
look and no lock.
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
    """Ends the calls of matches that are over or are no longer played."""
    standing = _current_calls(match_ids)
    if not standing:
        return
    with locking.lock_room(standing[0].room.event_id) as changes:
        end_calls(changes, [call.pk for call in _current_calls(match_ids)])


def end_calls(changes: LockedRoom, call_ids: Collection[uuid.UUID], **more: bool) -> None:
    """Ends these calls: their tables and players are free."""
    now = timezone.now()
    TableOccupancy.objects.filter(call__in=call_ids, left_at__isnull=True).update(left_at=now)
    Call.objects.filter(pk__in=call_ids).update(ended_at=now, **more)
    changes.has_freed_tables = True


def note_first_game(written: WriteResult) -> None:
    """The first row of a card shows that the two who were called have begun."""
    if written.is_repeat or written.row.number != 1:
        return
    call = _call_of.first(written.match.pk)
    if call is None or call.playing_at is not None:
        return
    unseen = Call.objects.filter(match=written.match, ended_at__isnull=True, playing_at__isnull=True)
    with locking.lock_room(call.room.event_id):
        unseen.update(playing_at=timezone.now())


def _current_calls(match_ids: Collection[uuid.UUID]) -> list[Call]:
    """Where one result is posted, which is nearly always, the statement is made already."""
    if len(match_ids) < 2:
        return [call for one in match_ids for call in _call_of.all(one)]
    return list(Call.objects.select_related("room").filter(match_id__in=match_ids, ended_at__isnull=True))
