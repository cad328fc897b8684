"""Serializes questions to the desk for the API."""

from typing import Any

from tournament.models import Question


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
