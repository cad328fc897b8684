"""Undoes a change of tables that the journal stores under one id: added, changed, and removed tables."""

import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tournament.access.actors import Actor
from tournament.live import journal
from tournament.live.journal import JournalEntry
from tournament.models import Call, JournalLine, Pairing, Pin, Player, Table
from tournament.occupancy import locking
from tournament.occupancy.locking import LockedRoom
from tournament.refusals.room import (
    TABLE_CHANGED_AGAIN,
    TABLE_NAME_TAKEN,
    TABLE_REMOVED_AGAIN,
    TABLE_WAS_USED,
    TABLES_NOT_KNOWN,
)
from tournament.room.tables import (
    ADDED,
    BATCH,
    TablePlan,
    change_many,
    holds_change,
    is_as_added,
    table_positions,
)
from tournament.runtime.errors import NotFound, Refused


def undo(event_id: uuid.UUID, batch: uuid.UUID, actor: Actor) -> None:
    """Undoes the change with this id, all or nothing.

    Raises NotFound for an unknown id. Raises Refused if an added table was used, pinned or changed, a changed table was
    changed again, a name is taken again, or another table of this name was removed later.
    """
    rows = JournalLine.objects.filter(event=event_id, verb__in=UNDOS, **{f"after__{BATCH}": str(batch)})
    lines = list(rows.order_by("pk"))
    if not lines:
        raise NotFound
    with locking.lock_room(event_id) as locked:
        UNDOS[lines[0].verb](locked, lines, actor)


def _remove_added(locked: LockedRoom, lines: Sequence[JournalLine], actor: Actor) -> None:
    """Ignores tables that were removed in the meantime. Raises Refused if one was used, pinned or changed."""
    after = lines[0].after
    if ADDED not in after:
        raise Refused(TABLES_NOT_KNOWN)
    name_of = dict(zip(after[ADDED], after["tables"], strict=True))
    rows = locked.room.tables.filter(pk__in=name_of)
    used = Call.objects.filter(table__in=rows).select_related("table").first()
    if used is not None and used.table is not None:
        raise Refused(TABLE_WAS_USED, name=used.table.name)
    pinned = set(Pin.objects.filter(table__in=rows).values_list("table", flat=True))
    for row in rows:
        if row.pk in pinned or not is_as_added(row, name_of[row.pk]):
            raise Refused(TABLE_CHANGED_AGAIN, name=row.name)
    removed = [row.name for row in rows]
    rows.delete()
    journal.write(locked.room.event, actor, JournalEntry("undo add tables", before={"tables": removed}))


def _restore_values(locked: LockedRoom, lines: Sequence[JournalLine], actor: Actor) -> None:
    """Ignores tables that were removed in the meantime. Raises Refused if one was changed again."""
    line_of = {int(line.subject_id): line for line in lines}
    rows = list(locked.room.tables.filter(pk__in=line_of))
    positions = table_positions(locked.room)
    for row in rows:
        before, after = line_of[row.pk].before, line_of[row.pk].after
        is_unchanged = holds_change(row, positions[row.pk], before, after)
        if not is_unchanged and not holds_change(row, positions[row.pk], after, before):
            raise Refused(TABLE_CHANGED_AGAIN, name=row.name)
    plans = {row.pk: _plan(line_of[row.pk].before, line_of[row.pk].after) for row in rows}
    change_many(locked.room.event_id, plans, actor)


def _plan(before: Mapping[str, Any], after: Mapping[str, Any]) -> TablePlan:
    """Moves the table only if the change did."""
    position = before.get("position")
    is_moved = position != after.get("position")
    return TablePlan(
        before["table"],
        before["note"],
        before["reserved"],
        position if is_moved else None,
        before["closed"],
    )


def _restore_removed(locked: LockedRoom, lines: Sequence[JournalLine], actor: Actor) -> None:
    before = lines[0].before
    name = before["table"]
    if Table.objects.filter(room=locked.room, name=name).exists():
        raise Refused(TABLE_NAME_TAKEN, name=name)
    removals = JournalLine.objects.filter(event=locked.room.event_id, verb="remove table", before__table=name)
    if removals.filter(pk__gt=lines[0].pk).exists():
        raise Refused(TABLE_REMOVED_AGAIN, name=name)
    table = Table.objects.create(
        room=locked.room,
        name=name,
        note=before.get("note", ""),
        is_reserved=before.get("reserved", False),
        closed_at=lines[0].at if before.get("closed") else None,
        position=before["position"],
    )
    for pin in before["pins"]:
        _restore_pin(table, pin)
    locked.has_freed_tables = True
    entry = JournalEntry("restore table", "table", table.pk, after={"table": name})
    journal.write(locked.room.event, actor, entry)


def _restore_pin(table: Table, pin: Mapping[str, Any]) -> None:
    """Ignores a pin whose player or pairing is gone or pinned elsewhere."""
    player = Player.objects.filter(pk=pin["player"], pin__isnull=True).first()
    pairing = Pairing.objects.filter(pk=pin["pairing"], pin__isnull=True).first()
    if player is not None or pairing is not None:
        Pin.objects.create(table=table, player=player, pairing=pairing, reason=pin["reason"])


UNDOS: Mapping[str, Callable[[LockedRoom, Sequence[JournalLine], Actor], None]] = {
    "add tables": _remove_added,
    "change table": _restore_values,
    "remove table": _restore_removed,
}
