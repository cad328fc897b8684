"""What the API answers about a bracket, as the OpenAPI document describes it."""

from typing import Any

from rest_framework import serializers


class ComingDocument(serializers.Serializer[Any]):
    outcome = serializers.ChoiceField(choices=["winner", "loser"])
    number = serializers.IntegerField()


class SeatDocument(serializers.Serializer[Any]):
    entry_id = serializers.UUIDField(allow_null=True)
    name = serializers.CharField()
    country = serializers.CharField()
    club = serializers.CharField()
    seed = serializers.IntegerField(allow_null=True)
    is_bye = serializers.BooleanField()
    is_withdrawn = serializers.BooleanField()
    points = serializers.IntegerField(allow_null=True)
    is_winner = serializers.BooleanField()
    coming = ComingDocument(allow_null=True)


class PairingDocument(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    number = serializers.IntegerField(allow_null=True)
    round = serializers.IntegerField()
    line = serializers.IntegerField()
    left = SeatDocument()
    right = SeatDocument()
    length = serializers.IntegerField()
    state = serializers.CharField()
    how = serializers.CharField()
    is_crawford = serializers.BooleanField()
    match_id = serializers.UUIDField(allow_null=True)


class RoundDocument(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    number = serializers.IntegerField()
    name = serializers.CharField()
    length = serializers.IntegerField()
    pairings = PairingDocument(many=True)


class BracketDocument(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    key = serializers.CharField()
    version = serializers.IntegerField()
    stamp = serializers.CharField()
    rounds = RoundDocument(many=True)
