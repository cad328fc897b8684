"""The room over the API: tables, calls, who is next. A call made again is the call that stands."""

import uuid
from contextlib import suppress
from dataclasses import replace

from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.access import permissions
from tournament.access.permissions import Capability
from tournament.api.describing import describes
from tournament.api.room_serializers import (
    CallBody,
    CallDocument,
    CallingBody,
    MoveBody,
    NextBody,
    NextCallDocument,
    PinBody,
    PinDocument,
    RoomDocument,
    TableBody,
    TableDocument,
    TablesBody,
    call_told,
    room_told,
    table_told,
)
from tournament.api.views import ApiView
from tournament.models import Call, Event, Pairing, Pin, Player, Table
from tournament.queries.room.room import TableInRoom, call_shown, room_shown
from tournament.room import calls, next_calls, tables
from tournament.room import permissions as admission
from tournament.room.tables import TablePlan
from tournament.runtime.errors import NotFound
from tournament.web.lists import name_query

LINES, MOST_LINES = 100, 5000
MOST = OpenApiParameter(
    "most", int, description=f"Matches that wait, and likewise begun: 1 to {MOST_LINES}, {LINES} unless told."
)
FIND = OpenApiParameter(
    "find", str, description="Of these only those in whose players' names every word of this stands."
)


class RoomView(ApiView):
    @describes("read_room", {200: RoomDocument}, parameters=[MOST, FIND])
    def get(self, request: Request, event: str) -> Response:
        """Tables with who is called to them, and the matches without a call, the longest wait first."""
        found = permissions.event_for(self.actor, event, Capability.CALLS)
        return Response(room_told(room_shown(found, _most(request), name_query(request))))

    @describes("set_calling", {200: RoomDocument}, request=CallingBody)
    def put(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Whether free tables are given by themselves, and when a second call is due."""
        found = permissions.event_for(self.actor, event, Capability.DIRECT)
        tables.set_calling(found.pk, self.actor, **self.read(CallingBody))
        return Response(room_told(room_shown(found, LINES)))


class TablesView(ApiView):
    @describes("add_tables", {201: TableDocument(many=True)}, 409, request=TablesBody)
    def post(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Adds tables behind the others; a name that is there already stays as it is. Answers with the new ones."""
        found = permissions.event_for(self.actor, event, Capability.DIRECT)
        made = tables.add(found.pk, self.read(TablesBody)["names"], self.actor)
        return Response([_table(row) for row in made], status=201)


class TableView(ApiView):
    @describes("change_table", {200: TableDocument}, 409, request=TableBody)
    def put(self, request: Request, table_id: int) -> Response:  # noqa: ARG002
        """Name, note and place in the order; reserved or not; open or closed."""
        row = admission.table_to_set_up(self.actor, table_id)
        return Response(_table(tables.change(row, TablePlan(**self.read(TableBody)), self.actor)))

    @describes("remove_table", {204: None}, 409)
    def delete(self, request: Request, table_id: int) -> Response:  # noqa: ARG002
        """Removes a table that nobody was ever called to."""
        tables.remove(admission.table_to_set_up(self.actor, table_id), self.actor)
        return Response(status=204)


class PinsView(ApiView):
    @describes("pin_to_table", {201: PinDocument}, request=PinBody)
    def post(self, request: Request, table_id: int) -> Response:  # noqa: ARG002
        """A player, or one pairing, is played at this table only; an earlier pin of theirs is lifted."""
        row = admission.table_to_set_up(self.actor, table_id)
        body = self.read(PinBody)
        made = tables.pin(
            row, _held(row.room.event, body["player"], body["pairing"]), body["reason"], self.actor
        )
        return Response(_pin(made), status=201)


class PinView(ApiView):
    @describes("lift_pin", {204: None})
    def delete(self, request: Request, pin_id: int) -> Response:  # noqa: ARG002
        """Lifts a pin: they may be played at any table again."""
        tables.unpin(admission.pin_to_lift(self.actor, pin_id), self.actor)
        return Response(status=204)


class CallsView(ApiView):
    @describes("call_match", {201: CallDocument}, 409, request=CallBody)
    def post(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Calls a match to a table. Again to the same table: the call that stands."""
        found = permissions.event_for(self.actor, event, Capability.CALLS)
        body = self.read(CallBody)
        pairing = admission.pairing_to_call(self.actor, body["pairing"])
        if pairing.round.bracket.tournament.event_id != found.pk:
            raise NotFound
        return _told(calls.call(pairing.pk, body["table"], self.actor), 201)


class NextCallsView(ApiView):
    @describes("call_next", {201: NextCallDocument(many=True)}, 409, request=NextBody)
    def post(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Calls whoever comes next: what is pinned, what holds the event up most, the longest wait."""
        found = permissions.event_for(self.actor, event, Capability.CALLS)
        if self.read(NextBody)["every_table"]:
            made = next_calls.fill(found.pk, self.actor)
        else:
            made = [next_calls.call_next(found.pk, self.actor)]
        told = [{**call_told(call_shown(one.call)), "because": one.because.value} for one in made]
        return Response(told, status=201)


class SecondCallView(ApiView):
    @describes("call_again", {200: CallDocument}, 409, request=None)
    def post(self, request: Request, call_id: uuid.UUID) -> Response:  # noqa: ARG002
        """The second call; again changes nothing."""
        return _told(calls.call_again(admission.call_to_change(self.actor, call_id).pk, self.actor))


class PlayingView(ApiView):
    @describes("see_playing", {200: CallDocument}, 409, request=None)
    def post(self, request: Request, call_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Both are at the table and play; again changes nothing."""
        return _told(calls.see_playing(admission.call_to_change(self.actor, call_id).pk, self.actor))


class MoveView(ApiView):
    @describes("move_match", {200: CallDocument}, 409, request=MoveBody)
    def post(self, request: Request, call_id: uuid.UUID) -> Response:  # noqa: ARG002
        """To another table, or to none."""
        call = admission.call_to_change(self.actor, call_id)
        return _told(calls.move(call.pk, self.read(MoveBody)["table"], self.actor))


class TakeBackView(ApiView):
    @describes("take_call_back", {204: None}, 409, request=None)
    def post(self, request: Request, call_id: uuid.UUID) -> Response:  # noqa: ARG002
        """The match waits again; again changes nothing."""
        calls.take_back(admission.call_to_change(self.actor, call_id).pk, self.actor)
        return Response(status=204)


def _most(request: Request) -> int:
    """What cannot be read is not asked for, as on every other page."""
    with suppress(ValueError):
        return min(max(1, int(request.query_params.get("most", ""))), MOST_LINES)
    return LINES


def _told(call: Call, status: int = 200) -> Response:
    return Response(call_told(call_shown(call)), status=status)


def _table(row: Table) -> dict[str, object]:
    """A table with the call that stands at it."""
    standing = row.calls.filter(ended_at__isnull=True).first()
    shown = TableInRoom(row.pk, row.name, row.note, row.is_reserved, row.closed_at is not None, None)
    return table_told(replace(shown, call=call_shown(standing)) if standing else shown)


def _held(event: Event, player: uuid.UUID | None, pairing: int | None) -> Player | Pairing:
    held: Player | Pairing | None = None
    if (player is None) == (pairing is None):
        raise ValidationError({"player": ["Name a player or a pairing, one of the two."]})
    if player is not None:
        held = Player.objects.filter(pk=player, event=event).first()
    elif pairing is not None:
        held = Pairing.objects.filter(pk=pairing, round__bracket__tournament__event=event).first()
    if held is None:
        raise NotFound
    return held


def _pin(row: Pin) -> dict[str, object]:
    return {
        "id": row.pk,
        "table": row.table_id,
        "player": row.player_id,
        "pairing": row.pairing_id,
        "reason": row.reason,
    }
