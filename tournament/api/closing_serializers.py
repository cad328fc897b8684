"""What programs say when entries close for a public draw. Decides nothing."""

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


class EntriesClosingBody(RulesBody):
    """How it will be drawn and what will be thrown. With `digits` a public number is taken instead of dice."""

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
        help_text="Required where entries are closed already.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["digits"] is not None and not attrs["description"].strip():
            raise serializers.ValidationError({"description": ["Say which public number will be taken."]})
        return attrs


def public_of(body: Mapping[str, Any]) -> PublicChance:
    if body["digits"] is None:
        return PublicChance(count=body["throws"])
    return PublicChance(PublicSource.NUMBER, body["digits"], body["description"])
