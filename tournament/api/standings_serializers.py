"""What the API tells of standings: places, what adds up to them, and what prize falls on them."""

from dataclasses import asdict
from typing import Any

from rest_framework import serializers

from tournament.api.prize_serializers import ShareDocument
from tournament.queries.standings.lines import StandingLine


class StepDocument(serializers.Serializer[Any]):
    tie_break = serializers.CharField()
    value = serializers.CharField(help_text="Empty where it could not be asked.")
    decided = serializers.BooleanField(help_text="It parted the entry from others who were tied.")


class StandingDocument(serializers.Serializer[Any]):
    place_from = serializers.IntegerField()
    place_to = serializers.IntegerField()
    is_in = serializers.BooleanField()
    entry_id = serializers.UUIDField()
    name = serializers.CharField()
    country = serializers.CharField()
    club = serializers.CharField()
    team = serializers.CharField()
    seed = serializers.IntegerField(allow_null=True)
    won = serializers.IntegerField()
    lost = serializers.IntegerField()
    walkovers = serializers.IntegerField()
    points_for = serializers.IntegerField()
    points_against = serializers.IntegerField()
    out_in = serializers.IntegerField(allow_null=True)
    is_withdrawn = serializers.BooleanField()
    byes = serializers.IntegerField()
    given_losses = serializers.IntegerField(
        help_text="Losses that a late entrant of an event with lives started with."
    )
    explained = StepDocument(many=True, help_text="In a table: what every tie-break said, in order.")
    prize = ShareDocument(allow_null=True, help_text="Once the places are certain; null: none.")


def standing_told(line: StandingLine) -> dict[str, Any]:
    """An amount is told as it was announced, "75.00": as a number it would be a fraction that only comes near it."""
    prize = None if line.prize is None else ShareDocument(line.prize).data
    return {**asdict(line), "prize": prize}
