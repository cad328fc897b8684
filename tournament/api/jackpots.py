"""API views of jackpots: opened by the desk, joined by the desk or a player's phone."""

import uuid
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.access import permissions
from tournament.access.permissions import Capability
from tournament.api.authentication import actors_of
from tournament.api.describing import EVERYBODY, describes, describes_list
from tournament.api.shared_serializers import ReasonBody
from tournament.api.views import ApiView
from tournament.brackets.lengths import LONGEST, SHORTEST
from tournament.drawing import jackpots
from tournament.drawing.jackpots import JackpotPlan
from tournament.live.channels import event_channel
from tournament.models import Jackpot
from tournament.models.jackpots import JACKPOT_SIZES
from tournament.queries.jackpots import SEATS, JackpotState, jackpot_rows, jackpot_view, jackpot_with_event
from tournament.runtime.errors import NotFound
from tournament.web.conditional import vary_by_channels


class JackpotBody(serializers.Serializer[Any]):
    key = serializers.UUIDField(help_text="Made by the client: the same key opens one jackpot.")
    size = serializers.ChoiceField(choices=JACKPOT_SIZES)
    length = serializers.IntegerField(min_value=SHORTEST, max_value=LONGEST)
    price = serializers.DecimalField(8, 2, required=False, allow_null=True, min_value=0, default=None)


class JackpotDocument(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    number = serializers.IntegerField()
    size = serializers.IntegerField()
    length = serializers.IntegerField()
    price = serializers.CharField(allow_null=True)
    state = serializers.ChoiceField(choices=[state.value for state in JackpotState])
    bracket = serializers.CharField(allow_null=True, help_text="Its key, once it is drawn.")
    seed_text = serializers.CharField(help_text="Seed of the random draw from `entries` in their order.")
    entries = serializers.ListField(child=serializers.UUIDField())


class JackpotsView(ApiView):
    @describes_list("list_jackpots", JackpotDocument, auth=EVERYBODY)
    def get(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Returns all jackpots of the tournament with their entries."""
        tournament = permissions.tournament_by_id(self.actor, tournament_id)
        if not permissions.may_see_draw(self.actor, tournament):
            raise NotFound
        page = self.page(jackpot_rows(tournament).prefetch_related(SEATS), jackpot_json, ("number",))
        return vary_by_channels(page, [event_channel(tournament.event_id)])

    @describes("open_jackpot", {201: JackpotDocument}, 409, request=JackpotBody)
    def post(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Opens a jackpot for 4 or 8 players."""
        permissions.tournament_by_id(self.actor, tournament_id, Capability.DESK)
        jackpot = jackpots.open_jackpot(tournament_id, JackpotPlan(**self.read(JackpotBody)), self.actor)
        return Response(jackpot_json(jackpot), status=201)


class JackpotClosingView(ApiView):
    @describes("close_jackpot", {204: None}, 409, request=ReasonBody)
    def post(self, request: Request, jackpot_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Closes a jackpot that is not full."""
        jackpot = jackpot_with_event(jackpot_id)
        permissions.require(self.actor, jackpot.tournament, Capability.DESK)
        jackpots.close(jackpot, self.actor, self.read(ReasonBody)["reason"])
        return Response(status=204)


class JackpotSeatView(ApiView):
    @describes("join_jackpot", {200: JackpotDocument}, 409, request=None)
    def put(self, request: Request, jackpot_id: uuid.UUID, entry_id: uuid.UUID) -> Response:
        """Joins a jackpot, as desk or by the player's phone. A full jackpot starts at once. Idempotent."""
        actor, entry = permissions.entry_for_desk_or_phone(actors_of(request), entry_id)
        return Response(jackpot_json(jackpots.join(jackpot_id, entry, actor)))

    @describes("leave_jackpot", {204: None}, 409)
    def delete(self, request: Request, jackpot_id: uuid.UUID, entry_id: uuid.UUID) -> Response:
        """Leaves a jackpot that is not full. Idempotent."""
        actor, entry = permissions.entry_for_desk_or_phone(actors_of(request), entry_id)
        jackpots.leave(jackpot_id, entry, actor)
        return Response(status=204)


def jackpot_json(jackpot: Jackpot) -> dict[str, Any]:
    view = jackpot_view(jackpot)
    return {
        "id": view.id,
        "number": view.number,
        "size": view.size,
        "length": view.length,
        "price": str(view.price) if view.price is not None else None,
        "state": view.state.value,
        "bracket": view.bracket or None,
        "seed_text": view.seed_text,
        "entries": [entry.pk for entry in view.joined],
    }
