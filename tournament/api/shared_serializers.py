"""Fields and bodies that several endpoints share."""

from typing import Any

from rest_framework import serializers

from matches.models import MOST_GAMES
from rules.score import Side
from tournament.models.events import MOST_MINUTES

SIDES = [side.value for side in Side]
LARGEST = 2**31 - 1


def games_field(help_text: str) -> serializers.IntegerField:
    return serializers.IntegerField(
        required=False, allow_null=True, min_value=1, max_value=MOST_GAMES, help_text=help_text
    )


def minutes_field() -> serializers.IntegerField:
    help_text = "Instead of games: a session lasts until time is over, which a row on the card records."
    return serializers.IntegerField(
        required=False, allow_null=True, min_value=1, max_value=MOST_MINUTES, help_text=help_text
    )


class ReasonBody(serializers.Serializer[Any]):
    reason = serializers.CharField(max_length=200, required=False, allow_blank=True, default="")
