"""API views of prizes out of pots: how pots are split, templates, present amounts, and awards."""

import uuid

from rest_framework.request import Request
from rest_framework.response import Response

from tournament.access import permissions
from tournament.access.permissions import Capability
from tournament.api.describing import describes
from tournament.api.prize_structure_serializers import (
    AwardsDocument,
    PotPreviewDocument,
    PrizeStepDocument,
    PrizeStructureBody,
    PrizeStructureDocument,
    TemplateBody,
    TemplateDocument,
    TemplateNameBody,
    preview_json,
    step_json,
    templates_json,
)
from tournament.api.views import ApiView
from tournament.ledger.charging import schedule_of
from tournament.money.awards import award_prizes
from tournament.money.prize_structures import keep_template, remove_template, set_structure
from tournament.prizes.stored import structure_as_json
from tournament.prizes.structure import PrizeStructure
from tournament.queries.money.prize_steps import prize_steps
from tournament.queries.money.prizes import preview_prizes, tournament_currency
from tournament.queries.money.unpaid_pots import unpaid_pots_of
from tournament.runtime.revisions import revision_of


class PrizeStructureView(ApiView):
    @describes("show_prize_structure", {200: PrizeStructureDocument})
    def get(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Returns how the pots of a tournament are split into prizes."""
        tournament = permissions.tournament_by_id(self.actor, tournament_id, Capability.DIRECT)
        return Response(_structure_json(tournament.prize_structure))

    @describes("set_prize_structure", {200: PrizeStructureDocument}, 409, request=PrizeStructureBody)
    def put(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Sets how the pots are split into prizes. Prizes that are awarded change only by awarding again."""
        permissions.tournament_by_id(self.actor, tournament_id, Capability.DIRECT)
        body = self.read(PrizeStructureBody)
        structure = body["prizes"]
        set_structure(tournament_id, structure, self.actor, revision=body["revision"])
        return Response(_structure_json(structure_as_json(structure) if structure else {}))


class PrizePreviewView(ApiView):
    @describes("preview_prizes", {200: PotPreviewDocument}, request=PrizeStructureBody)
    def post(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Returns the prizes that this structure pays out of the present pots. Changes nothing."""
        tournament = permissions.tournament_by_id(self.actor, tournament_id, Capability.DIRECT)
        structure = self.read(PrizeStructureBody)["prizes"] or PrizeStructure(tournament_currency(tournament))
        return Response(preview_json(preview_prizes(tournament, structure, schedule_of(tournament))))


class PrizeTemplatesView(ApiView):
    @describes("list_prize_templates", {200: TemplateDocument(many=True)})
    def get(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Returns usual ways to split the pot of this tournament, and those that its organizer stored."""
        tournament = permissions.tournament_by_id(self.actor, tournament_id, Capability.DIRECT)
        return Response(templates_json(tournament))

    @describes("store_prize_template", {204: None}, 409, request=TemplateBody)
    def put(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Stores a template of the event's organizer. A template of the same name is replaced."""
        tournament = permissions.tournament_by_id(self.actor, tournament_id, Capability.OWN)
        body = self.read(TemplateBody)
        currency = body["currency"] or tournament_currency(tournament)
        keep_template(tournament, body["name"], body["parts"], currency, self.actor)
        return Response(status=204)

    @describes("remove_prize_template", {204: None}, 409, request=TemplateNameBody)
    def delete(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Removes a template of the event's organizer."""
        tournament = permissions.tournament_by_id(self.actor, tournament_id, Capability.OWN)
        remove_template(tournament, self.read(TemplateNameBody)["name"], self.actor)
        return Response(status=204)


class AwardsView(ApiView):
    @describes("award_prizes", {200: AwardsDocument}, 409, request=None)
    def post(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Awards the prizes of a tournament that is over, or posts what changed in them since. Repeating it changes
        nothing."""
        permissions.tournament_by_id(self.actor, tournament_id, Capability.MONEY)
        return Response({"changed": len(award_prizes(tournament_id, self.actor))})


class PrizeStepsView(ApiView):
    @describes("list_prize_steps", {200: PrizeStepDocument(many=True)})
    def get(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Returns the tournaments whose prizes can be awarded, or changed since, and what is not paid into their
        pots."""
        row = permissions.event_for(self.actor, event, Capability.MONEY)
        steps = prize_steps(list(row.tournaments.all()))
        return Response([step_json(step, unpaid_pots_of(step)) for step in steps])


def _structure_json(prizes: dict[str, object]) -> dict[str, object]:
    return {"prizes": prizes, "revision": revision_of(prizes)}
