"""The tables of a room: names, order, reserved tables, pins, and the settings of calls.

A table that has had a call is closed, not removed, because calls refer to it.
"""

import re
import uuid
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from tournament.access.actors import Actor
from tournament.live import journal
from tournament.live.journal import JournalEntry
from tournament.models import Call, Pairing, Pin, Player, Room, Table
from tournament.models.room import LONGEST_TABLE_NAME
from tournament.occupancy import locking
from tournament.refusals.room import (
    NO_TABLE_NAMES,
    ONE_TABLE_NAME,
    SECOND_CALL_OUT_OF_RANGE,
    TABLE_NAME_TAKEN,
    TABLE_NAME_TOO_LONG,
    TABLE_WAS_USED,
    TOO_MANY_TABLES,
)
from tournament.runtime.errors import NotFound, Refused

MOST_TABLES = 500
BATCH = "batch"
"""Key of a journal line's values: the id that undoes one change of tables."""
ADDED = "table_ids"
"""Key of a journal line's values: the ids of added tables, in the order of their names."""
LONGEST_WAIT = 120
LONGEST_RANGE = 3 * LONGEST_TABLE_NAME
RANGE = re.compile(r"(?P<stem>.*?)(?P<first>[0-9]{1,4})\s*[-–]\s*(?:(?P=stem))?(?P<last>[0-9]{1,4})")


@dataclass(frozen=True, slots=True)
class TablePlan:
    """Values for one table. `position` counts from 1. None for `position` or `is_closed` leaves the value unchanged."""

    name: str
    note: str = ""
    is_reserved: bool = False
    position: int | None = None
    is_closed: bool | None = None


def parse_names(typed: str) -> list[str]:
    """Parses names like “1-24, Stream, A1-A4” without duplicates. Raises Refused for too many or too long names."""
    names: dict[str, None] = {}
    for part in (piece.strip() for piece in re.split(r"[,;\n]", typed)):
        names |= dict.fromkeys(_expand_range(part))
        if len(names) > MOST_TABLES:
            raise Refused(TOO_MANY_TABLES, most=MOST_TABLES)
    if not names:
        raise Refused(NO_TABLE_NAMES)
    if any(len(name) > LONGEST_TABLE_NAME for name in names):
        raise Refused(TABLE_NAME_TOO_LONG, most=LONGEST_TABLE_NAME)
    return list(names)


def add(event_id: uuid.UUID, typed: str, actor: Actor, batch: uuid.UUID | None = None) -> list[Table]:
    """Adds tables after the others and returns them; skips existing names. `batch`: see `table_undo`."""
    names = parse_names(typed)
    with locking.lock_room(event_id) as locked:
        existing = dict(locked.room.tables.values_list("name", "position"))
        last = max(existing.values(), default=0)
        new = [name for name in names if name not in existing]
        if len(existing) + len(new) > MOST_TABLES:
            raise Refused(TOO_MANY_TABLES, most=MOST_TABLES)
        tables = Table.objects.bulk_create(
            Table(room=locked.room, name=name, position=last + number)
            for number, name in enumerate(new, start=1)
        )
        locked.has_freed_tables = True
        after = {"tables": new, ADDED: [row.pk for row in tables], **batch_values(batch)}
        journal.write(locked.room.event, actor, JournalEntry("add tables", after=after))
        return tables


def change(table: Table, plan: TablePlan, actor: Actor) -> Table:
    """Changes name, note, position and whether the table is reserved or closed. Raises Refused for a used name."""
    change_many(table.room.event_id, {table.pk: plan}, actor)
    return Table.objects.get(pk=table.pk)


def change_many(
    event_id: uuid.UUID, plans: Mapping[int, TablePlan], actor: Actor, batch: uuid.UUID | None = None
) -> int:
    """Changes several tables, all or none, and returns the number of changed ones. Two tables can swap their names.

    Raises NotFound for a table of another event, and Refused for a name that two tables would have. `batch`: see
    `table_undo`.
    """
    with locking.lock_room(event_id) as locked:
        rows = {row.pk: row for row in locked.room.tables.filter(pk__in=plans)}
        if len(rows) < len(plans):
            raise NotFound
        numbers = table_positions(locked.room)
        before = {pk: {**journal_values(row), "position": numbers[pk]} for pk, row in rows.items()}
        for pk, row in rows.items():
            _apply_plan(row, plans[pk])
        _refuse_repeated_names(locked.room, rows)
        _free_names(rows.values(), before)
        Table.objects.bulk_update(rows.values(), ["name", "note", "is_reserved", "closed_at"], batch_size=100)
        _move_tables(locked.room, {pk: plan.position for pk, plan in plans.items()})
        numbers = table_positions(locked.room)
        after = {pk: {**journal_values(row), "position": numbers[pk]} for pk, row in rows.items()}
        changed = [pk for pk in rows if before[pk] != after[pk]]
        locked.has_freed_tables = bool(changed)
        lines = [
            JournalEntry("change table", "table", pk, before[pk], {**after[pk], **batch_values(batch)})
            for pk in changed
        ]
        journal.write_many(locked.room.event, actor, lines)
        return len(changed)


def _apply_plan(row: Table, plan: TablePlan) -> None:
    names = parse_names(plan.name)
    if len(names) != 1:
        raise Refused(ONE_TABLE_NAME)
    row.name, row.note, row.is_reserved = names[0], plan.note.strip(), plan.is_reserved
    if plan.is_closed is not None:
        row.closed_at = (row.closed_at or timezone.now()) if plan.is_closed else None


def _refuse_repeated_names(room: Room, rows: Mapping[int, Table]) -> None:
    names = [
        *(row.name for row in rows.values()),
        *room.tables.exclude(pk__in=rows).values_list("name", flat=True),
    ]
    repeated = next((name for name, count in Counter(names).items() if count > 1), None)
    if repeated is not None:
        raise Refused(TABLE_NAME_TAKEN, name=repeated)


def _free_names(rows: Iterable[Table], before: Mapping[int, Mapping[str, object]]) -> None:
    """Gives renamed tables a temporary name, because the constraint on names holds within a statement too."""
    for row in rows:
        if before[row.pk]["table"] != row.name:
            Table.objects.filter(pk=row.pk).update(name=f"#{row.pk}")


def close(table: Table, actor: Actor) -> None:
    """Closes a table for new calls; a match at it continues. Idempotent."""
    with locking.lock_room(table.room.event_id) as locked:
        row = _load_table(locked.room, table.pk)
        if row.closed_at is None:
            row.closed_at = timezone.now()
            row.save(update_fields=["closed_at"])
            entry = JournalEntry("close table", "table", row.pk, after={"table": row.name})
            journal.write(locked.room.event, actor, entry)


def reopen(table: Table, actor: Actor) -> None:
    """Opens a closed table. Idempotent."""
    with locking.lock_room(table.room.event_id) as locked:
        row = _load_table(locked.room, table.pk)
        if row.closed_at is not None:
            row.closed_at = None
            row.save(update_fields=["closed_at"])
            locked.has_freed_tables = True
            entry = JournalEntry("open table", "table", row.pk, after={"table": row.name})
            journal.write(locked.room.event, actor, entry)


def remove(table: Table, actor: Actor, batch: uuid.UUID | None = None) -> None:
    """Removes a table with its pins. Raises Refused if it has ever had a call. `batch`: see `table_undo`."""
    with locking.lock_room(table.room.event_id) as locked:
        row = _load_table(locked.room, table.pk)
        if Call.objects.filter(table=row).exists():
            raise Refused(TABLE_WAS_USED, name=row.name)
        before = {
            **{name: value for name, value in journal_values(row).items() if value},
            "position": row.position,
            "pins": [_pin_json(pin) for pin in row.pins.all()],
        }
        entry = JournalEntry("remove table", before=before, after=batch_values(batch))
        journal.write(locked.room.event, actor, entry)
        Table.objects.filter(pk=row.pk).delete()


def pin(table: Table, holder: Player | Pairing, reason: str, actor: Actor) -> Pin:
    """Pins a player or a pairing to this table. Replaces an earlier pin.

    Raises NotFound for a player who was merged meanwhile, and for a pairing that was removed.
    """
    with locking.lock_room(table.room.event_id) as locked:
        row = _load_table(locked.room, table.pk)
        field = "player" if isinstance(holder, Player) else "pairing"
        rows: QuerySet[Any] = Player.objects.all() if field == "player" else Pairing.objects.all()
        if not rows.filter(pk=holder.pk).exists():
            raise NotFound
        Pin.objects.filter(**{field: holder}).delete()
        new_pin = Pin.objects.create(table=row, reason=reason.strip(), **{field: holder})
        locked.has_freed_tables = True
        after = {"table": row.name, field: str(holder.pk)}
        entry = JournalEntry("pin to table", "table", row.pk, after=after, reason=new_pin.reason)
        journal.write(locked.room.event, actor, entry)
        return new_pin


def unpin(existing: Pin, actor: Actor) -> None:
    """Removes a pin. Idempotent."""
    with locking.lock_room(existing.table.room.event_id) as locked:
        deleted, _ = Pin.objects.filter(pk=existing.pk).delete()
        if deleted:
            locked.has_freed_tables = True
            entry = JournalEntry(
                "lift pin", "table", existing.table_id, before={"table": existing.table.name}
            )
            journal.write(locked.room.event, actor, entry)


def set_calling(event_id: uuid.UUID, actor: Actor, *, by_itself: bool, second_call_after: int) -> Room:
    """Sets automatic calls, and the minutes after which a second call is due."""
    if not 1 <= second_call_after <= LONGEST_WAIT:
        raise Refused(SECOND_CALL_OUT_OF_RANGE, most=LONGEST_WAIT)
    with locking.lock_room(event_id) as locked:
        room = locked.room
        before = {"calls_by_itself": room.auto_call, "second_call_after": room.second_call_after}
        room.auto_call, room.second_call_after = by_itself, second_call_after
        locked.has_freed_tables = True
        after = {"calls_by_itself": by_itself, "second_call_after": second_call_after}
        journal.write(room.event, actor, JournalEntry("set calling", before=before, after=after))
        return room


def _expand_range(part: str) -> list[str]:
    match = RANGE.fullmatch(part) if len(part) <= LONGEST_RANGE else None
    if match is None:
        return [part] if part else []
    first, last = int(match["first"]), int(match["last"])
    if first > last or last - first >= MOST_TABLES:
        return [part]
    return [f"{match['stem']}{number}" for number in range(first, last + 1)]


def _load_table(room: Room, table_id: int) -> Table:
    table = Table.objects.filter(pk=table_id, room=room).first()
    if table is None:
        raise NotFound
    return table


def is_as_added(table: Table, name: str) -> bool:
    """True if the table has the name that it was added with and none of its values was changed."""
    return journal_values(table) == journal_values(Table(name=name))


def batch_values(batch: uuid.UUID | None) -> dict[str, object]:
    return {} if batch is None else {BATCH: str(batch)}


def _pin_json(row: Pin) -> dict[str, object]:
    return {"player": row.player_id and str(row.player_id), "pairing": row.pairing_id, "reason": row.reason}


def table_positions(room: Room) -> dict[int, int]:
    """Returns the places of all tables in the room, from 1."""
    return {row.pk: number for number, row in enumerate(room.tables.all(), start=1)}


def holds_change(table: Table, position: int, before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    """True if the table has the values `after` the change, and the position if the change moved it."""
    is_moved = before.get("position") != after.get("position")
    return journal_values(table).items() <= after.items() and (
        not is_moved or after.get("position") == position
    )


def journal_values(table: Table) -> dict[str, object]:
    closed = table.closed_at is not None
    return {"table": table.name, "note": table.note, "reserved": table.is_reserved, "closed": closed}


def _move_tables(room: Room, positions: Mapping[int, int | None]) -> None:
    """Renumbers the tables of the room, with these tables at these positions. None changes nothing."""
    numbers = table_positions(room)
    order = list(numbers)
    moved = {pk: position for pk, position in positions.items() if position not in (None, numbers[pk])}
    for pk, position in sorted(moved.items(), key=lambda item: item[1] or 0):
        order.remove(pk)
        order.insert(max(0, (position or 1) - 1), pk)
    if not moved:
        return
    rows = room.tables.in_bulk()
    for number, pk in enumerate(order, start=1):
        rows[pk].position = number
    Table.objects.bulk_update(rows.values(), ["position"], batch_size=100)
