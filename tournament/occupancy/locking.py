"""The one lock on a room: its tables and its calls. Taken last, after the tournament's and the match's.

The row of a room is made here on first use. Whatever changes under the lock gives the room a new version, which is
told after the commit; a room that calls by itself is then filled.
"""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.db import transaction

from matches.statements import CompiledQuery
from tournament.models import Room
from tournament.runtime import publish, queue

auto_call_rooms = Room.objects.filter(auto_call=True)
_auto_call_room_of: CompiledQuery[Room] = CompiledQuery(
    lambda event: auto_call_rooms.only("pk").filter(event=event)
)


@dataclass(slots=True)
class LockedRoom:
    """A room under its lock. `may_call`: something became free, so a room that calls by itself looks who is next."""

    room: Room
    has_freed_tables: bool = False


@contextmanager
def lock_room(event_id: uuid.UUID) -> Iterator[LockedRoom]:
    """A transaction that holds the lock of the event's room, which has a new version on the way out."""
    with transaction.atomic():
        changes = LockedRoom(_lock_row(event_id))
        yield changes
        room = changes.room
        room.version += 1
        room.save()
        is_to_be_filled = changes.has_freed_tables and room.auto_call
        transaction.on_commit(lambda: _publish_room(room, is_to_be_filled=is_to_be_filled), robust=True)


def fill_after_commit(event_id: uuid.UUID) -> None:
    """Matches were opened: a room that calls by itself looks after the commit who is next."""
    for room in _auto_call_room_of.all(event_id):
        transaction.on_commit(lambda pk=room.pk: queue.enqueue_room_filling(pk), robust=True)  # type: ignore[misc]


def _lock_row(event_id: uuid.UUID) -> Room:
    rows = Room.objects.select_for_update().filter(event=event_id)
    room = rows.first()
    if room is None:
        Room.objects.get_or_create(event_id=event_id)
        room = rows.get()
    return room


def _publish_room(room: Room, *, is_to_be_filled: bool) -> None:
    if is_to_be_filled:
        queue.enqueue_room_filling(room.pk)
    publish.publish_changes({room.pk: room.version})
