"""Validates and serializes the length of a round, the release of rounds, and planned times."""

from collections.abc import Mapping
from datetime import MAXYEAR, MINYEAR, datetime
from typing import Any

from django.utils.translation import gettext
from rest_framework import serializers

from tournament.api.shared_serializers import games_field, minutes_field
from tournament.brackets.lengths import LONGEST, SHORTEST, PlayedTo, StakePlay
from tournament.models import RoundRelease, Tournament
from tournament.models.events import MOST_RELEASE_GRACE
from tournament.queries.rounds import MOST_ROUNDS


class LengthBody(serializers.Serializer[Any]):
    """A match length, or in stake play a number of games or of minutes: one of the three."""

    length = serializers.IntegerField(required=False, allow_null=True, min_value=SHORTEST, max_value=LONGEST)
    games = games_field("Of each session of stake play.")
    minutes = minutes_field()

    def validate(self, body: dict[str, Any]) -> dict[str, Any]:
        if sum(body.get(name) is not None for name in ("length", "games", "minutes")) != 1:
            raise serializers.ValidationError(
                gettext("Give a length, a number of games, or minutes: one of the three.")
            )
        return body


def length_of(body: dict[str, Any]) -> PlayedTo:
    length: int | None = body.get("length")
    return StakePlay(body.get("games"), body.get("minutes")) if length is None else length


class RoundReleaseBody(serializers.Serializer[Any]):
    """`at_once`: one request pairs and releases a round. `after_preview`: staff sees a preview first. `automatic`: a
    worker pairs and releases a round some minutes after the last result of the round before.
    """

    round_release = serializers.ChoiceField(choices=RoundRelease.values)
    release_grace = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=MOST_RELEASE_GRACE,
        help_text="Minutes until the automatic pairing. Left out: unchanged.",
    )


class RoundReleaseDocument(serializers.Serializer[Any]):
    round_release = serializers.ChoiceField(choices=RoundRelease.values)
    release_grace = serializers.IntegerField(help_text="Minutes until the automatic pairing.")
    next_round = serializers.IntegerField(
        allow_null=True,
        help_text="The round to pair or to release. Null: none, or the last one has matches without a result.",
    )
    automatic_at = serializers.DateTimeField(
        allow_null=True, help_text="When the next round is paired automatically; null: it is not."
    )


class PlannedTime(serializers.Serializer[Any]):
    round = serializers.IntegerField(min_value=1, max_value=MOST_ROUNDS)
    starts_at = serializers.DateTimeField(help_text="With the offset from UTC.")

    def validate_starts_at(self, starts_at: datetime) -> datetime:
        """In another time zone, the first and the last year would be out of range."""
        if starts_at.year in (MINYEAR, MAXYEAR):
            raise serializers.ValidationError(gettext("Give another year."))
        return starts_at


class PlannedTimesBody(serializers.Serializer[Any]):
    """The announced starts of rounds, in the main bracket and in groups. They start nothing."""

    times = PlannedTime(many=True)

    def validate_times(self, times: list[dict[str, Any]]) -> list[dict[str, Any]]:
        if len({time["round"] for time in times}) < len(times):
            raise serializers.ValidationError(gettext("Give each round once."))
        return times


def planned_times_json(tournament: Tournament) -> dict[str, Any]:
    times = sorted(tournament.planned_times.items())
    return {"times": [{"round": number, "starts_at": at} for number, at in times]}


def times_by_round(body: Mapping[str, Any]) -> dict[int, datetime]:
    return {time["round"]: time["starts_at"] for time in body["times"]}
