"""Validates and serializes drawn seats and seat swaps."""

from typing import Any

from rest_framework import serializers

from tournament.draw.graph import Seat
from tournament.models import Shape

HIGHEST_SEAT = 2**53


class DrawnSeatDocument(serializers.Serializer[Any]):
    seat = serializers.IntegerField(help_text="Names the seat in a swap or a late entry.")
    bracket = serializers.CharField()
    shape = serializers.ChoiceField(choices=Shape.values)
    round = serializers.IntegerField()
    line = serializers.IntegerField()
    side = serializers.ChoiceField(choices=[seat.value for seat in Seat])
    entry = serializers.UUIDField(allow_null=True, help_text="Null for a bye.")
    opponent = serializers.UUIDField(allow_null=True)
    is_fixed = serializers.BooleanField(help_text="A match here, or the next one after it, has begun.")
    is_scheduled = serializers.BooleanField(
        help_text="One of its player's seats in all rounds of a schedule; they change hands together."
    )
    is_free = serializers.BooleanField(help_text="A bye that a late entry could take.")
    would_wait = serializers.IntegerField(
        required=False,
        allow_null=True,
        help_text="The pairing of a ready match that waits if a late entry takes this seat; null: none.",
    )


class SwapBody(serializers.Serializer[Any]):
    """Two seats and their expected entries: a repeated request does not swap them back."""

    one = serializers.IntegerField(min_value=0, max_value=HIGHEST_SEAT)
    other = serializers.IntegerField(min_value=0, max_value=HIGHEST_SEAT)
    one_entry = serializers.UUIDField(allow_null=True, help_text="Who sits on `one`; null for a bye.")
    other_entry = serializers.UUIDField(allow_null=True)
    reason = serializers.CharField(max_length=200, required=False, allow_blank=True, default="")
