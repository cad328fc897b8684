"""Serializes standings: places, totals, tie-breaks and prizes."""

from dataclasses import asdict
from typing import Any

from rest_framework import serializers

from tournament.api.prize_serializers import ShareDocument
from tournament.queries.standings.lines import StandingLine


class StepDocument(serializers.Serializer[Any]):
    tie_break = serializers.CharField()
    value = serializers.CharField(help_text="Empty if the tie-break does not apply.")
    decided = serializers.BooleanField(help_text="True if it separated the entry from tied entries.")


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
    explained = StepDocument(many=True, help_text="The tie-breaks in order, for rankings by records.")
    prize = ShareDocument(allow_null=True, help_text="Set once the places are certain; null: no prize.")


def standing_json(line: StandingLine) -> dict[str, Any]:
    """The amount of a prize is a string such as "75.00", because a JSON number would be inexact."""
    prize = None if line.prize is None else ShareDocument(line.prize).data
    return {**asdict(line), "prize": prize}
