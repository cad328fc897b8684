"""Bodies and answers of the API about draws: format presets, commitments, closings and seeds."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext
from rest_framework import serializers

from tournament.api.format_serializers import RulesBody, order_rules_of
from tournament.api.shared_serializers import LARGEST
from tournament.draw.public_draw.proof_version_1 import LONGEST_PUBLIC_TEXT
from tournament.draw.public_draw.public_chance import (
    LONGEST_DESCRIPTION,
    MOST_DIGITS,
    MOST_THROWS,
    USUAL_THROWS,
    PublicChance,
    PublicSource,
)
from tournament.drawing.draws import DrawPlan
from tournament.entries.lists.limits import HIGHEST_SEED


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
            raise serializers.ValidationError({"description": [gettext("Describe the public number.")]})
        return attrs


def public_chance_of(body: Mapping[str, Any]) -> PublicChance:
    if body["digits"] is None:
        return PublicChance(count=body["throws"])
    return PublicChance(PublicSource.NUMBER, body["digits"], body["description"])


class DrawBody(RulesBody):
    """Where a secret waits, only `public` and `reason` count: the rest was fixed when entries were closed."""

    draw = serializers.IntegerField(
        required=False,
        allow_null=True,
        min_value=1,
        max_value=LARGEST,
        help_text="Number of the current draw that this replaces; left out where there is none. Else 409.",
    )
    seed_text = serializers.CharField(max_length=100, required=False, allow_blank=True, default="")
    reason = serializers.CharField(max_length=200, required=False, allow_blank=True, default="")
    public = serializers.CharField(
        max_length=LONGEST_PUBLIC_TEXT,
        required=False,
        allow_blank=True,
        default="",
        help_text="Dice thrown in the hall.",
    )


class DrawDocument(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    method = serializers.CharField()
    seed_text = serializers.CharField()
    entries = serializers.ListField(child=serializers.UUIDField())
    order = serializers.ListField(
        child=serializers.UUIDField(allow_null=True), help_text="By position; null for a bye."
    )
    rules = serializers.DictField(help_text="Byes, lines of the seeds, who is kept apart.")
    public = serializers.CharField(help_text="Dice thrown in the hall, where a secret was made.")
    secret_hash = serializers.CharField()
    entries_hash = serializers.CharField()
    reason = serializers.CharField()
    made_at = serializers.DateTimeField()
    released_at = serializers.DateTimeField(allow_null=True)
    replaced_at = serializers.DateTimeField(allow_null=True)


class SeedingBody(serializers.Serializer[Any]):
    how_many = serializers.IntegerField(
        min_value=0, max_value=HIGHEST_SEED, help_text="0 takes all seeds away."
    )


def draw_of(body: dict[str, Any]) -> DrawPlan:
    fields = {name: body[name] for name in ("method", "seed_text", "reason", "public", "byes_reason")}
    return DrawPlan(rules=order_rules_of(body), **fields)
