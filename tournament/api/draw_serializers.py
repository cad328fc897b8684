"""What the API answers about formats to begin with, seeds, and draws by secret and dice."""

from typing import Any

from rest_framework import serializers


class FormatPresetDocument(serializers.Serializer[Any]):
    """Everything but a name for `create_tournament`."""

    name = serializers.CharField()
    format = serializers.DictField()
    lengths = serializers.ListField(child=serializers.IntegerField())
    side_lengths = serializers.DictField(child=serializers.ListField(child=serializers.IntegerField()))
    games = serializers.IntegerField(allow_null=True, help_text="Stake play: games of each session.")
    preset = serializers.CharField(help_text="Of its rules.")


class PublicChanceDocument(serializers.Serializer[Any]):
    """What will be thrown: `count` throws of two dice, or a number of so many digits."""

    kind = serializers.ChoiceField(choices=["dice", "number"])
    count = serializers.IntegerField()
    description = serializers.CharField(allow_blank=True)


class ReopeningDocument(serializers.Serializer[Any]):
    """A closing that was taken back."""

    number = serializers.IntegerField()
    entries_hash = serializers.CharField()
    closed_at = serializers.DateTimeField()
    reopened_at = serializers.DateTimeField()
    reason = serializers.CharField()


class CommitmentDocument(serializers.Serializer[Any]):
    """A secret that waits for its draw, by its hash."""

    secret_hash = serializers.CharField()
    made_at = serializers.DateTimeField()
    entries_hash = serializers.CharField(help_text="Empty until entries are closed.")
    closed_at = serializers.DateTimeField(allow_null=True)
    public = PublicChanceDocument(allow_null=True)
    reopened = ReopeningDocument(many=True)


class SeedsDocument(serializers.Serializer[Any]):
    seeded = serializers.IntegerField()
