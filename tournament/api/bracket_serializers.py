"""Describes brackets for the OpenAPI document."""

from typing import Any

from rest_framework import serializers

from tournament.models import Shape


class ComingDocument(serializers.Serializer[Any]):
    """The source of a seat: an outcome of a match, or a place of a bracket."""

    outcome = serializers.ChoiceField(
        choices=["winner", "loser", "first_loss", "place"],
        help_text="first_loss: the loser, if it had not lost before.",
    )
    number = serializers.IntegerField(help_text="Of the match in its bracket; with `place` the place there.")
    bracket = serializers.CharField()
    called = serializers.CharField(
        help_text="The match's number with its bracket's letter; empty for a place."
    )


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
    number = serializers.IntegerField(allow_null=True, help_text="Within the bracket.")
    called = serializers.CharField(
        help_text="Number that no other bracket of the tournament has, such as C12."
    )
    round = serializers.IntegerField()
    line = serializers.IntegerField()
    left = SeatDocument()
    right = SeatDocument()
    length = serializers.IntegerField(allow_null=True, help_text="Null: stake play.")
    games = serializers.IntegerField(allow_null=True, help_text="Of each session of stake play.")
    minutes = serializers.IntegerField(allow_null=True, help_text="Of each session of stake play.")
    state = serializers.CharField()
    how = serializers.CharField()
    is_crawford = serializers.BooleanField()
    is_second_final = serializers.BooleanField(help_text="Played only if the unbeaten side lost the final.")
    match_id = serializers.UUIDField(allow_null=True)
    table = serializers.CharField(help_text="Where the match is called to; empty while it is to none.")
    onward = serializers.IntegerField(
        allow_null=True, help_text="The pairing of this bracket in which the winner plays next."
    )


class RoundDocument(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    number = serializers.IntegerField()
    name = serializers.CharField()
    length = serializers.IntegerField(allow_null=True, help_text="Null: stake play.")
    games = serializers.IntegerField(allow_null=True, help_text="Of each session of stake play.")
    minutes = serializers.IntegerField(allow_null=True, help_text="Of each session of stake play.")
    planned_at = serializers.DateTimeField(
        allow_null=True, help_text="The planned start, if a director gave one."
    )
    pairings = PairingDocument(many=True)


class BracketLineDocument(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    key = serializers.CharField()
    slug = serializers.CharField(help_text="The key as it stands in addresses.")
    title = serializers.CharField()
    shape = serializers.ChoiceField(choices=Shape.values)
    version = serializers.IntegerField()
    undecided = serializers.IntegerField(help_text="Matches still to be played.")


class BracketDocument(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    key = serializers.CharField()
    shape = serializers.ChoiceField(
        choices=Shape.values, help_text="tree: who loses is out or drops elsewhere. table: records decide."
    )
    version = serializers.IntegerField()
    stamp = serializers.CharField()
    rounds = RoundDocument(many=True)
