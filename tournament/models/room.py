"""The room of an event: its tables, calls of matches, and occupied tables."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from matches.models import Match
from tournament.models.brackets import Pairing
from tournament.models.entries import Player
from tournament.models.events import Event

LONGEST_TABLE_NAME = 20


class Room(models.Model):
    """The room of an event. Its row is the lock of tables and calls; `version` rises with each change of them.

    `auto_call`: free tables go to waiting matches without the desk. A second call is due `second_call_after`
    minutes after the first.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    event = models.OneToOneField(Event, on_delete=models.CASCADE, related_name="room")
    version = models.PositiveIntegerField(default=0)
    auto_call = models.BooleanField(default=False)
    second_call_after = models.PositiveSmallIntegerField(default=5)


class Table(models.Model):
    """A table. A reserved one is assigned only by hand. `note`: its purpose, for example "stream"."""

    room = models.ForeignKey(Room, on_delete=models.CASCADE, related_name="tables")
    name = models.CharField(max_length=LONGEST_TABLE_NAME)
    position = models.PositiveIntegerField()
    note = models.CharField(max_length=60, blank=True, default="")
    is_reserved = models.BooleanField(default=False)
    closed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["position", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["room", "name"], name="table_named_once"),
            models.CheckConstraint(condition=~Q(name=""), name="table_has_a_name"),
        ]


class Pin(models.Model):
    """Binds a player or one pairing to a table. Each has at most one pin."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="pins")
    player = models.OneToOneField(Player, null=True, on_delete=models.CASCADE, related_name="pin")
    pairing = models.OneToOneField(Pairing, null=True, on_delete=models.CASCADE, related_name="pin")
    reason = models.CharField(max_length=200, blank=True, default="")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(player__isnull=True, pairing__isnull=False)
                | Q(player__isnull=False, pairing__isnull=True),
                name="pin_holds_a_player_or_a_pairing",
            ),
        ]


class Call(models.Model):
    """A call of a match to a table, or without a table. It ends with the result of the match, or is taken back.

    It says when the players were called, called again and seen to play; it is never overwritten by a later call.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    room = models.ForeignKey(Room, on_delete=models.CASCADE, related_name="calls")
    pairing = models.ForeignKey(Pairing, on_delete=models.CASCADE, related_name="calls")
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="calls")
    table = models.ForeignKey(Table, null=True, on_delete=models.PROTECT, related_name="calls")
    called_at = models.DateTimeField()
    called_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    second_call_at = models.DateTimeField(null=True)
    playing_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    is_taken_back = models.BooleanField(default=False)

    class Meta:
        ordering = ["called_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["table"], condition=Q(ended_at__isnull=True), name="table_holds_one_match"
            ),
            models.UniqueConstraint(
                fields=["match"], condition=Q(ended_at__isnull=True), name="match_called_once"
            ),
            models.CheckConstraint(
                condition=Q(second_call_at__isnull=True) | Q(second_call_at__gte=F("called_at")),
                name="second_call_comes_later",
            ),
        ]
        indexes = [
            models.Index(fields=["room"], name="calls_that_stand", condition=Q(ended_at__isnull=True)),
        ]


class TableOccupancy(models.Model):
    """A player at a table. A constraint allows one open row per player in the whole event."""

    call = models.ForeignKey(Call, on_delete=models.CASCADE, related_name="players")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="calls")
    left_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["player"], condition=Q(left_at__isnull=True), name="player_is_at_one_table"
            ),
        ]
