"""Disputes over the API: asking the desk to decide, photos, what was decided, and taking the other's card over."""

import uuid
from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse
from rest_framework import serializers
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from matches.keepers import Keeper
from matches.models import Match
from tournament.access import permissions, photo_permissions
from tournament.access.actors import Actor
from tournament.access.permissions import Capability
from tournament.api.authentication import actors_of
from tournament.api.describing import describes
from tournament.api.matches import OwnCard, match_json
from tournament.api.parsing import BoundedMultiPartParser
from tournament.api.records import BytesRenderer
from tournament.api.request_serializers import LARGEST
from tournament.api.response_serializers import MatchStateDocument
from tournament.api.views import ApiView
from tournament.models import Evidence, Pairing, Question
from tournament.models.desk import QuestionKind
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
    """A picture, 12 MB at most (multipart). What is kept is made anew: a JPEG without a word about who took it."""

    file = serializers.FileField(allow_empty_file=True)


class SeenBody(serializers.Serializer[Any]):
    """Both cards by their last rows, as the player saw them."""

    mine = serializers.UUIDField(help_text="The `tail` of one's own card; the match's id for an empty one.")
    theirs = serializers.UUIDField(help_text="The `tail` of the opponent's card.")


class TakeOverBody(SeenBody):
    line = serializers.UUIDField(
        required=False,
        allow_null=True,
        help_text="A row's key: theirs, to say the same; one's own, to leave it out as they do. None: the whole card.",
    )


class RulingBody(serializers.Serializer[Any]):
    ruling = serializers.CharField(max_length=500, help_text="What is decided, in words for the players.")
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
    by_itself = serializers.BooleanField(help_text="Two complete cards differ, and nobody asked.")
    note = serializers.CharField()
    opened_at = serializers.DateTimeField()
    photos = PhotoDocument(many=True)
    closed_at = serializers.DateTimeField(allow_null=True)
    is_taken_back = serializers.BooleanField()
    ruling = serializers.CharField()
    rule = serializers.CharField()
    ruled_by = serializers.CharField(allow_null=True, help_text="User name of who decided.")
    decision = serializers.CharField(
        help_text="card, score, play_on or award; empty where nothing was ruled."
    )


class PhotoParser(BoundedMultiPartParser):
    """A form with one file; what is clearly longer is not read at all."""

    longest = MAX_UPLOAD_BYTES + 64 * 1024
    sentence = "This photo is larger than 12 MB. Send a smaller one."


class JpegRenderer(BytesRenderer):
    media_type = "image/jpeg"
    format = "jpeg"


class PictureRenderer(BaseRenderer):
    """A browser asks for pictures of any kind."""

    media_type = "image/*"
    format = "picture"
    charset = None

    render = JpegRenderer.render


class PlayersView(OwnCard):
    """A door for the two players of a match alone."""

    def player(self, match_id: uuid.UUID) -> tuple[Pairing, Keeper, Actor]:
        """One of the two players; the desk decides and does not ask."""
        pairing, keeper, actor = self.own_card(match_id)
        if keeper is Keeper.DESK:
            raise Denied(is_known=True)
        return pairing, keeper, actor

    def match_now(self, match_id: uuid.UUID) -> Response:
        """The match as what was done has left it."""
        return Response(match_json(Match.objects.get(pk=match_id)))


class DisputesView(PlayersView):
    @describes("list_disputes", {200: DisputeDocument(many=True)}, 409)
    def get(self, request: Request, match_id: uuid.UUID) -> Response:  # noqa: ARG002
        """What was asked of the desk in this match and what it decided, the oldest first; all in one answer."""
        self.own_card(match_id)
        rows = Question.objects.filter(match_id=match_id, kind=QuestionKind.DISAGREEMENT)
        asked = rows.select_related("closed_by")
        return Response([dispute_json(row) for row in asked])

    @describes("ask_the_desk", {200: MatchStateDocument}, 409, request=DisputeBody)
    def post(self, request: Request, match_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Asks the desk to decide: the result waits. Asking again changes nothing."""
        pairing, keeper, actor = self.player(match_id)
        disputes.open_dispute(pairing, keeper, self.read(DisputeBody)["note"], actor)
        return self.match_now(match_id)

    @describes("take_dispute_back", {200: MatchStateDocument}, 409)
    def delete(self, request: Request, match_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Takes one's own dispute back while the desk has not decided."""
        disputes.withdraw_dispute(*self.player(match_id))
        return self.match_now(match_id)


class PhotosView(PlayersView):
    parser_classes = (PhotoParser,)

    @describes("add_photo", {201: PhotoDocument}, 409, request=PhotoBody)
    def post(self, request: Request, match_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Adds a photo to what is asked; the same one again is kept once."""
        pairing, keeper, actor = self.player(match_id)
        data = self.read(PhotoBody)["file"].read(MAX_UPLOAD_BYTES + 1)
        return Response(photo_json(disputes.add_photo(pairing, keeper, data, actor)), status=201)


class PhotoView(ApiView):
    renderer_classes = (JSONRenderer, JpegRenderer, PictureRenderer)

    @describes(
        "show_photo", {(200, "image/jpeg"): OpenApiResponse(OpenApiTypes.BINARY, "The photo as it is kept.")}
    )
    def get(self, request: Request, photo_id: uuid.UUID) -> HttpResponse:  # noqa: ARG002
        """A photo, for the two players and the desk."""
        return photo_response(photo_permissions.evidence_for(actors_of(self.request), photo_id))


class TakeOverView(PlayersView):
    @describes("take_over", {200: MatchStateDocument}, 409, 422, request=TakeOverBody)
    def post(self, request: Request, match_id: uuid.UUID) -> Response:  # noqa: ARG002
        """One's own card says what the opponent's says: in one line, or all of it. Again, it changes nothing."""
        pairing, keeper, actor = self.player(match_id)
        body = self.read(TakeOverBody)
        tails = card_tails(body)
        if body.get("line"):
            two_cards.adopt_line(pairing, keeper, body["line"], tails, actor)
        else:
            two_cards.adopt_card(pairing, keeper, tails, actor)
        return self.match_now(match_id)


class TakeOverUndoView(PlayersView):
    @describes("undo_take_over", {200: MatchStateDocument}, 409, 422, request=SeenBody)
    def post(self, request: Request, match_id: uuid.UUID) -> Response:  # noqa: ARG002
        """One's own card says again what it said before something was taken over, while nobody has written on."""
        pairing, keeper, actor = self.player(match_id)
        two_cards.undo_adoption(pairing, keeper, card_tails(self.read(SeenBody)), actor)
        return self.match_now(match_id)


class RulingView(ApiView):
    @describes("rule_on_dispute", {200: MatchStateDocument}, 409, 422, request=RulingBody)
    def post(self, request: Request, match_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Decides a dispute: for one complete card, by a score, or that they play on. What is said is kept."""
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
