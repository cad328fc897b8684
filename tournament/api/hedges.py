"""API views of hedges: one player's phone proposes what the winner gives the loser, and the other's accepts."""

import uuid

from rest_framework.request import Request
from rest_framework.response import Response

from tournament.api.describing import describes
from tournament.api.settlement_serializers import (
    HedgeBody,
    ProposalBody,
    SettlementDocument,
)
from tournament.api.settlements import PlayerSettlementView
from tournament.money import hedging


class HedgeView(PlayerSettlementView):
    @describes("propose_hedge", {200: SettlementDocument}, 409, request=HedgeBody)
    def post(self, request: Request, match_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Proposes what the winner of your match gives the loser. The proposal replaces an open one, and waits for the
        other player."""
        actor, pairing, _ = self.own(match_id)
        body = self.read(HedgeBody)
        hedging.propose(pairing, (body["left"], body["right"]), actor)
        return self.settlement(actor, pairing)


class AcceptedHedgeView(PlayerSettlementView):
    @describes("accept_hedge", {204: None}, 409, request=ProposalBody)
    def post(self, request: Request, match_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Accepts the hedge that the other player proposed. It is posted with the prizes."""
        actor, pairing, _ = self.own(match_id)
        hedging.accept(pairing, self.read(ProposalBody)["proposal"], actor)
        return Response(status=204)


class ClosedHedgeView(PlayerSettlementView):
    @describes("close_hedge", {204: None}, 409, request=ProposalBody)
    def post(self, request: Request, match_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Declines or withdraws a proposed hedge. An accepted one counts until both players have asked for this."""
        actor, pairing, _ = self.own(match_id)
        hedging.close(pairing, self.read(ProposalBody)["proposal"], actor)
        return Response(status=204)
