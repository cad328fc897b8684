"""Serializers for the API views of the room."""

from typing import Any

from rest_framework import serializers

from tournament.models.room import LONGEST_TABLE_NAME
from tournament.queries.room.call_texts import call_text
from tournament.queries.room.room import CallInRoom, MatchInRoom, RoomPage, TableInRoom
from tournament.room.tables import LONGEST_WAIT, MOST_TABLES

LARGEST_KEY = 2**31 - 1
MATCH_FIELDS = (
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
    opened_at = serializers.DateTimeField(help_text="When both players became known.")
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
    text = serializers.CharField(help_text="The announcement to read aloud.")


class TableDocument(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    name = serializers.CharField()
    note = serializers.CharField()
    is_reserved = serializers.BooleanField(help_text="Assigned only by hand or by a pin.")
    is_closed = serializers.BooleanField()
    call = CallDocument(allow_null=True)


class RoomDocument(serializers.Serializer[Any]):
    """`waiting`: longest wait first. `begun`: matches played without a call. Both are limited to `most`; `…_in_all` is
    the total."""

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
        min_value=1, max_value=LARGEST_KEY, allow_null=True, default=None, help_text="Null: without a table."
    )


class MoveBody(serializers.Serializer[Any]):
    table = serializers.IntegerField(min_value=1, max_value=LARGEST_KEY, allow_null=True)


class NextBody(serializers.Serializer[Any]):
    every_table = serializers.BooleanField(
        default=False, help_text="Call matches to all free tables, not only one match."
    )


class CallingBody(serializers.Serializer[Any]):
    by_itself = serializers.BooleanField(help_text="Call waiting matches to free tables automatically.")
    second_call_after = serializers.IntegerField(min_value=1, max_value=LONGEST_WAIT)


class TablesBody(serializers.Serializer[Any]):
    names = serializers.CharField(max_length=2000, help_text="For example: 1-24, Stream.")


class TableBody(serializers.Serializer[Any]):
    name = serializers.CharField(max_length=LONGEST_TABLE_NAME)
    note = serializers.CharField(max_length=60, allow_blank=True, default="")
    is_reserved = serializers.BooleanField(default=False)
    is_closed = serializers.BooleanField(default=False)
    position = serializers.IntegerField(
        min_value=1, max_value=MOST_TABLES, allow_null=True, default=None, help_text="Null: unchanged."
    )


class PinBody(serializers.Serializer[Any]):
    """Either a player or a pairing."""

    player = serializers.UUIDField(allow_null=True, default=None)
    pairing = serializers.IntegerField(min_value=1, max_value=LARGEST_KEY, allow_null=True, default=None)
    reason = serializers.CharField(max_length=200, allow_blank=True, default="")


def room_json(page: RoomPage) -> dict[str, Any]:
    return {
        "calls_by_itself": page.auto_call,
        "second_call_after": page.second_call_after,
        "tables": [table_json(table) for table in page.tables],
        "without_table": [call_json(call) for call in page.without_table],
        "waiting": [_match(match.at) for match in page.waiting],
        "begun": [_match(match.at) for match in page.begun],
        "waiting_in_all": page.waiting_in_all,
        "begun_in_all": page.begun_in_all,
    }


def table_json(table: TableInRoom) -> dict[str, Any]:
    return {
        "id": table.id,
        "name": table.name,
        "note": table.note,
        "is_reserved": table.is_reserved,
        "is_closed": table.is_closed,
        "call": call_json(table.call) if table.call else None,
    }


def call_json(call: CallInRoom) -> dict[str, Any]:
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
    return {name: getattr(at, name) for name in MATCH_FIELDS}
