"""API views of disputes: opened, withdrawn and ruled; photos; and adopting the opponent's card."""

import uuid
from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext_noop
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse
from rest_framework import serializers
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from matches.keepers import Keeper
from tournament.access import permissions, photo_permissions
from tournament.access.actors import Actor
from tournament.access.permissions import Capability
from tournament.api.authentication import actors_of
from tournament.api.describing import describes
from tournament.api.match_serializers import MatchStateDocument, match_json
from tournament.api.matches import OwnMatchView
from tournament.api.parsing import BoundedMultiPartParser
from tournament.api.records import BytesRenderer
from tournament.api.shared_serializers import LARGEST
from tournament.api.views import ApiView
from tournament.models import Evidence, Pairing, Question
from tournament.queries.disputes import list_disputes
from tournament.queries.matches.match import load_match
from tournament.results import disputes, two_cards
from tournament.results.disputes import Decision, Ruling
from tournament.results.questions import AUTOMATIC, TAKEN_BACK
from tournament.results.two_cards import CardTails
from tournament.runtime.errors import Denied
from tournament.runtime.images import MAX_UPLOAD_BYTES
from tournament.web.downloads import photo_response

KEEPERS = [keeper.value for keeper in Keeper]


class DisputeBody(serializers.Serializer[Any]):
    note = serializers.CharField(max_length=500, required=False, allow_blank=True, default="")


class PhotoBody(serializers.Serializer[Any]):
    """A picture of at most 12 MB (multipart). It is stored as a new JPEG without metadata."""

    file = serializers.FileField(allow_empty_file=True)


class CardTailsBody(serializers.Serializer[Any]):
    """The last rows of both cards, as the player saw them."""

    mine = serializers.UUIDField(help_text="The `tail` of your own card; the match's id for an empty card.")
    theirs = serializers.UUIDField(help_text="The `tail` of the opponent's card.")


class TakeOverBody(CardTailsBody):
    line = serializers.UUIDField(
        required=False,
        allow_null=True,
        help_text="Key of the opponent's row to adopt, or of your own row to remove. None: adopt the whole card.",
    )


class RulingBody(serializers.Serializer[Any]):
    ruling = serializers.CharField(max_length=500, help_text="The decision in words for the players.")
    decision = serializers.ChoiceField(
        choices=[decision.value for decision in Decision], default=Decision.CARD.value
    )
    rule = serializers.CharField(max_length=20, required=False, allow_blank=True, default="")
    keeper = serializers.ChoiceField(
        choices=KEEPERS, required=False, allow_null=True, help_text="For a card."
    )
    tail = serializers.UUIDField(
        required=False, allow_null=True, help_text="Last row that the desk saw of that card."
    )
    left = serializers.IntegerField(
        required=False, allow_null=True, min_value=0, max_value=LARGEST, help_text="For a score."
    )
    right = serializers.IntegerField(required=False, allow_null=True, min_value=0, max_value=LARGEST)


class PhotoDocument(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    size = serializers.IntegerField()
    sha256 = serializers.CharField()
    brought_by = serializers.ChoiceField(choices=KEEPERS)
    brought_at = serializers.DateTimeField()


class DisputeDocument(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    asked_by = serializers.ChoiceField(choices=KEEPERS)
    by_itself = serializers.BooleanField(help_text="Opened automatically because two complete cards differ.")
    note = serializers.CharField()
    opened_at = serializers.DateTimeField()
    photos = PhotoDocument(many=True)
    closed_at = serializers.DateTimeField(allow_null=True)
    is_taken_back = serializers.BooleanField()
    ruling = serializers.CharField()
    rule = serializers.CharField()
    ruled_by = serializers.CharField(allow_null=True, help_text="User name of the person who decided.")
    decision = serializers.CharField(help_text="card, score, play_on or award; empty without a ruling.")


class PhotoParser(BoundedMultiPartParser):
    """Reads a form with one file. Rejects a longer body without reading it."""

    max_bytes = MAX_UPLOAD_BYTES + 64 * 1024
    sentence = gettext_noop("This photo is larger than 12 MB. Send a smaller one.")


class JpegRenderer(BytesRenderer):
    media_type = "image/jpeg"
    format = "jpeg"


class PictureRenderer(BaseRenderer):
    """Accepts `image/*`, which browsers send for pictures."""

    media_type = "image/*"
    format = "picture"
    charset = None

    render = JpegRenderer.render


class PlayersView(OwnMatchView):
    """Base class of views for the two players of a match only."""

    def player(self, match_id: uuid.UUID) -> tuple[Pairing, Keeper, Actor]:
        """Returns the player's pairing, side and actor. Raises Denied for the desk, which opens no disputes."""
        pairing, keeper, actor = self.own_card(match_id)
        if keeper is Keeper.DESK:
            raise Denied(is_known=True)
        return pairing, keeper, actor

    def match_now(self, match_id: uuid.UUID) -> Response:
        """Returns the match after the change."""
        return Response(match_json(load_match(match_id)))


class DisputesView(PlayersView):
    @describes("list_disputes", {200: DisputeDocument(many=True)}, 409)
    def get(self, request: Request, match_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Returns the disputes of this match with their rulings, oldest first, without paging."""
        self.own_card(match_id)
        return Response([dispute_json(question) for question in list_disputes(match_id)])

    @describes("ask_the_desk", {200: MatchStateDocument}, 409, request=DisputeBody)
    def post(self, request: Request, match_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Opens a dispute: the result waits for the desk. Idempotent."""
        pairing, keeper, actor = self.player(match_id)
        disputes.open_dispute(pairing, keeper, self.read(DisputeBody)["note"], actor)
        return self.match_now(match_id)

    @describes("take_dispute_back", {200: MatchStateDocument}, 409)
    def delete(self, request: Request, match_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Withdraws the player's own dispute while the desk has not decided."""
        disputes.withdraw_dispute(*self.player(match_id))
        return self.match_now(match_id)


class PhotosView(PlayersView):
    parser_classes = (PhotoParser,)

    @describes("add_photo", {201: PhotoDocument}, 409, request=PhotoBody)
    def post(self, request: Request, match_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Adds a photo to the dispute. A repeated photo is stored once."""
        pairing, keeper, actor = self.player(match_id)
        data = self.read(PhotoBody)["file"].read(MAX_UPLOAD_BYTES + 1)
        return Response(photo_json(disputes.add_photo(pairing, keeper, data, actor)), status=201)


class PhotoView(ApiView):
    renderer_classes = (JSONRenderer, JpegRenderer, PictureRenderer)

    @describes("show_photo", {(200, "image/jpeg"): OpenApiResponse(OpenApiTypes.BINARY, "The stored photo.")})
    def get(self, request: Request, photo_id: uuid.UUID) -> HttpResponse:  # noqa: ARG002
        """Returns a photo, for the two players and the desk."""
        return photo_response(photo_permissions.evidence_for(actors_of(self.request), photo_id))


class TakeOverView(PlayersView):
    @describes("take_over", {200: MatchStateDocument}, 409, 422, request=TakeOverBody)
    def post(self, request: Request, match_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Adopts a line or the whole card of the opponent on the player's own card. Idempotent."""
        pairing, keeper, actor = self.player(match_id)
        body = self.read(TakeOverBody)
        tails = card_tails(body)
        if body.get("line"):
            two_cards.adopt_line(pairing, keeper, body["line"], tails, actor)
        else:
            two_cards.adopt_card(pairing, keeper, tails, actor)
        return self.match_now(match_id)


class TakeOverUndoView(PlayersView):
    @describes("undo_take_over", {200: MatchStateDocument}, 409, 422, request=CardTailsBody)
    def post(self, request: Request, match_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Undoes the last adoption on the player's own card while no newer row follows it."""
        pairing, keeper, actor = self.player(match_id)
        two_cards.undo_adoption(pairing, keeper, card_tails(self.read(CardTailsBody)), actor)
        return self.match_now(match_id)


class RulingView(ApiView):
    @describes("rule_on_dispute", {200: MatchStateDocument}, 409, 422, request=RulingBody)
    def post(self, request: Request, match_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Decides a dispute: for one complete card, by a score, or that they play on. Stores the ruling."""
        pairing = permissions.pairing_of_match(self.actor, match_id, Capability.DESK)
        disputes.rule(pairing, ruling_of(self.read(RulingBody)), self.actor)
        return Response(match_json(permissions.visible_match(self.actor, match_id)))


def card_tails(body: Mapping[str, Any]) -> CardTails:
    return CardTails(body["mine"], body["theirs"])


def ruling_of(body: Mapping[str, Any]) -> Ruling:
    left, right, keeper = body.get("left"), body.get("right"), body.get("keeper")
    return Ruling(
        text=body["ruling"],
        decision=Decision(body["decision"]),
        rule=body["rule"],
        keeper=Keeper(keeper) if keeper else None,
        tail=body.get("tail"),
        score=None if left is None or right is None else (left, right),
    )


def dispute_json(row: Question) -> dict[str, Any]:
    return {
        "id": row.pk,
        "asked_by": row.asked_by,
        "by_itself": bool(row.detail.get(AUTOMATIC)),
        "note": row.note,
        "opened_at": row.opened_at,
        "photos": [photo_json(photo) for photo in row.evidence.defer("photo")],
        "closed_at": row.closed_at,
        "is_taken_back": bool(row.detail.get(TAKEN_BACK)),
        "ruling": row.ruling,
        "rule": row.rule,
        "ruled_by": row.closed_by.username if row.closed_by else None,
        "decision": row.detail.get("decision", ""),
    }


def photo_json(photo: Evidence) -> dict[str, Any]:
    return {
        "id": photo.pk,
        "size": photo.size,
        "sha256": photo.sha256,
        "brought_by": photo.uploaded_by,
        "brought_at": photo.uploaded_at,
    }
