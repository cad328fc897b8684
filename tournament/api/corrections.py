"""API views of corrections: preview, apply, undo."""

import uuid
from collections.abc import Mapping
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournament import corrections
from tournament.access import permissions
from tournament.access.permissions import Capability
from tournament.api.correction_serializers import (
    CorrectionDocument,
    CorrectionPreviewDocument,
    correction_json,
    preview_json,
)
from tournament.api.describing import describes
from tournament.api.views import ApiView
from tournament.corrections import Change, Preview
from tournament.models import Pairing, ResultKind
from tournament.results import awards, posting

KINDS = [kind.value for kind in (ResultKind.PLAYED, *awards.KINDS, ResultKind.RETRACTED)]
MAX_KEPT = 2_000


class ChangeBody(serializers.Serializer[Any]):
    """The corrected result; `retracted` takes it back, and ends what was kept there. `keep` names later
    pairings that are kept as played."""

    kind = serializers.ChoiceField(choices=KINDS)
    winner = serializers.UUIDField(
        required=False,
        allow_null=True,
        default=None,
        help_text="An entry's id; null if both lost or it is retracted. For `played` it follows from the score.",
    )
    left = serializers.IntegerField(
        min_value=0, max_value=9_999, required=False, allow_null=True, default=None
    )
    right = serializers.IntegerField(
        min_value=0, max_value=9_999, required=False, allow_null=True, default=None
    )
    keep = serializers.ListField(
        child=serializers.IntegerField(min_value=1), required=False, default=list, max_length=MAX_KEPT
    )


class CorrectionBody(ChangeBody):
    digest = serializers.CharField(max_length=64, help_text="Of the expected preview.")
    reason = serializers.CharField(max_length=200)


class CorrectionPreviewView(ApiView):
    @describes("preview_correction", {200: CorrectionPreviewDocument}, 409, 422, request=ChangeBody)
    def post(self, request: Request, pairing_id: int) -> Response:  # noqa: ARG002
        """Previews the effect of a changed result on all later matches. Stores nothing."""
        pairing = self.pairing(pairing_id)
        return Response(preview_json(self.preview(pairing, self.read(ChangeBody))))

    def pairing(self, pairing_id: int) -> Pairing:
        """Checks the permission before the body is read. Raises NotFound or Denied."""
        pairing = posting.load_pairing(pairing_id)
        permissions.require(self.actor, pairing.round.bracket.tournament, Capability.DIRECT)
        return pairing

    def preview(self, pairing: Pairing, body: Mapping[str, Any]) -> Preview:
        winner = body["winner"] or _winner_by_score(pairing, body)
        change = Change(ResultKind(body["kind"]), winner, body["left"], body["right"])
        return corrections.preview(pairing.pk, change, body["keep"])


class CorrectionsView(CorrectionPreviewView):
    @describes("correct_result", {201: CorrectionDocument}, 409, 422, request=CorrectionBody)
    def post(self, request: Request, pairing_id: int) -> Response:  # noqa: ARG002
        """Applies the previewed correction. Answers 409 with a new preview if its effect has changed."""
        pairing = self.pairing(pairing_id)
        body = self.read(CorrectionBody)
        preview = self.preview(pairing, body)
        correction = corrections.correct(preview, body["digest"], body["reason"], self.actor)
        return Response(correction_json(correction), status=201)


def _winner_by_score(pairing: Pairing, body: Mapping[str, Any]) -> uuid.UUID | None:
    left, right = body["left"], body["right"]
    if body["kind"] != ResultKind.PLAYED or None in (left, right) or left == right:
        return None
    return pairing.left_id if left > right else pairing.right_id


class CorrectionUndoView(ApiView):
    @describes("undo_correction", {204: None}, 409, request=None)
    def post(self, request: Request, correction_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Undoes a correction while nothing newer depends on it. Idempotent."""
        permissions.require_user(self.actor)
        correction = permissions.correction_by_id(self.actor, correction_id, Capability.DIRECT)
        corrections.undo(correction.pk, self.actor)
        return Response(status=204)
