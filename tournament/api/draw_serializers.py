"""Bodies and answers of the API about draws: format presets, commitments, closings and seeds."""

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from tournament.api.format_serializers import RulesBody
from tournament.draw.public_draw.public_chance import (
    LONGEST_DESCRIPTION,
    MOST_DIGITS,
    MOST_THROWS,
    USUAL_THROWS,
    PublicChance,
    PublicSource,
)


class FormatPresetDocument(serializers.Serializer[Any]):
    """The fields of `create_tournament`, without a name."""

    name = serializers.CharField()
    format = serializers.DictField()
    lengths = serializers.ListField(child=serializers.IntegerField())
    side_lengths = serializers.DictField(child=serializers.ListField(child=serializers.IntegerField()))
    games = serializers.IntegerField(allow_null=True, help_text="Stake play: games of each session.")
    preset = serializers.CharField(help_text="Of its rules.")


class PublicChanceDocument(serializers.Serializer[Any]):
    """The public chance of a draw: `count` throws of two dice, or a number with `digits` digits."""

    kind = serializers.ChoiceField(choices=["dice", "number"])
    count = serializers.IntegerField()
    description = serializers.CharField(allow_blank=True)


class ReopeningDocument(serializers.Serializer[Any]):
    """A retracted closing of the entries."""

    number = serializers.IntegerField()
    entries_hash = serializers.CharField()
    closed_at = serializers.DateTimeField()
    reopened_at = serializers.DateTimeField()
    reason = serializers.CharField()


class CommitmentDocument(serializers.Serializer[Any]):
    """The hash of a secret that waits for its draw."""

    secret_hash = serializers.CharField()
    made_at = serializers.DateTimeField()
    entries_hash = serializers.CharField(help_text="Empty until entries are closed.")
    closed_at = serializers.DateTimeField(allow_null=True)
    public = PublicChanceDocument(allow_null=True)
    reopened = ReopeningDocument(many=True)


class SeedsDocument(serializers.Serializer[Any]):
    seeded = serializers.IntegerField()


class EntriesClosingBody(RulesBody):
    """The rules of the draw and its public chance. With `digits`, a public number replaces the dice."""

    throws = serializers.IntegerField(
        min_value=1, max_value=MOST_THROWS, default=USUAL_THROWS, help_text="Throws of two dice that count."
    )
    digits = serializers.IntegerField(
        min_value=1,
        max_value=MOST_DIGITS,
        required=False,
        allow_null=True,
        default=None,
        help_text="How many digits the public number has; empty: dice are thrown.",
    )
    description = serializers.CharField(
        max_length=LONGEST_DESCRIPTION,
        required=False,
        allow_blank=True,
        default="",
        help_text="Which public number: required with `digits`.",
    )
    reason = serializers.CharField(
        max_length=200,
        required=False,
        allow_blank=True,
        default="",
        help_text="Required if the entries are closed already.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["digits"] is not None and not attrs["description"].strip():
            raise serializers.ValidationError({"description": ["Describe the public number."]})
        return attrs


def public_chance_of(body: Mapping[str, Any]) -> PublicChance:
    if body["digits"] is None:
        return PublicChance(count=body["throws"])
    return PublicChance(PublicSource.NUMBER, body["digits"], body["description"])
