"""Answers of the API about phones: personal links, and the matches of a phone."""

from typing import Any

from rest_framework import serializers

from matches.models import MatchState
from tournament.api.shared_serializers import SIDES


class PersonalLinkDocument(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    entry = serializers.UUIDField()
    name = serializers.CharField()
    made_at = serializers.DateTimeField()
    approved_at = serializers.DateTimeField(allow_null=True, help_text="Null while it waits for the desk.")
    revoked_at = serializers.DateTimeField(allow_null=True)


class PhoneDocument(serializers.Serializer[Any]):
    entry = serializers.UUIDField()
    name = serializers.CharField()
    tournament = serializers.UUIDField()
    match = serializers.UUIDField(allow_null=True)
    side = serializers.ChoiceField(choices=SIDES, allow_null=True)
    length = serializers.IntegerField(allow_null=True)
    games = serializers.IntegerField(allow_null=True)
    state = serializers.ChoiceField(choices=MatchState.values, allow_null=True)
    round = serializers.IntegerField(allow_null=True)
