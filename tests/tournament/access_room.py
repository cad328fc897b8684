"""Who may do what in the room: a monitor calls and sees calls, a director sets tables up."""

from typing import Any

from tests.tournament.access_world import CALLERS, DIRECTORS, World, event, page, press, rows, says
from tournament.actors import SYSTEM
from tournament.models import Call, Pin, Table
from tournament.room import tables


def table(world: World) -> list[Any]:
    """The second table, at which nobody sits."""
    return [Table.objects.get(name="2").pk]


def in_event(of: Any) -> Any:
    return lambda world: [*event(world), *of(world)]


def call(world: World) -> list[Any]:
    """The one that stands: without a table."""
    return [Call.objects.get(ended_at=None).pk]


def pin(world: World) -> list[Any]:
    found = Pin.objects.first()
    return [found.pk if found else 1]


def is_pinned(world: World) -> None:
    tables.pin(Table.objects.get(name="2"), world.pairing, "", SYSTEM)


def to_table(world: World) -> dict[str, Any]:
    return {"what": f"p{world.pairing.pk}", "table": table(world)[0]}


ROOM_ROWS = [
    *rows("room room-fragment", "GET", CALLERS, event),
    *press("room-action", CALLERS, lambda world: [*event(world), "place"], body=to_table),
    *press("room-action", CALLERS, lambda world: [*event(world), "next"]),
    *press("room-action", CALLERS, lambda world: [*event(world), "fill"]),
    *[one for action in ("second", "playing", "take-back") for one in press(
        "call-action", CALLERS, lambda world, action=action: [*event(world), *call(world), action])],
    *page("tables", DIRECTORS, event, body=says(names="3-4")),
    *press("calling", DIRECTORS, event, body=says(second_call_after=4)),
    *press("table-action", DIRECTORS, lambda world: [*event(world), *table(world), "save"], body=says(name="Two")),
    *[one for action in ("close", "open", "remove") for one in press(
        "table-action", DIRECTORS, lambda world, action=action: [*event(world), *table(world), action])],
    *press("pin-new", DIRECTORS, event, body=lambda world: {
        "whom": f"match {world.pairing.pk}", "table": table(world)[0]}),
    *press("pin-remove", DIRECTORS, lambda world: [*event(world), *pin(world)], ready=is_pinned),
]  # fmt: skip

ROOM_API_ROWS: list[Any] = []
