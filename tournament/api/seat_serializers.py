"""Validates and serializes seat swaps, late entries, re-entries and jackpots."""

from typing import Any

from rest_framework import serializers

from tournament.api.request_serializers import EntryBody
from tournament.brackets.clocks import MOST_MOVE_SECONDS, MOST_POINT_SECONDS
from tournament.brackets.lengths import LONGEST, SHORTEST
from tournament.draw.formats import LIMITS
from tournament.draw.graph import Seat
from tournament.entries.reentry import LAST_ROUND, MOST_TIMES
from tournament.models import Shape
from tournament.models.jackpots import JACKPOT_SIZES
from tournament.queries.jackpots import JackpotState

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


class LateEntryBody(EntryBody):
    seat = serializers.IntegerField(
        required=False,
        allow_null=True,
        min_value=0,
        max_value=HIGHEST_SEAT,
        help_text="A free seat; if missing, it is drawn at random.",
    )
    seed_text = serializers.CharField(
        max_length=100, required=False, allow_blank=True, default="", help_text="Seed of the random draw."
    )
    given_losses = serializers.IntegerField(
        default=0,
        min_value=0,
        max_value=LIMITS["lives"][1] - 1,
        help_text="In an event with lives: the losses that the player starts with.",
    )


class ReentryTermsBody(serializers.Serializer[Any]):
    allowed = serializers.BooleanField()
    price = serializers.DecimalField(8, 2, required=False, allow_null=True, min_value=0, default=None)
    until_round = serializers.IntegerField(
        default=0,
        min_value=0,
        max_value=LAST_ROUND,
        help_text="Closed once this round of the main bracket has begun; 0: never.",
    )
    into = serializers.CharField(max_length=20, default="main", help_text="Key of the bracket to enter.")
    times = serializers.IntegerField(default=1, min_value=1, max_value=MOST_TIMES)


class SeedBody(serializers.Serializer[Any]):
    seed_text = serializers.CharField(max_length=100, required=False, allow_blank=True, default="")


class JackpotBody(serializers.Serializer[Any]):
    key = serializers.UUIDField(help_text="Made by the client: the same key opens one jackpot.")
    size = serializers.ChoiceField(choices=JACKPOT_SIZES)
    length = serializers.IntegerField(min_value=SHORTEST, max_value=LONGEST)
    price = serializers.DecimalField(8, 2, required=False, allow_null=True, min_value=0, default=None)


class JackpotDocument(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    number = serializers.IntegerField()
    size = serializers.IntegerField()
    length = serializers.IntegerField()
    price = serializers.CharField(allow_null=True)
    state = serializers.ChoiceField(choices=[state.value for state in JackpotState])
    bracket = serializers.CharField(allow_null=True, help_text="Its key, once it is drawn.")
    seed_text = serializers.CharField(help_text="Seed of the random draw from `entries` in their order.")
    entries = serializers.ListField(child=serializers.UUIDField())


class ClockBody(serializers.Serializer[Any]):
    """Both 0: no clocks. Both null: as the ruleset says."""

    point_seconds = serializers.IntegerField(allow_null=True, min_value=0, max_value=MOST_POINT_SECONDS)
    move_seconds = serializers.IntegerField(allow_null=True, min_value=0, max_value=MOST_MOVE_SECONDS)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if (attrs["point_seconds"] is None) != (attrs["move_seconds"] is None):
            raise serializers.ValidationError("Give both, or neither.")
        return attrs
