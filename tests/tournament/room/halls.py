"""Events with tables, as tests of the room need them."""

from tests.tournament import stories
from tournament.access.actors import SYSTEM
from tournament.models import Call, Pairing, Room, Table, TableOccupancy, Tournament
from tournament.room import tables


def with_tables(made: Tournament, typed: str = "1-3") -> list[Table]:
    tables.add(made.event_id, typed, SYSTEM)
    return list(Table.objects.filter(room__event=made.event_id))


def semifinals(typed: str = "1-3", **more) -> tuple[Tournament, list[Pairing], list[Table]]:
    """Four players, drawn and released, and tables."""
    made = stories.released(stories.director(), 4, lengths=(5,), **more)
    return made, stories.playable(made), with_tables(made, typed)


def standing() -> list[tuple[str, set[str]]]:
    """Returns every current call: the table's name and its players."""
    calls = Call.objects.filter(ended_at__isnull=True).select_related("table")
    return [
        (call.table.name if call.table else "", {seat.player.name for seat in call.players.all()})
        for call in calls
    ]


def names(pairing: Pairing) -> set[str]:
    assert pairing.left
    assert pairing.right
    return {pairing.left.player.name, pairing.right.player.name}


def no_table_is_taken() -> bool:
    is_called = Call.objects.filter(ended_at__isnull=True).exists()
    return not is_called and not TableOccupancy.objects.filter(left_at__isnull=True).exists()


def room_of(made: Tournament) -> Room:
    return Room.objects.get(event=made.event_id)
