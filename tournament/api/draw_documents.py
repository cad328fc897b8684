"""What the API answers about formats to begin with, seeds, and draws by secret and dice."""

from typing import Any

from rest_framework import serializers


class FormatPresetDocument(serializers.Serializer[Any]):
    """Everything but a name for `create_tournament`."""

    name = serializers.CharField()
    format = serializers.DictField()
    lengths = serializers.ListField(child=serializers.IntegerField())
    side_lengths = serializers.DictField(child=serializers.ListField(child=serializers.IntegerField()))
    preset = serializers.CharField(help_text="Of its rules.")


class CommitmentDocument(serializers.Serializer[Any]):
    """A secret that waits for its draw, by its hash."""

    secret_hash = serializers.CharField()
    made_at = serializers.DateTimeField()
    entries_hash = serializers.CharField(help_text="Empty until entries are closed.")
    closed_at = serializers.DateTimeField(allow_null=True)


class SeedsDocument(serializers.Serializer[Any]):
    seeded = serializers.IntegerField()
