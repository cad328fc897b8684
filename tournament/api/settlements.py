"""API views of settlements: recorded by the desk, or proposed by one player's phone and accepted by the other's."""

import uuid

from rest_framework.request import Request
from rest_framework.response import Response

from matches.keepers import Keeper
from tournament.access import permissions
from tournament.access.actors import Actor
from tournament.access.permissions import Capability
from tournament.api.authentication import actors_of
from tournament.api.describing import describes
from tournament.api.settlement_serializers import (
    AgreementBody,
    DeskAgreementBody,
    ProposalBody,
    SettlementDocument,
    agreement_of,
    settlement_json,
)
from tournament.api.views import ApiView
from tournament.models import Pairing
from tournament.money import settling
from tournament.queries.money.settlements import SettlementPage, load_settlement_page
from tournament.refusals.results import PLAYERS_UNKNOWN
from tournament.results import posting
from tournament.results.awards import ExpectedResult
from tournament.runtime.errors import Refused


def load_settlement(pairing: Pairing, own: uuid.UUID | None = None) -> SettlementPage:
    """Raises Refused while a player of the pairing is unknown."""
    settlement = load_settlement_page(pairing, own)
    if settlement is None:
        raise Refused(PLAYERS_UNKNOWN)
    return settlement


class DeskSettlementView(ApiView):
    def pairing(self, pairing_id: int) -> Pairing:
        """The desk also needs the capability for money."""
        pairing = posting.load_pairing(pairing_id)
        for capability in (Capability.DESK, Capability.MONEY):
            permissions.require(self.actor, pairing.round.bracket.tournament, capability)
        return pairing

    @describes("show_settlement", {200: SettlementDocument}, 409)
    def get(self, request: Request, pairing_id: int) -> Response:  # noqa: ARG002
        """Returns the prizes that depend on a match, the chances, the fair split and an open proposal."""
        return Response(settlement_json(load_settlement(self.pairing(pairing_id))))

    @describes("settle_match", {204: None}, 409, request=DeskAgreementBody)
    def post(self, request: Request, pairing_id: int) -> Response:  # noqa: ARG002
        """Posts how two players settled their match, or corrects the posted result to it. Retract the result or
        correct it to undo the settlement."""
        pairing = self.pairing(pairing_id)
        body = self.read(DeskAgreementBody)
        expected = ExpectedResult(body["result"])
        settling.settle_at_desk(pairing, agreement_of(body), body["reason"], self.actor, expected=expected)
        return Response(status=204)


class PlayerSettlementView(ApiView):
    """Base class of views of the match of a phone's player."""

    def own(self, match_id: uuid.UUID) -> tuple[Actor, Pairing, Keeper]:
        """Raises Denied without a personal link, NotFound for a match of other players."""
        players = [actor for actor in actors_of(self.request) if actor.entry is not None]
        return permissions.pairing_for_phone(players, match_id, self.request.query_params.get("entry", ""))

    def settlement(self, actor: Actor, pairing: Pairing) -> Response:
        """The settlement as this player may see it. Raises Refused while a player is unknown."""
        own = actor.entry.pk if actor.entry else None
        return Response(settlement_json(load_settlement(pairing, own)))


class OwnSettlementView(PlayerSettlementView):
    @describes("show_own_settlement", {200: SettlementDocument}, 409)
    def get(self, request: Request, match_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Returns the prizes that depend on your match, the chances, the fair split and an open proposal."""
        actor, pairing, _ = self.own(match_id)
        return self.settlement(actor, pairing)

    @describes("propose_settlement", {200: SettlementDocument}, 409, request=AgreementBody)
    def post(self, request: Request, match_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Proposes to settle your match. The proposal replaces an open one, and waits for the other player."""
        actor, pairing, _ = self.own(match_id)
        settling.propose(pairing, agreement_of(self.read(AgreementBody)), actor)
        return self.settlement(actor, pairing)


class AcceptedSettlementView(PlayerSettlementView):
    @describes("accept_settlement", {204: None}, 409, request=ProposalBody)
    def post(self, request: Request, match_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Accepts the other player's proposal, and posts it as the result."""
        actor, pairing, keeper = self.own(match_id)
        settling.confirm(pairing, self.read(ProposalBody)["proposal"], keeper, actor)
        return Response(status=204)


class UndoneSettlementView(PlayerSettlementView):
    @describes("undo_settlement", {204: None}, 409, request=None)
    def post(self, request: Request, match_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Retracts the settlement that you accepted in the last two minutes, so that the match continues. Refused once
        prizes are awarded."""
        actor, pairing, keeper = self.own(match_id)
        settling.undo_acceptance(pairing, keeper, actor)
        return Response(status=204)


class ClosedSettlementView(PlayerSettlementView):
    @describes("close_settlement", {204: None}, 409, request=ProposalBody)
    def post(self, request: Request, match_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Declines the other player's proposal, or withdraws your own."""
        actor, pairing, _ = self.own(match_id)
        settling.close(pairing, self.read(ProposalBody)["proposal"], actor)
        return Response(status=204)
