"""Describes and serializes questions to the desk."""

from typing import Any

from rest_framework import serializers

from tournament.api.card_serializers import OfflineCardDocument
from tournament.models import Question


class AskedQuestionDocument(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    match = serializers.UUIDField()
    kind = serializers.CharField()
    asked_by = serializers.CharField()
    detail = serializers.DictField()
    opened_at = serializers.DateTimeField()


class QuestionDocument(AskedQuestionDocument):
    note = serializers.CharField()
    closed_at = serializers.DateTimeField(allow_null=True)
    ruling = serializers.CharField()


class OpenedQuestionDocument(serializers.Serializer[Any]):
    question = AskedQuestionDocument()
    detail = serializers.CharField()
    own_card = OfflineCardDocument(required=False, help_text="The card as it is now, if `entry` was given.")
    at = serializers.CharField(required=False, help_text="Local time of the event, with `own_card`.")


def opened_question_json(question: Question) -> dict[str, Any]:
    """Returns the fields that a ruling does not change, so a repeated row gets an identical answer."""
    return {
        "id": question.pk,
        "match": question.match_id,
        "kind": question.kind,
        "asked_by": question.asked_by,
        "detail": dict(sorted(question.detail.items())),
        "opened_at": question.opened_at,
    }


def question_json(question: Question) -> dict[str, Any]:
    return {
        **opened_question_json(question),
        "note": question.note,
        "closed_at": question.closed_at,
        "ruling": question.ruling,
    }


class ClosingBody(serializers.Serializer[Any]):
    ruling = serializers.CharField(max_length=500, required=False, allow_blank=True, default="")
