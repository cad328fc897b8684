"""Loads the input of the choice of next calls: free tables, waiting matches, busy players, pins. Reads only.

The number of statements does not depend on the size of the room and the event.
"""

import uuid
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from django.db.models import Q, QuerySet

from matches.models import Match, MatchState
from tournament.access.tournament_lists import is_current
from tournament.models import Call, Pairing, Pin, Room, Table, TableOccupancy
from tournament.room.table_assignment import Assignment, FreeTable, WaitingMatch, assign_tables
from tournament.room.urgency import urgency_by_pairing


@dataclass(frozen=True, slots=True)
class Pins:
    """Players and pairings by the table they are pinned to."""

    players: dict[int, set[uuid.UUID]] = field(default_factory=dict)
    pairings: dict[int, set[int]] = field(default_factory=dict)

    def include(self, pairing: int, players: Collection[uuid.UUID]) -> bool:
        """True if this pairing or one of its players is pinned to a table."""
        return any(pairing in pinned for pinned in self.pairings.values()) or any(
            not pinned.isdisjoint(players) for pinned in self.players.values()
        )


def plan_calls(
    room: Room, excluded: Collection[uuid.UUID] = (), only: Collection[int] | None = None
) -> list[Assignment]:
    """Returns the calls to make now, in their order: without the excluded matches, of these pairings `only`."""
    pins = load_pins(room)
    tables = [_free_table(table, pins) for table in free_tables(room)]
    pairings = waiting_pairings(room.event_id) if tables else ()
    rows = [row for row in pairings if row.match_id not in excluded and (only is None or row.pk in only)]
    waiting = waiting_matches(rows, pins, urgency_by_pairing(rows))
    return assign_tables(tables, waiting, busy_players(room)) if waiting else []


def matches_waiting_beside_free_tables(room: Room) -> list[Match]:
    """Returns all waiting matches if a free table could take one of them now, otherwise none."""
    pins = load_pins(room)
    tables = [_free_table(table, pins) for table in free_tables(room)]
    rows = list(waiting_pairings(room.event_id)) if tables else []
    if not rows:
        return []
    if not assign_tables(tables, waiting_matches(rows, pins, {}), busy_players(room)):
        return []
    return [row.match for row in rows if row.match is not None]


def matches_with_call_taken_back(room: Room) -> set[uuid.UUID]:
    return set(Call.objects.filter(room=room, is_taken_back=True).values_list("match", flat=True))


def free_tables(room: Room) -> QuerySet[Table]:
    """Open tables without a current call, in their order."""
    called = Call.objects.filter(room=room, ended_at__isnull=True, table__isnull=False).values("table")
    return Table.objects.filter(room=room, closed_at__isnull=True).exclude(pk__in=called)


def waiting_pairings(event_id: uuid.UUID) -> QuerySet[Pairing]:
    """Pairings that can be played, have not begun and have no current call; longest wait first."""
    called = Call.objects.filter(room__event=event_id, ended_at__isnull=True).values("match")
    rows = _current_pairings(event_id).exclude(match__in=called)
    waiting = rows.filter(match__state=MatchState.OPEN, match__began_at__isnull=True)
    return waiting.select_related(
        "match", "round__bracket__tournament", "left__player", "right__player"
    ).order_by("match__opened_at", "round__bracket__tournament__created_at", "round__number", "line")


def playing_pairings(event_id: uuid.UUID) -> QuerySet[Pairing]:
    """Pairings whose match has begun and has no report yet."""
    rows = _current_pairings(event_id)
    return rows.filter(match__state=MatchState.OPEN, match__began_at__isnull=False)


def _current_pairings(event_id: uuid.UUID) -> QuerySet[Pairing]:
    in_event = Pairing.objects.filter(round__bracket__tournament__event=event_id)
    return in_event.filter(is_current("round__bracket__tournament"))


def waiting_matches(pairings: Iterable[Pairing], pins: Pins, urgency: dict[int, float]) -> list[WaitingMatch]:
    """Converts pairings. `urgency` is by pairing; a missing one counts as 0."""
    return [
        WaitingMatch(
            key=row.pk,
            players=players_of(row),
            waits_since=row.match.opened_at.timestamp() if row.match else 0.0,
            urgency=urgency.get(row.pk, 0.0),
            is_pinned=pins.include(row.pk, players_of(row)),
        )
        for row in pairings
    ]


def players_of(pairing: Pairing) -> frozenset[uuid.UUID]:
    return frozenset(entry.player_id for entry in (pairing.left, pairing.right) if entry is not None)


def busy_players(room: Room) -> set[uuid.UUID]:
    """Players who are called, or play without a call, in any tournament of the event."""
    at_tables = TableOccupancy.objects.filter(call__room=room, left_at__isnull=True).values_list(
        "player", flat=True
    )
    begun = Pairing.objects.filter(
        Q(match__state=MatchState.OPEN, match__began_at__isnull=False) | Q(match__state=MatchState.DISPUTED),
        is_current("round__bracket__tournament"),
        round__bracket__tournament__event=room.event_id,
    ).values_list("left__player", "right__player")
    return {*at_tables, *(player for players in begun for player in players)}


def load_pins(room: Room) -> Pins:
    pins = Pins()
    for table, player, pairing in Pin.objects.filter(
        table__room=room, table__closed_at__isnull=True
    ).values_list("table", "player", "pairing"):
        if player is not None:
            pins.players.setdefault(table, set()).add(player)
        if pairing is not None:
            pins.pairings.setdefault(table, set()).add(pairing)
    return pins


def _free_table(table: Table, pins: Pins) -> FreeTable:
    return FreeTable(
        key=table.pk,
        is_reserved=table.is_reserved,
        players=frozenset(pins.players.get(table.pk, ())),
        pairings=frozenset(pins.pairings.get(table.pk, ())),
    )
