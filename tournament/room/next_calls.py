"""Calls the next matches to free tables: one match, all of them, or automatically after each change.

Matches are chosen without a lock, then each call is made under its locks. If a call fails because of a concurrent
change, matches are chosen again. Idempotent.
"""

import uuid
from collections.abc import Collection
from contextlib import ExitStack
from dataclasses import dataclass

from django.db.models import Exists, OuterRef

from matches.models import MatchState
from tournament.access.actors import SYSTEM, Actor
from tournament.access.tournament_lists import is_current
from tournament.models import Call, Pairing, Room
from tournament.refusals.room import NO_TABLES, NONE_TO_CALL
from tournament.room import calls
from tournament.room.assignment_input import matches_with_call_taken_back, plan_calls
from tournament.room.table_assignment import CallReason
from tournament.runtime.errors import NotFound, Refused

ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class NewCall:
    """A new call, and why its match was next."""

    call: Call
    because: CallReason


def call_next(event_id: uuid.UUID, actor: Actor) -> NewCall:
    """Calls the next match. Raises Refused if no table is free or no match can be called."""
    new_calls = _call_matches(_load_room(event_id), actor, 1)
    if not new_calls:
        raise Refused(NONE_TO_CALL)
    return new_calls[0]


def call_to_free_tables(event_id: uuid.UUID, actor: Actor) -> list[NewCall]:
    """Calls a match to every free table, as long as matches are waiting."""
    return _call_matches(_load_room(event_id), actor, None)


def call_selected(event_id: uuid.UUID, pairings: Collection[int], actor: Actor) -> list[NewCall]:
    """Calls these pairings to free tables, the most urgent first, as far as tables and players are free.

    Raises Refused if none of them can be called.
    """
    new_calls = _call_matches(_load_room(event_id), actor, None, only=pairings)
    if not new_calls:
        raise Refused(NONE_TO_CALL)
    return new_calls


def call_automatically(room_id: uuid.UUID) -> list[NewCall]:
    """Fills the free tables of a room with automatic calls. Does nothing in other rooms.

    Matches whose call was taken back are not called automatically, because the reason for that may persist.
    """
    room = Room.objects.filter(pk=room_id, auto_call=True, event__deleted_at__isnull=True).first()
    return _call_matches(room, SYSTEM, None, matches_with_call_taken_back(room)) if room is not None else []


def call_in_all_rooms() -> None:
    """Fills every room with automatic calls and waiting matches. If one room fails, the others are still filled."""
    waiting = Pairing.objects.filter(
        is_current("round__bracket__tournament"),
        round__bracket__tournament__event=OuterRef("event"),
        match__state=MatchState.OPEN,
        match__began_at__isnull=True,
    )
    rooms = Room.objects.filter(Exists(waiting), auto_call=True, event__deleted_at__isnull=True)
    with ExitStack() as remaining:
        for room_id in rooms.values_list("pk", flat=True):
            remaining.callback(call_automatically, room_id)


def _load_room(event_id: uuid.UUID) -> Room:
    room = Room.objects.filter(event=event_id).first()
    if room is None:
        raise Refused(NO_TABLES)
    return room


def _call_matches(
    room: Room,
    actor: Actor,
    most: int | None,
    excluded: Collection[uuid.UUID] = (),
    only: Collection[int] | None = None,
) -> list[NewCall]:
    new_calls: list[NewCall] = []
    for _ in range(ATTEMPTS):
        planned = plan_calls(room, excluded, only)[: None if most is None else most - len(new_calls)]
        has_failed = False
        for assignment in planned:
            try:
                call = calls.call(assignment.match, assignment.table, actor)
            except (Refused, NotFound):
                has_failed = True
            else:
                new_calls.append(NewCall(call, assignment.because))
        if not has_failed:
            break
    return new_calls
