"""Jackpots over the API: opened by the desk, joined by it or by a player's own phone, drawn when full."""

import uuid
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from tournament.access import permissions
from tournament.access.permissions import Capability
from tournament.api.authentication import actors_of
from tournament.api.describing import EVERYBODY, describes, describes_list
from tournament.api.request_serializers import ReasonBody
from tournament.api.seat_serializers import JackpotBody, JackpotDocument
from tournament.api.views import ApiView
from tournament.drawing import jackpots
from tournament.drawing.jackpots import JackpotPlan
from tournament.live.channels import event_channel
from tournament.models import Jackpot
from tournament.queries.jackpots import SEATS, jackpot_shown
from tournament.runtime.errors import NotFound
from tournament.web.conditional import vary_by_channels


class JackpotsView(ApiView):
    @describes_list("list_jackpots", JackpotDocument, auth=EVERYBODY)
    def get(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Every jackpot of the tournament, with who joined it."""
        tournament = permissions.tournament_by_id(self.actor, tournament_id)
        if not permissions.may_see_draw(self.actor, tournament):
            raise NotFound
        rows = Jackpot.objects.filter(tournament=tournament).select_related("bracket")
        page = self.page(rows.prefetch_related(SEATS), jackpot_told, ("number",))
        return vary_by_channels(page, [event_channel(tournament.event_id)])

    @describes("open_jackpot", {201: JackpotDocument}, 409, request=JackpotBody)
    def post(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Opens a jackpot for 4 or 8 players."""
        permissions.tournament_by_id(self.actor, tournament_id, Capability.DESK)
        jackpot = jackpots.open_jackpot(tournament_id, JackpotPlan(**self.read(JackpotBody)), self.actor)
        return Response(jackpot_told(jackpot), status=201)


class JackpotClosingView(ApiView):
    @describes("close_jackpot", {204: None}, 409, request=ReasonBody)
    def post(self, request: Request, jackpot_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Gives up a jackpot that did not fill."""
        jackpot = Jackpot.objects.select_related("tournament__event").filter(pk=jackpot_id).first()
        if jackpot is None:
            raise NotFound
        permissions.require(self.actor, jackpot.tournament.event, Capability.DESK)
        jackpots.close(jackpot, self.actor, self.read(ReasonBody)["reason"])
        return Response(status=204)


class JackpotSeatView(ApiView):
    @describes("join_jackpot", {200: JackpotDocument}, 409, request=None)
    def put(self, request: Request, jackpot_id: uuid.UUID, entry_id: uuid.UUID) -> Response:
        """The desk, or the player's own phone, joins; the last one starts it. Again: changes nothing."""
        actor, entry = permissions.entry_for_desk_or_phone(actors_of(request), entry_id)
        return Response(jackpot_told(jackpots.join(jackpot_id, entry, actor)))

    @describes("leave_jackpot", {204: None}, 409)
    def delete(self, request: Request, jackpot_id: uuid.UUID, entry_id: uuid.UUID) -> Response:
        """Gives the seat up while the jackpot is not full. Again: changes nothing."""
        actor, entry = permissions.entry_for_desk_or_phone(actors_of(request), entry_id)
        jackpots.leave(jackpot_id, entry, actor)
        return Response(status=204)


def jackpot_told(jackpot: Jackpot) -> dict[str, Any]:
    shown = jackpot_shown(jackpot)
    return {
        "id": shown.id,
        "number": shown.number,
        "size": shown.size,
        "length": shown.length,
        "price": str(shown.price) if shown.price is not None else None,
        "state": shown.state.value,
        "bracket": shown.bracket or None,
        "seed_text": shown.seed_text,
        "entries": [entry.pk for entry in shown.joined],
    }
