"""API views of the room: tables, pins, calls and the next calls. All actions are idempotent."""

import uuid
from contextlib import suppress
from dataclasses import replace

from django.utils.translation import gettext
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
    call_json,
    room_json,
    table_json,
)
from tournament.api.views import ApiView
from tournament.models import Call, Event, Pairing, Pin, Player, Table
from tournament.queries.room.room import TableInRoom, call_in_room, room_page
from tournament.queries.room.tables import pairing_of_event, player_of_event
from tournament.room import calls, next_calls, tables
from tournament.room import permissions as room_permissions
from tournament.room.tables import TablePlan
from tournament.runtime.errors import NotFound
from tournament.web.lists import name_query

LINES, MOST_LINES = 100, 5000
MOST = OpenApiParameter(
    "most", int, description=f"Limit for waiting and for begun matches, 1 to {MOST_LINES}. Default: {LINES}."
)
FIND = OpenApiParameter("find", str, description="Only matches with all these words in the players' names.")


class RoomView(ApiView):
    @describes("read_room", {200: RoomDocument}, parameters=[MOST, FIND])
    def get(self, request: Request, event: str) -> Response:
        """Returns tables with their calls, and matches without a call, longest wait first."""
        row = permissions.event_for(self.actor, event, Capability.CALLS)
        return Response(room_json(room_page(row, _most(request), name_query(request))))

    @describes("set_calling", {200: RoomDocument}, request=CallingBody)
    def put(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Sets automatic calls, and the minutes until a second call is due."""
        row = permissions.event_for(self.actor, event, Capability.DIRECT)
        tables.set_calling(row.pk, self.actor, **self.read(CallingBody))
        return Response(room_json(room_page(row, LINES)))


class TablesView(ApiView):
    @describes("add_tables", {201: TableDocument(many=True)}, 409, request=TablesBody)
    def post(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Adds tables after the others. Existing names are skipped. Returns the new tables."""
        row = permissions.event_for(self.actor, event, Capability.DIRECT)
        new_tables = tables.add(row.pk, self.read(TablesBody)["names"], self.actor)
        return Response([_table(table) for table in new_tables], status=201)


class TableView(ApiView):
    @describes("change_table", {200: TableDocument}, 409, request=TableBody)
    def put(self, request: Request, table_id: int) -> Response:  # noqa: ARG002
        """Changes name, note and position, and whether the table is reserved or closed."""
        row = room_permissions.table_to_set_up(self.actor, table_id)
        return Response(_table(tables.change(row, TablePlan(**self.read(TableBody)), self.actor)))

    @describes("remove_table", {204: None}, 409)
    def delete(self, request: Request, table_id: int) -> Response:  # noqa: ARG002
        """Removes a table that has never had a call."""
        tables.remove(room_permissions.table_to_set_up(self.actor, table_id), self.actor)
        return Response(status=204)


class PinsView(ApiView):
    @describes("pin_to_table", {201: PinDocument}, request=PinBody)
    def post(self, request: Request, table_id: int) -> Response:  # noqa: ARG002
        """Pins a player or a pairing to this table. Replaces an earlier pin."""
        row = room_permissions.table_to_set_up(self.actor, table_id)
        body = self.read(PinBody)
        holder = _holder(row.room.event, body["player"], body["pairing"])
        return Response(_pin(tables.pin(row, holder, body["reason"], self.actor)), status=201)


class PinView(ApiView):
    @describes("lift_pin", {204: None})
    def delete(self, request: Request, pin_id: int) -> Response:  # noqa: ARG002
        """Removes a pin."""
        tables.unpin(room_permissions.pin_to_lift(self.actor, pin_id), self.actor)
        return Response(status=204)


class CallsView(ApiView):
    @describes("call_match", {201: CallDocument}, 409, request=CallBody)
    def post(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Calls a match to a table. A repeated call to the same table returns the current call."""
        row = permissions.event_for(self.actor, event, Capability.CALLS)
        body = self.read(CallBody)
        pairing = room_permissions.pairing_to_call(self.actor, body["pairing"])
        if pairing.round.bracket.tournament.event_id != row.pk:
            raise NotFound
        return _call_response(calls.call(pairing.pk, body["table"], self.actor), 201)


class NextCallsView(ApiView):
    @describes("call_next", {201: NextCallDocument(many=True)}, 409, request=NextBody)
    def post(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Calls the next match: pinned matches first, then those that delay the event most, then the longest wait."""
        row = permissions.event_for(self.actor, event, Capability.CALLS)
        if self.read(NextBody)["every_table"]:
            new_calls = next_calls.call_to_free_tables(row.pk, self.actor)
        else:
            new_calls = [next_calls.call_next(row.pk, self.actor)]
        data = [
            {**call_json(call_in_room(new_call.call)), "because": new_call.because.value}
            for new_call in new_calls
        ]
        return Response(data, status=201)


class SecondCallView(ApiView):
    @describes("call_again", {200: CallDocument}, 409, request=None)
    def post(self, request: Request, call_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Makes the second call. Idempotent."""
        return _call_response(
            calls.call_again(room_permissions.call_to_change(self.actor, call_id).pk, self.actor)
        )


class PlayingView(ApiView):
    @describes("see_playing", {200: CallDocument}, 409, request=None)
    def post(self, request: Request, call_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Records that both players are at the table and play. Idempotent."""
        return _call_response(
            calls.mark_playing(room_permissions.call_to_change(self.actor, call_id).pk, self.actor)
        )


class MoveView(ApiView):
    @describes("move_match", {200: CallDocument}, 409, request=MoveBody)
    def post(self, request: Request, call_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Moves a called match to another table, or to none."""
        call = room_permissions.call_to_change(self.actor, call_id)
        return _call_response(calls.move(call.pk, self.read(MoveBody)["table"], self.actor))


class TakeBackView(ApiView):
    @describes("take_call_back", {204: None}, 409, request=None)
    def post(self, request: Request, call_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Takes a call back: the match waits again. Idempotent."""
        calls.take_back(room_permissions.call_to_change(self.actor, call_id).pk, self.actor)
        return Response(status=204)


def _most(request: Request) -> int:
    """Ignores an invalid number, like every page."""
    with suppress(ValueError):
        return min(max(1, int(request.query_params.get("most", ""))), MOST_LINES)
    return LINES


def _call_response(call: Call, status: int = 200) -> Response:
    return Response(call_json(call_in_room(call)), status=status)


def _table(row: Table) -> dict[str, object]:
    """Returns a table with its current call."""
    current = row.calls.filter(ended_at__isnull=True).first()
    table = TableInRoom(row.pk, row.name, row.note, row.is_reserved, row.closed_at is not None, None)
    return table_json(replace(table, call=call_in_room(current)) if current else table)


def _holder(event: Event, player: uuid.UUID | None, pairing: int | None) -> Player | Pairing:
    if (player is None) == (pairing is None):
        raise ValidationError({"player": [gettext("Give either a player or a pairing.")]})
    if player is not None:
        return player_of_event(event, player)
    if pairing is not None:
        return pairing_of_event(event, pairing)
    raise NotFound


def _pin(row: Pin) -> dict[str, object]:
    return {
        "id": row.pk,
        "table": row.table_id,
        "player": row.player_id,
        "pairing": row.pairing_id,
        "reason": row.reason,
    }
