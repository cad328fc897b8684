"""The pool of tables as a director sets it up: every table, with what is pinned to it. Reads only."""

from collections.abc import Mapping
from dataclasses import dataclass

from tournament.models import Event, Pin, Table


@dataclass(frozen=True, slots=True)
class PinInPool:
    """`whom` names a player, or both players of a pairing."""

    id: int
    whom: str
    reason: str


@dataclass(frozen=True, slots=True)
class TableInPool:
    """`number` counts from 1 in the order of the room."""

    id: int
    number: int
    name: str
    note: str
    is_reserved: bool
    is_closed: bool
    pins: tuple[PinInPool, ...]


def pool_shown(event: Event) -> tuple[TableInPool, ...]:
    """Every table of the event in its order, in two statements."""
    pins: dict[int, list[PinInPool]] = {}
    rows = Pin.objects.filter(table__room__event=event).select_related(
        "player", "pairing__left__player", "pairing__right__player"
    )
    for row in rows.order_by("pk"):
        pins.setdefault(row.table_id, []).append(PinInPool(row.pk, _whom(row), row.reason))
    tables = enumerate(Table.objects.filter(room__event=event), start=1)
    return tuple(_table(number, row, pins) for number, row in tables)


def _table(number: int, row: Table, pins: Mapping[int, list[PinInPool]]) -> TableInPool:
    held = tuple(pins.get(row.pk, ()))
    return TableInPool(row.pk, number, row.name, row.note, row.is_reserved, row.closed_at is not None, held)


def _whom(row: Pin) -> str:
    if row.player is not None:
        return row.player.name
    both = (row.pairing.left, row.pairing.right) if row.pairing else ()
    return " – ".join(entry.name if entry else "?" for entry in both)
