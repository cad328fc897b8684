"""What the API asks and answers about the room, as the OpenAPI document describes it."""

from typing import Any

from rest_framework import serializers

from tournament.models.room import LONGEST_TABLE_NAME
from tournament.queries.room.call_texts import call_text
from tournament.queries.room.room import CallInRoom, MatchInRoom, RoomShown, TableInRoom
from tournament.room.tables import LONGEST_WAIT, MOST_TABLES

LARGEST_KEY = 2**31 - 1
OF_A_MATCH = (
    "pairing", "match", "left", "right", "tournament", "bracket", "round_name", "length", "games", "opened_at",
    "has_begun",
)  # fmt: skip


class MatchInRoomDocument(serializers.Serializer[Any]):
    pairing = serializers.IntegerField()
    match = serializers.UUIDField()
    left = serializers.CharField()
    right = serializers.CharField()
    tournament = serializers.CharField()
    bracket = serializers.CharField()
    round_name = serializers.CharField()
    length = serializers.IntegerField(allow_null=True)
    games = serializers.IntegerField(allow_null=True)
    opened_at = serializers.DateTimeField(help_text="Since when both players are known.")
    has_begun = serializers.BooleanField()


class CallDocument(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    of = MatchInRoomDocument()
    table = serializers.IntegerField(allow_null=True)
    table_name = serializers.CharField()
    state = serializers.ChoiceField(choices=["called", "second", "playing"])
    called_at = serializers.DateTimeField()
    second_call_at = serializers.DateTimeField(allow_null=True)
    playing_at = serializers.DateTimeField(allow_null=True)
    due_at = serializers.DateTimeField(allow_null=True, help_text="When the next step is overdue.")
    text = serializers.CharField(help_text="To be read aloud.")


class TableDocument(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    name = serializers.CharField()
    note = serializers.CharField()
    is_reserved = serializers.BooleanField(help_text="Given by hand, or by a pin, alone.")
    is_closed = serializers.BooleanField()
    call = CallDocument(allow_null=True)


class RoomDocument(serializers.Serializer[Any]):
    """`waiting`: the longest wait first. `begun` are played without a call. Of either there are as many as were asked
    for, of so many `in_all`."""

    calls_by_itself = serializers.BooleanField()
    second_call_after = serializers.IntegerField(help_text="Minutes.")
    tables = TableDocument(many=True)
    without_table = CallDocument(many=True)
    waiting = MatchInRoomDocument(many=True)
    begun = MatchInRoomDocument(many=True)
    waiting_in_all = serializers.IntegerField()
    begun_in_all = serializers.IntegerField()


class NextCallDocument(CallDocument):
    because = serializers.ChoiceField(choices=["pinned", "holds_up", "waits_longest"])


class PinDocument(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    table = serializers.IntegerField()
    player = serializers.UUIDField(allow_null=True)
    pairing = serializers.IntegerField(allow_null=True)
    reason = serializers.CharField()


class CallBody(serializers.Serializer[Any]):
    pairing = serializers.IntegerField(min_value=1, max_value=LARGEST_KEY)
    table = serializers.IntegerField(
        min_value=1, max_value=LARGEST_KEY, allow_null=True, default=None, help_text="None: without a table."
    )


class MoveBody(serializers.Serializer[Any]):
    table = serializers.IntegerField(min_value=1, max_value=LARGEST_KEY, allow_null=True)


class NextBody(serializers.Serializer[Any]):
    every_table = serializers.BooleanField(default=False, help_text="Every free table, not only one.")


class CallingBody(serializers.Serializer[Any]):
    by_itself = serializers.BooleanField(help_text="Free tables go to waiting matches by themselves.")
    second_call_after = serializers.IntegerField(min_value=1, max_value=LONGEST_WAIT)


class TablesBody(serializers.Serializer[Any]):
    names = serializers.CharField(max_length=2000, help_text="For example: 1-24, Stream.")


class TableBody(serializers.Serializer[Any]):
    name = serializers.CharField(max_length=LONGEST_TABLE_NAME)
    note = serializers.CharField(max_length=60, allow_blank=True, default="")
    is_reserved = serializers.BooleanField(default=False)
    is_closed = serializers.BooleanField(default=False)
    position = serializers.IntegerField(
        min_value=1, max_value=MOST_TABLES, allow_null=True, default=None, help_text="None: where it is."
    )


class PinBody(serializers.Serializer[Any]):
    """A player, or a pairing: one of the two."""

    player = serializers.UUIDField(allow_null=True, default=None)
    pairing = serializers.IntegerField(min_value=1, max_value=LARGEST_KEY, allow_null=True, default=None)
    reason = serializers.CharField(max_length=200, allow_blank=True, default="")


def room_told(shown: RoomShown) -> dict[str, Any]:
    return {
        "calls_by_itself": shown.auto_call,
        "second_call_after": shown.second_call_after,
        "tables": [table_told(table) for table in shown.tables],
        "without_table": [call_told(call) for call in shown.without_table],
        "waiting": [_match(one.at) for one in shown.waiting],
        "begun": [_match(one.at) for one in shown.begun],
        "waiting_in_all": shown.waiting_in_all,
        "begun_in_all": shown.begun_in_all,
    }


def table_told(table: TableInRoom) -> dict[str, Any]:
    return {
        "id": table.id,
        "name": table.name,
        "note": table.note,
        "is_reserved": table.is_reserved,
        "is_closed": table.is_closed,
        "call": call_told(table.call) if table.call else None,
    }


def call_told(call: CallInRoom) -> dict[str, Any]:
    return {
        "id": call.id,
        "of": _match(call.at),
        "table": call.table_id,
        "table_name": call.table,
        "state": call.state,
        "called_at": call.called_at,
        "second_call_at": call.second_call_at,
        "playing_at": call.playing_at,
        "due_at": call.due_at,
        "text": call_text(call),
    }


def _match(at: MatchInRoom) -> dict[str, Any]:
    return {name: getattr(at, name) for name in OF_A_MATCH}
