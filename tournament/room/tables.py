"""The pool of tables: many at once by “1-24”, names, order, reserved ones, pins, and how the room calls.

A table that was ever played at is closed, never removed, so that calls keep their place.
"""

import re
import uuid
from dataclasses import dataclass

from django.utils import timezone

from tournament.access.actors import Actor
from tournament.live import journal
from tournament.live.journal import JournalEntry
from tournament.models import Call, Pairing, Pin, Player, Room, Table
from tournament.models.room import LONGEST_TABLE_NAME
from tournament.occupancy import locking
from tournament.runtime.errors import NotFound, Refused

MOST_TABLES = 500
LONGEST_WAIT = 120
LONGEST_SPAN = 3 * LONGEST_TABLE_NAME
SPAN = re.compile(r"(?P<stem>.*?)(?P<first>[0-9]{1,4})\s*[-–]\s*(?:(?P=stem))?(?P<last>[0-9]{1,4})")


@dataclass(frozen=True, slots=True)
class TablePlan:
    """What a director says of one table. `position` counts from 1; None leaves it where it is, and closed or open."""

    name: str
    note: str = ""
    is_reserved: bool = False
    position: int | None = None
    is_closed: bool | None = None


def names_in(typed: str) -> list[str]:
    """The names of “1-24, Stream, A1-A4”, each once; raises Refused for too many and too long ones."""
    names: dict[str, None] = {}
    for part in (piece.strip() for piece in re.split(r"[,;\n]", typed)):
        names |= dict.fromkeys(_span(part))
        if len(names) > MOST_TABLES:
            raise Refused("too-many-tables", "A room has {most} tables at most.", most=MOST_TABLES)
    if not names:
        raise Refused("no-names", "Type the names of the tables, for example 1-24, Stream.")
    if any(len(name) > LONGEST_TABLE_NAME for name in names):
        raise Refused(
            "name-too-long", "The name of a table has {most} letters at most.", most=LONGEST_TABLE_NAME
        )
    return list(names)


def add(event_id: uuid.UUID, typed: str, actor: Actor) -> list[Table]:
    """Adds tables behind the others; a name that is there already stays as it is."""
    names = names_in(typed)
    with locking.lock_room(event_id) as changes:
        there = dict(changes.room.tables.values_list("name", "position"))
        last = max(there.values(), default=0)
        new = [name for name in names if name not in there]
        if len(there) + len(new) > MOST_TABLES:
            raise Refused("too-many-tables", "A room has {most} tables at most.", most=MOST_TABLES)
        made = Table.objects.bulk_create(
            Table(room=changes.room, name=name, position=last + number)
            for number, name in enumerate(new, start=1)
        )
        changes.has_freed_tables = True
        journal.write(changes.room.event, actor, JournalEntry("add tables", after={"tables": new}))
        return made


def change(table: Table, plan: TablePlan, actor: Actor) -> Table:
    """Another name, note, place in the order; reserved or not. Raises Refused for a name that is given already."""
    with locking.lock_room(table.room.event_id) as changes:
        found = _found(changes.room, table.pk)
        name = names_in(plan.name)
        if len(name) != 1:
            raise Refused("one-name", "A table has one name.")
        if changes.room.tables.filter(name=name[0]).exclude(pk=found.pk).exists():
            raise Refused("name-taken", "There is a table {name} already.", name=name[0])
        before = _said(found)
        found.name, found.note, found.is_reserved = name[0], plan.note.strip(), plan.is_reserved
        if plan.is_closed is not None:
            found.closed_at = (found.closed_at or timezone.now()) if plan.is_closed else None
        found.save(update_fields=["name", "note", "is_reserved", "closed_at"])
        _put(changes.room, found, plan.position)
        changes.has_freed_tables = True
        journal.write(
            changes.room.event, actor, JournalEntry("change table", "table", found.pk, before, _said(found))
        )
        return found


def close(table: Table, actor: Actor) -> None:
    """Nobody is called to it any more; who sits there plays on. Again changes nothing."""
    with locking.lock_room(table.room.event_id) as changes:
        found = _found(changes.room, table.pk)
        if found.closed_at is None:
            found.closed_at = timezone.now()
            found.save(update_fields=["closed_at"])
            deed = JournalEntry("close table", "table", found.pk, after={"table": found.name})
            journal.write(changes.room.event, actor, deed)


def reopen(table: Table, actor: Actor) -> None:
    """It may be given again. Again changes nothing."""
    with locking.lock_room(table.room.event_id) as changes:
        found = _found(changes.room, table.pk)
        if found.closed_at is not None:
            found.closed_at = None
            found.save(update_fields=["closed_at"])
            changes.has_freed_tables = True
            deed = JournalEntry("open table", "table", found.pk, after={"table": found.name})
            journal.write(changes.room.event, actor, deed)


def remove(table: Table, actor: Actor) -> None:
    """Takes a table away that nobody was ever called to; raises Refused for any other."""
    with locking.lock_room(table.room.event_id) as changes:
        found = _found(changes.room, table.pk)
        if Call.objects.filter(table=found).exists():
            raise Refused("table-was-used", "Matches were called to table {name}. Close it.", name=found.name)
        journal.write(changes.room.event, actor, JournalEntry("remove table", before={"table": found.name}))
        Table.objects.filter(pk=found.pk).delete()


def pin(table: Table, whom: Player | Pairing, reason: str, actor: Actor) -> Pin:
    """A player, or one pairing, is played at this table only; an earlier pin of theirs is lifted."""
    with locking.lock_room(table.room.event_id) as changes:
        found = _found(changes.room, table.pk)
        held = {"player": whom} if isinstance(whom, Player) else {"pairing": whom}
        Pin.objects.filter(**held).delete()
        made = Pin.objects.create(table=found, reason=reason.strip(), **held)
        changes.has_freed_tables = True
        after = {"table": found.name, next(iter(held)): str(whom.pk)}
        deed = JournalEntry("pin to table", "table", found.pk, after=after, reason=made.reason)
        journal.write(changes.room.event, actor, deed)
        return made


def unpin(held: Pin, actor: Actor) -> None:
    """Lifts a pin; again changes nothing."""
    with locking.lock_room(held.table.room.event_id) as changes:
        gone, _ = Pin.objects.filter(pk=held.pk).delete()
        if gone:
            changes.has_freed_tables = True
            deed = JournalEntry("lift pin", "table", held.table_id, before={"table": held.table.name})
            journal.write(changes.room.event, actor, deed)


def set_calling(event_id: uuid.UUID, actor: Actor, *, by_itself: bool, second_call_after: int) -> Room:
    """Whether free tables go to waiting matches by themselves, and when a second call is due, in minutes."""
    if not 1 <= second_call_after <= LONGEST_WAIT:
        raise Refused(
            "minutes-out-of-range", "A second call is due after 1 to {most} minutes.", most=LONGEST_WAIT
        )
    with locking.lock_room(event_id) as changes:
        room = changes.room
        before = {"calls_by_itself": room.auto_call, "second_call_after": room.second_call_after}
        room.auto_call, room.second_call_after = by_itself, second_call_after
        changes.has_freed_tables = True
        after = {"calls_by_itself": by_itself, "second_call_after": second_call_after}
        journal.write(room.event, actor, JournalEntry("set calling", before=before, after=after))
        return room


def _span(part: str) -> list[str]:
    found = SPAN.fullmatch(part) if len(part) <= LONGEST_SPAN else None
    if found is None:
        return [part] if part else []
    first, last = int(found["first"]), int(found["last"])
    if first > last or last - first >= MOST_TABLES:
        return [part]
    return [f"{found['stem']}{number}" for number in range(first, last + 1)]


def _found(room: Room, table_id: int) -> Table:
    found = Table.objects.filter(pk=table_id, room=room).first()
    if found is None:
        raise NotFound
    return found


def _said(table: Table) -> dict[str, object]:
    closed = table.closed_at is not None
    return {"table": table.name, "note": table.note, "reserved": table.is_reserved, "closed": closed}


def _put(room: Room, table: Table, position: int | None) -> None:
    """Gives every table its place in the order anew, this one at `position`."""
    if position is None:
        return
    others = [one for one in room.tables.all() if one.pk != table.pk]
    others.insert(max(0, position - 1), table)
    for place, one in enumerate(others, start=1):
        one.position = place
    Table.objects.bulk_update(others, ["position"], batch_size=100)
