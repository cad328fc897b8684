"""Problem documents of the API (RFC 9457)."""

from typing import Any

from rest_framework import serializers

from tournament.api.card_serializers import CardStateDocument
from tournament.api.correction_serializers import CorrectionPreviewDocument
from tournament.api.match_serializers import MatchStateDocument


class ProblemDocument(serializers.Serializer[Any]):
    """application/problem+json."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    code = serializers.CharField()
    detail = serializers.CharField(help_text="A sentence for people: what is wrong and what to do.")
    rule = serializers.CharField(required=False, help_text="Id of the rule that is broken.")
    params = serializers.DictField(required=False)
    offer = serializers.CharField(required=False, allow_null=True)
    card = CardStateDocument(required=False)
    match = MatchStateDocument(required=False)
    invalid = serializers.JSONField(required=False, help_text="What is wrong with which field.")
    preview = CorrectionPreviewDocument(
        required=False, help_text="The new one, of a correction shown too long ago."
    )
