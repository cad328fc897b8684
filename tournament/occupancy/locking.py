"""The lock on a room with its tables and calls. Taken last, after the locks of the tournament and the match.

Creates the row of a room on first use. Every change under the lock raises the room's version, which is published
after the commit. In a room with automatic calls the next matches are then called.
"""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

from django.db import transaction

from tournament.models import Room
from tournament.runtime import publish, queue

auto_call_rooms = Room.objects.filter(auto_call=True)


@dataclass(slots=True)
class LockedRoom:
    """A room under its lock. `has_freed_tables`: a table or player is free, so a room may call the next match."""

    room: Room
    has_freed_tables: bool = False


@contextmanager
def lock_room(event_id: uuid.UUID) -> Iterator[LockedRoom]:
    """Opens a transaction, locks the event's room, and raises its version at the end."""
    with transaction.atomic():
        locked = LockedRoom(_lock_row(event_id))
        yield locked
        room = locked.room
        room.version += 1
        room.save()
        fills_tables = locked.has_freed_tables and room.auto_call
        transaction.on_commit(lambda: _publish_room(room, fills_tables=fills_tables), robust=True)


def fill_after_commit(event_id: uuid.UUID) -> None:
    """After the commit, queues the calling of the next matches if the event's room calls automatically."""
    for room_id in auto_call_rooms.filter(event=event_id).values_list("pk", flat=True):
        transaction.on_commit(partial(queue.enqueue_room_filling, room_id), robust=True)


def _lock_row(event_id: uuid.UUID) -> Room:
    rows = Room.objects.select_for_update().filter(event=event_id)
    room = rows.first()
    if room is None:
        Room.objects.get_or_create(event_id=event_id)
        room = rows.get()
    return room


def _publish_room(room: Room, *, fills_tables: bool) -> None:
    if fills_tables:
        queue.enqueue_room_filling(room.pk)
    publish.publish_changes({room.pk: room.version})
