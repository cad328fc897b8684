"""Calls whoever comes next to the tables that are free: one match, all of them, or by itself after each change.

What is chosen outside the locks is made under them, call by call: who was quicker elsewhere is passed over and it is
looked again. Doing it again changes nothing.
"""

import uuid
from collections.abc import Collection
from contextlib import ExitStack
from dataclasses import dataclass

from django.db.models import Exists, OuterRef

from matches.models import MatchState
from tournament.access.actors import SYSTEM, Actor
from tournament.models import Call, Pairing, Room
from tournament.room import calls
from tournament.room.assignment import Because
from tournament.room.waiting import next_calls, taken_back
from tournament.runtime.errors import NotFound, Refused

LOOKS = 3


@dataclass(frozen=True, slots=True)
class Made:
    """A call that was made, and why this match was next."""

    call: Call
    because: Because


def call_next(event_id: uuid.UUID, actor: Actor) -> Made:
    """Calls the one match that comes next; raises Refused where no table is free or nobody can be called."""
    made = _fill(_room(event_id), actor, 1)
    if not made:
        raise Refused(
            "nobody-to-call", "Nobody can be called now: no table is free, or whoever waits is still playing."
        )
    return made[0]


def fill(event_id: uuid.UUID, actor: Actor) -> list[Made]:
    """Calls a match to every table that is free; none where there is nobody to call."""
    return _fill(_room(event_id), actor, None)


def fill_by_itself(room_id: uuid.UUID) -> list[Made]:
    """What a room that calls by itself does after something changed; any other stays as it is.

    Whose call was taken back is called by hand: somebody had a reason, which may last.
    """
    room = Room.objects.filter(pk=room_id, auto_call=True).first()
    return _fill(room, SYSTEM, None, taken_back(room)) if room is not None else []


def fill_waiting() -> None:
    """The sweep: every room that calls by itself and has a match to call. One that fails stops no other."""
    to_play = Pairing.objects.filter(
        round__bracket__tournament__event=OuterRef("event"),
        match__state=MatchState.OPEN,
        match__began_at__isnull=True,
    )
    rooms = Room.objects.filter(Exists(to_play), auto_call=True)
    with ExitStack() as left:
        for room_id in rooms.values_list("pk", flat=True):
            left.callback(fill_by_itself, room_id)


def _room(event_id: uuid.UUID) -> Room:
    room = Room.objects.filter(event=event_id).first()
    if room is None:
        raise Refused("no-tables", "This event has no tables yet. Add some first.")
    return room


def _fill(room: Room, actor: Actor, most: int | None, passed_over: Collection[uuid.UUID] = ()) -> list[Made]:
    made: list[Made] = []
    for _ in range(LOOKS):
        chosen = next_calls(room, passed_over)[: None if most is None else most - len(made)]
        missed = False
        for one in chosen:
            try:
                made.append(Made(calls.call(one.match, one.table, actor), one.because))
            except (Refused, NotFound):
                missed = True
        if not missed:
            break
    return made
