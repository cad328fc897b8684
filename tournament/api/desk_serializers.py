"""Validates awards and retractions by the desk, with the result that each one expects."""

from typing import Any

from rest_framework import serializers

from tournament.api.shared_serializers import LARGEST, ReasonBody
from tournament.results.awards import KINDS


class AwardBody(serializers.Serializer[Any]):
    result = serializers.UUIDField(
        required=False,
        allow_null=True,
        help_text="Id of the current result that this replaces; omitted if none is posted. Otherwise 409.",
    )
    kind = serializers.ChoiceField(choices=[kind.value for kind in KINDS])
    winner = serializers.UUIDField(
        required=False, allow_null=True, help_text="An entry's id; null when both lost."
    )
    left_points = serializers.IntegerField(required=False, allow_null=True, min_value=0, max_value=LARGEST)
    right_points = serializers.IntegerField(
        required=False,
        allow_null=True,
        min_value=0,
        max_value=LARGEST,
        help_text="The score when it was ended, for penalty, clock and unfinished.",
    )
    reason = serializers.CharField(max_length=200, required=False, allow_blank=True, default="")


class RetractBody(ReasonBody):
    result = serializers.UUIDField(
        required=False,
        allow_null=True,
        help_text="Id of the result that you saw: 409 if the current result is another one.",
    )


def points_of(body: dict[str, Any]) -> tuple[int, int] | None:
    """Returns the score of an award; None if it is missing or incomplete."""
    left, right = body.get("left_points"), body.get("right_points")
    return None if left is None or right is None else (left, right)
