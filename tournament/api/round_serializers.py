"""Bodies of the API about the length of a round."""

from typing import Any

from rest_framework import serializers

from tournament.api.shared_serializers import games_field, minutes_field
from tournament.brackets.lengths import LONGEST, SHORTEST, PlayedTo, StakePlay


class LengthBody(serializers.Serializer[Any]):
    """A match length, or in stake play a number of games or of minutes: one of the three."""

    length = serializers.IntegerField(required=False, allow_null=True, min_value=SHORTEST, max_value=LONGEST)
    games = games_field("Of each session of stake play.")
    minutes = minutes_field()

    def validate(self, body: dict[str, Any]) -> dict[str, Any]:
        if sum(body.get(name) is not None for name in ("length", "games", "minutes")) != 1:
            raise serializers.ValidationError(
                "Give a length, a number of games, or minutes: one of the three."
            )
        return body


def length_of(body: dict[str, Any]) -> PlayedTo:
    length: int | None = body.get("length")
    return StakePlay(body.get("games"), body.get("minutes")) if length is None else length
