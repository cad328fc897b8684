"""The room of the demonstration: 24 tables, a table for each match in progress, three calls without players yet."""

from tournament.access.actors import Actor
from tournament.models import Event, Pairing, Table
from tournament.room import calls, tables
from tournament.room.assignment_input import busy_players, players_of, playing_pairings, waiting_pairings
from tournament.room.tables import TablePlan

POOL = "1-22, Stream, Step-free"
RESERVED = {"Stream": "filmed", "Step-free": "no stairs on the way"}
CALLED = 3


def open_room(event: Event, director: Actor) -> None:
    """Assigns tables to begun matches, and calls the matches that have waited longest."""
    new_tables = tables.add(event.pk, POOL, director)
    for table in new_tables:
        if table.name in RESERVED:
            tables.change(table, TablePlan(table.name, RESERVED[table.name], is_reserved=True), director)
    free = [table for table in new_tables if table.name not in RESERVED]
    for pairing in list(playing_pairings(event.pk).select_related("left", "right")):
        _call(pairing, free, director, plays=True)
    waiting = [row for row in waiting_pairings(event.pk) if not players_of(row) & busy_players(event.room)]
    for pairing in waiting[:CALLED]:
        _call(pairing, free, director, plays=False)


def _call(pairing: Pairing, free: list[Table], director: Actor, *, plays: bool) -> None:
    call = calls.call(pairing.pk, free.pop(0).pk, director)
    if plays:
        calls.mark_playing(call.pk, director)
