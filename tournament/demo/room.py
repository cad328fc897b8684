"""The room of the demonstration: two dozen tables, whoever plays at one, three called and not there yet."""

from matches.models import MatchState
from tournament.access.actors import Actor
from tournament.models import Event, Pairing, Table
from tournament.room import calls, tables
from tournament.room.tables import TablePlan
from tournament.room.waiting import busy_players, players_of, waiting_pairings

POOL = "1-22, Stream, Step-free"
RESERVED = {"Stream": "filmed", "Step-free": "no stairs on the way"}
CALLED = 3


def open_room(event: Event, director: Actor) -> None:
    """Everybody who plays sits at a table; the matches that have waited longest are called."""
    pool = tables.add(event.pk, POOL, director)
    for table in pool:
        if table.name in RESERVED:
            tables.change(table, TablePlan(table.name, RESERVED[table.name], is_reserved=True), director)
    free = [table for table in pool if table.name not in RESERVED]
    playing = Pairing.objects.filter(round__bracket__tournament__event=event, match__state=MatchState.OPEN)
    for pairing in list(playing.filter(match__began_at__isnull=False).select_related("left", "right")):
        _call(pairing, free, director, plays=True)
    waiting = [row for row in waiting_pairings(event.pk) if not players_of(row) & busy_players(event.room)]
    for pairing in waiting[:CALLED]:
        _call(pairing, free, director, plays=False)


def _call(pairing: Pairing, free: list[Table], director: Actor, *, plays: bool) -> None:
    made = calls.call(pairing.pk, free.pop(0).pk, director)
    if plays:
        calls.mark_playing(made.pk, director)
