"""What play does to the room: the first game shows that they play, and a match that ends frees its table.

Called with the match's lock held, in the transaction that ends the match. A match that nobody was called to costs one
look and no lock.
"""

import uuid
from collections.abc import Collection

from django.utils import timezone

from matches.scorecard import Written
from tournament.models import AtTable, Call
from tournament.room import locking
from tournament.room.locking import RoomChanges


def free(match_ids: Collection[uuid.UUID]) -> None:
    """Ends the calls of matches that are over or are no longer played."""
    standing = Call.objects.filter(match_id__in=match_ids, ended_at__isnull=True)
    event_id = standing.values_list("room__event_id", flat=True).first() if match_ids else None
    if event_id is None:
        return
    with locking.changing(event_id) as changes:
        end(changes, list(standing.values_list("pk", flat=True)))


def end(changes: RoomChanges, call_ids: Collection[uuid.UUID], **more: bool) -> None:
    """Ends these calls: their tables and players are free."""
    now = timezone.now()
    AtTable.objects.filter(call__in=call_ids, left_at__isnull=True).update(left_at=now)
    Call.objects.filter(pk__in=call_ids).update(ended_at=now, **more)
    changes.may_call = True


def note_play(written: Written) -> None:
    """The first row of a card shows that the two who were called have begun."""
    if written.is_repeat or written.row.number != 1:
        return
    unseen = Call.objects.filter(match=written.match, ended_at__isnull=True, playing_at__isnull=True)
    event_id = unseen.values_list("room__event_id", flat=True).first()
    if event_id is None:
        return
    with locking.changing(event_id):
        unseen.update(playing_at=timezone.now())
