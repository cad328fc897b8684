"""API views of draws: made, released and taken back, with secret and dice, and seeds."""

import uuid
from typing import Any

from drf_spectacular.types import OpenApiTypes
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.access import permissions
from tournament.access.permissions import Capability
from tournament.api.describing import EVERYBODY, describes, describes_list
from tournament.api.draw_serializers import (
    CommitmentDocument,
    DrawBody,
    DrawDocument,
    EntriesClosingBody,
    SeedingBody,
    SeedsDocument,
    draw_of,
    public_chance_of,
)
from tournament.api.format_serializers import draw_rules_of
from tournament.api.shared_serializers import ReasonBody
from tournament.api.views import ApiView
from tournament.drawing import draw_secret, order, seeding
from tournament.drawing import draws as drawing
from tournament.drawing.order import published_text
from tournament.live.channels import event_channel
from tournament.models import Commitment, Draw
from tournament.queries.draws.preview import visible_draws
from tournament.queries.draws.proofs import released_document
from tournament.runtime.errors import NotFound
from tournament.web.conditional import vary_by_channels


class DrawsView(ApiView):
    @describes_list("list_draws", DrawDocument, auth=EVERYBODY)
    def get(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Returns all draws; without a role in the event, only released ones."""
        tournament = permissions.tournament_by_id(self.actor, tournament_id)
        includes_hidden = permissions.may(self.actor, tournament.event, Capability.DESK)
        draws = visible_draws(tournament, includes_hidden=includes_hidden)
        return vary_by_channels(
            self.page(draws, draw_json, ("number",)), [event_channel(tournament.event_id)]
        )

    @describes("make_draw", {201: DrawDocument}, 409, request=DrawBody)
    def post(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Makes a draw, or replaces the draw with the number `draw`. It is hidden until its release."""
        permissions.tournament_by_id(self.actor, tournament_id, Capability.DIRECT)
        body = self.read(DrawBody)
        draw = drawing.make(tournament_id, draw_of(body), self.actor, drawing.ExpectedDraw(body.get("draw")))
        return Response(draw_json(draw), status=201)

    @describes("undo_draw", {204: None}, 409, request=ReasonBody)
    def delete(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Takes the current draw back, which opens the entry list again."""
        permissions.tournament_by_id(self.actor, tournament_id, Capability.DIRECT)
        drawing.undo(tournament_id, self.actor, self.read(ReasonBody)["reason"])
        return Response(status=204)


class ReleaseView(ApiView):
    @describes("release_draw", {204: None}, 409, request=None)
    def post(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Releases the draw and opens the first matches."""
        permissions.tournament_by_id(self.actor, tournament_id, Capability.DIRECT)
        drawing.release(tournament_id, self.actor)
        return Response(status=204)


class CommitmentView(ApiView):
    @describes("show_commitment", {200: CommitmentDocument}, auth=EVERYBODY)
    def get(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Returns the hash of the secret for the next draw. Answers 404 once the draw is made."""
        tournament = permissions.tournament_by_id(self.actor, tournament_id)
        commitment = draw_secret.open_commitment(tournament)
        if commitment is None:
            raise NotFound
        return Response(commitment_json(commitment))

    @describes("commit_to_secret", {201: CommitmentDocument}, 409, request=None)
    def post(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Creates a secret. Idempotent: returns the open secret if there is one."""
        permissions.tournament_by_id(self.actor, tournament_id, Capability.DIRECT)
        return Response(commitment_json(draw_secret.commit_to_secret(tournament_id, self.actor)), status=201)

    @describes("close_entries", {200: CommitmentDocument}, 409, request=EntriesClosingBody)
    def put(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Closes the entries: fixes entries, format, rules and the number of throws. Then throw the dice and call
        `make_draw` with `public`. Closing again needs a reason, and both closings are published."""
        permissions.tournament_by_id(self.actor, tournament_id, Capability.DIRECT)
        body = self.read(EntriesClosingBody)
        closed = draw_secret.close_entries(
            tournament_id, draw_rules_of(body), self.actor, public_chance_of(body), body["reason"]
        )
        return Response(commitment_json(closed))

    @describes("give_secret_up", {204: None}, 409, request=ReasonBody)
    def delete(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Gives up the secret. The reason is published."""
        permissions.tournament_by_id(self.actor, tournament_id, Capability.DIRECT)
        draw_secret.give_up_secret(tournament_id, self.read(ReasonBody)["reason"], self.actor)
        return Response(status=204)


class ReopenedEntriesView(ApiView):
    @describes("reopen_entries", {200: CommitmentDocument}, 409, request=ReasonBody)
    def post(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Reopens closed entries. The closing stays published, with the reason."""
        permissions.tournament_by_id(self.actor, tournament_id, Capability.DIRECT)
        reason = self.read(ReasonBody)["reason"]
        return Response(commitment_json(draw_secret.reopen_entries(tournament_id, reason, self.actor)))


class DrawDocumentView(ApiView):
    @describes("show_draw_document", {200: OpenApiTypes.OBJECT}, auth=EVERYBODY)
    def get(self, request: Request, tournament_id: uuid.UUID, number: int) -> Response:  # noqa: ARG002
        """Returns the document of a released draw by secret and dice, as `verify_draw` reads it."""
        return Response(released_document(permissions.tournament_by_id(self.actor, tournament_id), number))


class SeedsView(ApiView):
    @describes("seed_by_rating", {200: SeedsDocument}, 409, request=SeedingBody)
    def put(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Seeds the best rated entries and removes all other seeds. Only before the draw."""
        permissions.tournament_by_id(self.actor, tournament_id, Capability.DIRECT)
        how_many = self.read(SeedingBody)["how_many"]
        return Response({"seeded": seeding.seed_by_rating(tournament_id, how_many, self.actor)})


def draw_json(draw: Draw) -> dict[str, Any]:
    names = (
        "number",
        "method",
        "seed_text",
        "entries",
        "order",
        "reason",
        "secret_hash",
        "entries_hash",
        "made_at",
        "released_at",
        "replaced_at",
    )
    rules = {name: value for name, value in draw.rules.items() if name not in ("entries", "closing", "names")}
    event = draw.tournament.event
    texts = {"reason": published_text(event, draw.reason)}
    if "byes_reason" in rules:
        rules["byes_reason"] = published_text(event, rules["byes_reason"])
    fields = {name: getattr(draw, name) for name in names}
    return fields | {"public": draw.public_dice, "rules": rules} | texts


def commitment_json(commitment: Commitment) -> dict[str, Any]:
    return {
        "secret_hash": commitment.secret_hash,
        "made_at": commitment.made_at,
        "entries_hash": commitment.entries_hash,
        "closed_at": commitment.closed_at,
        "public": commitment.rules.get("closing", {}).get("public"),
        "reopened": [
            {
                "number": reopening.number,
                "entries_hash": reopening.entries_hash,
                "closed_at": reopening.closed_at,
                "reopened_at": reopening.reopened_at,
                "reason": order.published_text(commitment.tournament.event, reopening.reason),
            }
            for reopening in commitment.reopenings.all()
        ],
    }
