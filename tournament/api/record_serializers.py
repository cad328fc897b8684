"""Describes game records for the OpenAPI document."""

from typing import Any

from rest_framework import serializers

from matches.keepers import Keeper
from matches.models import RecordState
from rules.sentences import Severity
from tournament.api.shared_serializers import SIDES
from tournament.records.player_matching import Basis


class RecordProblemDocument(serializers.Serializer[Any]):
    severity = serializers.ChoiceField(choices=[severity.value for severity in Severity])
    code = serializers.CharField()
    rule = serializers.CharField(help_text="Id of the rule; empty where none is broken.")
    sentence = serializers.CharField()
    offer = serializers.CharField(allow_null=True, help_text="A way out that the rules know, as a sentence.")
    game = serializers.IntegerField(allow_null=True)
    move = serializers.IntegerField(allow_null=True)
    line = serializers.IntegerField(allow_null=True, help_text="Line of the file.")
    position = serializers.CharField(allow_null=True, help_text="Position ID, the player on roll first.")
    follows = serializers.BooleanField(
        help_text="It most likely follows from an earlier error of the same game."
    )


class RecordScoreDocument(serializers.Serializer[Any]):
    """The score computed from the record, and the reported score."""

    left = serializers.IntegerField(help_text="Of the match's left side, where `left_player` is known.")
    right = serializers.IntegerField()
    is_finished = serializers.BooleanField(help_text="False for a record that stops before the end.")
    left_player = serializers.ChoiceField(
        choices=SIDES, allow_null=True, help_text="The side of the match in the file's left column."
    )
    known_by = serializers.ChoiceField(choices=[basis.value for basis in Basis])
    reported_left = serializers.IntegerField(allow_null=True)
    reported_right = serializers.IntegerField(allow_null=True)
    agrees = serializers.BooleanField(allow_null=True, help_text="Null where nothing is reported.")


class RecordCountsDocument(serializers.Serializer[Any]):
    """The number of problems of each severity; `problems` may hold fewer."""

    error = serializers.IntegerField()
    warning = serializers.IntegerField()
    remark = serializers.IntegerField()


class RecordDocument(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    match = serializers.UUIDField()
    name = serializers.CharField()
    size = serializers.IntegerField()
    sha256 = serializers.CharField()
    brought_by = serializers.ChoiceField(choices=[keeper.value for keeper in Keeper])
    brought_at = serializers.DateTimeField()
    state = serializers.ChoiceField(
        choices=RecordState.values, help_text="waiting: it is being checked; ask again in a moment."
    )
    format = serializers.CharField(allow_null=True)
    found = RecordCountsDocument()
    score = RecordScoreDocument(allow_null=True)
    problems = RecordProblemDocument(many=True)


class RecordBody(serializers.Serializer[Any]):
    """A file of any kind, at most 5 MB (multipart)."""

    file = serializers.FileField(allow_empty_file=True)


class LeftPlayerBody(serializers.Serializer[Any]):
    side = serializers.ChoiceField(
        choices=SIDES, help_text="The side of the match in the file's left column."
    )
