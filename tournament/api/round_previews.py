"""API views of the next round before its release: preview, swaps, pairs set by hand or kept apart."""

import uuid

from rest_framework.request import Request
from rest_framework.response import Response

from tournament.access import permissions
from tournament.access.permissions import Capability
from tournament.api.describing import describes, describes_list
from tournament.api.round_preview_serializers import (
    TOGETHER,
    PairRuleBody,
    PairRuleDocument,
    PreviewSwapBody,
    RoundPreviewDocument,
    preview_json,
    rule_json,
)
from tournament.api.rounds import PairedRoundDocument, paired_round_json
from tournament.api.views import ApiView
from tournament.drawing import pair_rules, round_previews
from tournament.models import Tournament
from tournament.queries.round_preview import list_pair_rules, load_round_preview
from tournament.runtime.errors import NotFound


class RoundPreviewView(ApiView):
    @describes("show_round_preview", {200: RoundPreviewDocument})
    def get(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Returns the paired round that is not released. Answers 404 if there is none."""
        tournament = permissions.tournament_by_id(self.actor, tournament_id, Capability.DESK)
        return _preview_response(tournament)

    @describes("preview_next_round", {201: RoundPreviewDocument}, 409, request=None)
    def post(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Pairs the next round without releasing it, once every match of the last round has a result.

        Replaces an earlier preview and drops its swaps. Pairs set by hand and pairs kept apart stay.
        """
        tournament = permissions.tournament_by_id(self.actor, tournament_id, Capability.DIRECT)
        round_previews.preview_next_round(tournament.pk, self.actor)
        return _preview_response(tournament, status=201)

    @describes("discard_round_preview", {204: None}, 409, request=None)
    def delete(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Discards the preview. Pairs set by hand and pairs kept apart stay."""
        permissions.tournament_by_id(self.actor, tournament_id, Capability.DIRECT)
        round_previews.discard_preview(tournament_id, self.actor)
        return Response(status=204)


class RoundPreviewReleaseView(ApiView):
    @describes("release_round_preview", {201: PairedRoundDocument}, 409, request=None)
    def post(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Releases the previewed round with its changes by hand, and opens its matches."""
        permissions.tournament_by_id(self.actor, tournament_id, Capability.DIRECT)
        return Response(
            paired_round_json(round_previews.release_round(tournament_id, self.actor)), status=201
        )


class PreviewSwapsView(ApiView):
    @describes("swap_in_round_preview", {201: RoundPreviewDocument}, 409, request=PreviewSwapBody)
    def post(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Swaps two players of the preview, also if the new pairs break an aim. A player with a bye passes it on."""
        tournament = permissions.tournament_by_id(self.actor, tournament_id, Capability.DIRECT)
        body = self.read(PreviewSwapBody)
        players = body["first"], body["second"]
        round_previews.swap_players(
            tournament.pk, *players, body["reason"], self.actor, number=body["number"]
        )
        return _preview_response(tournament, status=201)


class PreviewSwapView(ApiView):
    @describes("undo_swap_in_round_preview", {204: None}, 409, request=None)
    def delete(self, request: Request, tournament_id: uuid.UUID, number: int) -> Response:  # noqa: ARG002
        """Takes the last swap of the preview back. Refused for an earlier swap."""
        permissions.tournament_by_id(self.actor, tournament_id, Capability.DIRECT)
        round_previews.undo_swap(tournament_id, self.actor, number=number)
        return Response(status=204)


class PairRulesView(ApiView):
    @describes_list("list_pair_rules", PairRuleDocument)
    def get(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Returns the pairs set by hand, of earlier rounds too, and the pairs kept apart."""
        tournament = permissions.tournament_by_id(self.actor, tournament_id, Capability.DESK)
        return self.page(list_pair_rules(tournament), rule_json, ("pk",))

    @describes("make_pair_rule", {201: PairRuleDocument}, 409, request=PairRuleBody)
    def post(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Sets a pair of the next round by hand, or keeps two players apart in all further rounds.

        A preview is not changed, but is outdated: pair the round again.
        """
        permissions.tournament_by_id(self.actor, tournament_id, Capability.DIRECT)
        body = self.read(PairRuleBody)
        make_rule = pair_rules.pair_by_hand if body["kind"] == TOGETHER else pair_rules.keep_apart
        rule = make_rule(tournament_id, body["first"], body["second"], body["reason"], self.actor)
        return Response(rule_json(rule), status=201)


class PairRuleView(ApiView):
    @describes("remove_pair_rule", {204: None}, 409, request=None)
    def delete(self, request: Request, tournament_id: uuid.UUID, rule_id: int) -> Response:  # noqa: ARG002
        """Removes a pair set by hand or kept apart. Refused once its round is released."""
        permissions.tournament_by_id(self.actor, tournament_id, Capability.DIRECT)
        pair_rules.remove_rule(tournament_id, rule_id, self.actor)
        return Response(status=204)


def _preview_response(tournament: Tournament, status: int = 200) -> Response:
    preview = load_round_preview(tournament)
    if preview is None:
        raise NotFound
    return Response(preview_json(preview), status=status)
