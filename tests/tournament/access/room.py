"""Access to the room: a monitor calls matches, a director sets up tables."""

import uuid
from typing import Any

from tests.tournament.access.world import CALLERS, DIRECTORS, EVERYBODY, World, event, page, press, rows, says
from tournament.models import Call, JournalLine, Pin, Table
from tournament.room import playing, tables


def table(world: World) -> list[Any]:
    """The second table, which is free."""
    return [Table.objects.get(name="2").pk]


def call(world: World) -> list[Any]:
    """The current call, which has no table."""
    return [Call.objects.get(ended_at=None, match=world.hall.second_pairing.match).pk]


def pin(world: World) -> list[Any]:
    return [Pin.objects.get().pk]


def to_table(world: World) -> dict[str, Any]:
    return {"what": f"p{world.pairing.pk}", "table": table(world)[0]}


def tables_are_added(world: World) -> None:
    tables.add(world.tournament.event_id, "31-32", world.hall.owner, uuid.uuid4())


def changed_tables(world: World) -> list[Any]:
    line = JournalLine.objects.filter(verb="add tables", after__batch__isnull=False).first()
    return [*event(world), line.after["batch"] if line else uuid.uuid4()]


def all_are_playing(world: World) -> None:
    playing.mark_all_playing(world.tournament.event_id, world.hall.owner, uuid.uuid4())


def marked_calls(world: World) -> list[Any]:
    line = JournalLine.objects.filter(verb="see playing", after__batch__isnull=False).first()
    return [*event(world), line.after["batch"] if line else uuid.uuid4()]


CALL_ACTIONS = ("second", "undo-second", "playing", "undo-playing", "take-back", "restore")
ROOM_ROWS = [
    *rows("room room-fragment", "GET", CALLERS, event),
    *press("room-action", CALLERS, lambda world: [*event(world), "place"], body=to_table),
    *press("room-action", CALLERS, lambda world: [*event(world), "next"]),
    *press("room-action", CALLERS, lambda world: [*event(world), "fill"]),
    *press("room-action", CALLERS, lambda world: [*event(world), "all-playing"]),
    *press("calls-playing-undo", CALLERS, marked_calls, ready=all_are_playing),
    *press("call-move-undo", CALLERS, lambda world: [*event(world), *call(world), 0, *table(world)]),
    *[access_row for action in CALL_ACTIONS for access_row in press(
        "call-action", CALLERS, lambda world, action=action: [*event(world), *call(world), action])],
    *rows(
        "table-overlay table-overlay-fragment", "GET", EVERYBODY, lambda world: [*event(world), *table(world)]
    ),
    *page("tables", DIRECTORS, event, body=says(names="3-4")),
    *press("calling", DIRECTORS, event, body=says(second_call_after=4)),
    *press("tables-save", DIRECTORS, event, body=lambda world: {f"t{table(world)[0]}-name": "Two"}),
    *[access_row for action in ("close", "open", "remove") for access_row in press(
        "table-action", DIRECTORS, lambda world, action=action: [*event(world), *table(world), action])],
    *press("tables-undo", DIRECTORS, changed_tables, ready=tables_are_added),
    *press("pin-new", DIRECTORS, event, body=lambda world: {
        "whom": f"match {world.pairing.pk}", "table": table(world)[0]}),
    *press("pin-remove", DIRECTORS, lambda world: [*event(world), *pin(world)]),
]  # fmt: skip

ROOM_API_ROWS = [
    *rows("room", "GET", CALLERS, event),
    *rows("room", "PUT", DIRECTORS, event, body=says(by_itself=False, second_call_after=4)),
    *rows("next-calls", "POST", CALLERS, event, done=201),
    *rows("calls", "POST", CALLERS, event, done=201,
          body=lambda world: {"pairing": world.pairing.pk, "table": table(world)[0]}),
    *rows("tables", "POST", DIRECTORS, event, body=says(names="3-4"), done=201),
    *rows("table", "PUT", DIRECTORS, table, body=says(name="Two", position=1)),
    *rows("table", "DELETE", DIRECTORS, table, done=204),
    *rows("pins", "POST", DIRECTORS, table, body=lambda world: {"pairing": world.pairing.pk}, done=201),
    *rows("pin", "DELETE", DIRECTORS, pin, done=204),
    *rows("call-second call-playing", "POST", CALLERS, call),
    *rows("call-move", "POST", CALLERS, call, body=lambda world: {"table": table(world)[0]}),
    *rows("call-take-back", "POST", CALLERS, call, done=204),
]  # fmt: skip
