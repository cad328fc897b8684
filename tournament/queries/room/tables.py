"""The tables of an event with their pins, for the set-up page. Reads only."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import QuerySet

from tournament.access.tournament_lists import is_current
from tournament.models import Event, Pairing, Pin, Player, Room, Table
from tournament.runtime.errors import NotFound


@dataclass(frozen=True, slots=True)
class PinInPool:
    """`holder`: the name of the player, or of both players of the pairing."""

    id: int
    holder: str
    reason: str


@dataclass(frozen=True, slots=True)
class TableInPool:
    """`number`: position in the room, from 1."""

    id: int
    number: int
    name: str
    note: str
    is_reserved: bool
    is_closed: bool
    pins: tuple[PinInPool, ...]


def table_pool(event: Event) -> tuple[TableInPool, ...]:
    """Returns all tables in their order, in two statements."""
    pins: dict[int, list[PinInPool]] = {}
    rows = Pin.objects.filter(table__room__event=event).select_related(
        "player", "pairing__left__player", "pairing__right__player"
    )
    for row in rows.order_by("pk"):
        pins.setdefault(row.table_id, []).append(PinInPool(row.pk, _holder_name(row), row.reason))
    tables = enumerate(Table.objects.filter(room__event=event), start=1)
    return tuple(_table_in_pool(number, row, pins) for number, row in tables)


def _table_in_pool(number: int, row: Table, pins: Mapping[int, list[PinInPool]]) -> TableInPool:
    table_pins = tuple(pins.get(row.pk, ()))
    return TableInPool(
        row.pk, number, row.name, row.note, row.is_reserved, row.closed_at is not None, table_pins
    )


def _holder_name(row: Pin) -> str:
    if row.player is not None:
        return row.player.name
    entries = (row.pairing.left, row.pairing.right) if row.pairing else ()
    return " – ".join(entry.name if entry else "?" for entry in entries)


def room_of_event(event: Event) -> Room | None:
    """Returns None as long as the event has no tables."""
    return Room.objects.filter(event=event).first()


def table_of_event(event: Event, table_id: int) -> Table:
    table = Table.objects.select_related("room").filter(pk=table_id, room__event=event).first()
    if table is None:
        raise NotFound
    return table


def pin_of_event(event: Event, pin_id: int) -> Pin:
    pin = Pin.objects.select_related("table__room").filter(pk=pin_id, table__room__event=event).first()
    if pin is None:
        raise NotFound
    return pin


def tables_to_pin(room: Room | None) -> QuerySet[Table]:
    return Table.objects.filter(room=room).select_related("room")


def players_to_pin(event: Event) -> QuerySet[Player]:
    return Player.objects.filter(event=event)


def pairings_to_pin(event: Event) -> QuerySet[Pairing]:
    """Pairings with a match that is not decided."""
    current = Pairing.objects.filter(is_current("round__bracket__tournament"))
    rows = current.filter(round__bracket__tournament__event=event, match__isnull=False, settled="")
    return rows.select_related("left__player", "right__player")


def player_of_event(event: Event, player_id: uuid.UUID) -> Player:
    player = Player.objects.filter(pk=player_id, event=event).first()
    if player is None:
        raise NotFound
    return player


def pairing_of_event(event: Event, pairing_id: int) -> Pairing:
    current = Pairing.objects.filter(is_current("round__bracket__tournament"))
    pairing = current.filter(pk=pairing_id, round__bracket__tournament__event=event).first()
    if pairing is None:
        raise NotFound
    return pairing
