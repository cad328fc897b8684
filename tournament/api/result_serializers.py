"""Answers of the API about results."""

from typing import Any

from rest_framework import serializers


class ResultDocument(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    pairing = serializers.IntegerField()
    bracket = serializers.CharField()
    round = serializers.IntegerField()
    line = serializers.IntegerField()
    kind = serializers.CharField()
    left = serializers.UUIDField()
    right = serializers.UUIDField()
    winner = serializers.UUIDField(allow_null=True)
    left_points = serializers.IntegerField(allow_null=True)
    right_points = serializers.IntegerField(allow_null=True)
    confirmed_by = serializers.CharField()
    posted_at = serializers.DateTimeField()
