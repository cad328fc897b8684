"""A draw by secret and dice over the API: secret, closed entries, the document that anybody can check; seeds."""

import uuid
from typing import Any

from drf_spectacular.types import OpenApiTypes
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.access import permissions
from tournament.access.permissions import Capability
from tournament.api.closing_serializers import EntriesClosingBody, public_of
from tournament.api.describing import EVERYBODY, describes
from tournament.api.draw_serializers import CommitmentDocument, SeedsDocument
from tournament.api.format_serializers import draw_rules_of
from tournament.api.request_serializers import ReasonBody, SeedingBody
from tournament.api.views import ApiView
from tournament.drawing import commitments, order, seeding
from tournament.models import Commitment
from tournament.queries.draws.proofs import released_document
from tournament.runtime.errors import NotFound


class CommitmentView(ApiView):
    @describes("show_commitment", {200: CommitmentDocument}, auth=EVERYBODY)
    def get(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """The secret that waits for its draw, by its hash; not there once the draw is made."""
        tournament = permissions.tournament_by_id(self.actor, tournament_id)
        waiting = commitments.open_commitment(tournament)
        if waiting is None:
            raise NotFound
        return Response(commitment_told(waiting))

    @describes("commit_to_secret", {201: CommitmentDocument}, 409, request=None)
    def post(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Makes a secret; the one that waits already, where there is one."""
        permissions.tournament_by_id(self.actor, tournament_id, Capability.DIRECT)
        return Response(commitment_told(commitments.commit_to_secret(tournament_id, self.actor)), status=201)

    @describes("close_entries", {200: CommitmentDocument}, 409, request=EntriesClosingBody)
    def put(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Closes entries: fixes who is in, format, rules and how many dice count. Throw the dice after this, then
        `make_draw` with `public`. Closing again needs a reason, and both closings are published."""
        permissions.tournament_by_id(self.actor, tournament_id, Capability.DIRECT)
        body = self.read(EntriesClosingBody)
        closed = commitments.close_entries(
            tournament_id, draw_rules_of(body), self.actor, public_of(body), body["reason"]
        )
        return Response(commitment_told(closed))

    @describes("give_secret_up", {204: None}, 409, request=ReasonBody)
    def delete(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Gives the secret up for a reason that is published."""
        permissions.tournament_by_id(self.actor, tournament_id, Capability.DIRECT)
        commitments.give_up_secret(tournament_id, self.read(ReasonBody)["reason"], self.actor)
        return Response(status=204)


class ReopenedEntriesView(ApiView):
    @describes("reopen_entries", {200: CommitmentDocument}, 409, request=ReasonBody)
    def post(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Reopens closed entries so that they can change; the closing stays published, with the reason."""
        permissions.tournament_by_id(self.actor, tournament_id, Capability.DIRECT)
        reason = self.read(ReasonBody)["reason"]
        return Response(commitment_told(commitments.reopen_entries(tournament_id, reason, self.actor)))


class DrawDocumentView(ApiView):
    @describes("show_draw_document", {200: OpenApiTypes.OBJECT}, auth=EVERYBODY)
    def get(self, request: Request, tournament_id: uuid.UUID, number: int) -> Response:  # noqa: ARG002
        """Everything that a released draw by secret and dice was made of, as `verify_draw` reads it."""
        return Response(released_document(permissions.tournament_by_id(self.actor, tournament_id), number))


class SeedsView(ApiView):
    @describes("seed_by_rating", {200: SeedsDocument}, 409, request=SeedingBody)
    def put(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Seeds the best rated, and nobody else; before the draw."""
        permissions.tournament_by_id(self.actor, tournament_id, Capability.DIRECT)
        how_many = self.read(SeedingBody)["how_many"]
        return Response({"seeded": seeding.seed_by_rating(tournament_id, how_many, self.actor)})


def commitment_told(commitment: Commitment) -> dict[str, Any]:
    return {
        "secret_hash": commitment.secret_hash,
        "made_at": commitment.made_at,
        "entries_hash": commitment.entries_hash,
        "closed_at": commitment.closed_at,
        "public": commitment.rules.get("closing", {}).get("public"),
        "reopened": [
            {
                "number": one.number,
                "entries_hash": one.entries_hash,
                "closed_at": one.closed_at,
                "reopened_at": one.reopened_at,
                "reason": order.published_text(commitment.tournament.event, one.reason),
            }
            for one in commitment.reopenings.all()
        ],
    }
