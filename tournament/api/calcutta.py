"""API views of an auction of players, called a Calcutta: terms, lots, bids, sales, shares, and awards of its pot."""

import uuid
from collections.abc import Callable

from rest_framework.request import Request
from rest_framework.response import Response

from tournament.access import permissions
from tournament.access.actors import Actor
from tournament.access.permissions import Capability
from tournament.api.calcutta_serializers import (
    BidBody,
    BuyBackBody,
    CalcuttaDocument,
    LotBody,
    NewLotBody,
    ShareBody,
    TermsBody,
    buyer_of,
    calcutta_json,
    terms_of,
)
from tournament.api.describing import describes, word_parameter
from tournament.api.views import ApiView
from tournament.models import Tournament
from tournament.money import calcutta
from tournament.money.calcutta import ShownLot
from tournament.money.calcutta_awards import award_owners
from tournament.queries.money.calcutta import load_auction
from tournament.runtime.errors import NotFound

ACTIONS: dict[str, Callable[[uuid.UUID, ShownLot, Actor], None]] = {
    "sell": calcutta.sell,
    "undo": calcutta.undo_last,
    "remove": calcutta.remove_lot,
}


class AuctionView(ApiView):
    """Base class of views of a tournament's auction. Every change returns the whole auction."""

    def tournament(self, tournament_id: uuid.UUID, capability: Capability = Capability.MONEY) -> Tournament:
        return permissions.tournament_by_id(self.actor, tournament_id, capability)

    def auction(self, tournament: Tournament, status: int = 200) -> Response:
        """Raises NotFound if the tournament has no auction."""
        auction = load_auction(tournament)
        if auction is None:
            raise NotFound
        return Response(calcutta_json(auction), status=status)


class CalcuttaView(AuctionView):
    @describes("show_calcutta", {200: CalcuttaDocument})
    def get(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Returns the auction with its lots, bids and owners."""
        return self.auction(self.tournament(tournament_id))

    @describes("set_calcutta_terms", {200: CalcuttaDocument}, 409, request=TermsBody)
    def put(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Switches the auction on, or changes its terms. Currency and rake stay once a lot is sold."""
        tournament = self.tournament(tournament_id, Capability.DIRECT)
        calcutta.set_terms(tournament_id, terms_of(self.read(TermsBody)), self.actor)
        return self.auction(tournament)

    @describes("remove_calcutta", {204: None}, 409)
    def delete(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Removes the auction with its lots and bids, while no lot is sold. Idempotent."""
        self.tournament(tournament_id, Capability.DIRECT)
        calcutta.switch_off(tournament_id, self.actor)
        return Response(status=204)


class OwnerAwardsView(AuctionView):
    @describes("award_calcutta", {200: CalcuttaDocument}, 409, request=None)
    def post(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Awards the pot to the owners of those who placed, once the tournament is over. Repeating it changes
        nothing."""
        tournament = self.tournament(tournament_id)
        award_owners(tournament_id, self.actor)
        return self.auction(tournament)


class LotsView(AuctionView):
    @describes("add_lot", {201: CalcuttaDocument}, 409, request=NewLotBody)
    def post(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Adds a lot of these entries, or the field. An entry and the field have one lot."""
        tournament = self.tournament(tournament_id)
        body = self.read(NewLotBody)
        calcutta.add_lots(tournament_id, [body["entries"]], self.actor, is_field=body["is_field"])
        return self.auction(tournament, 201)


class BidsView(AuctionView):
    @describes("bid_for_lot", {200: CalcuttaDocument}, 409, request=BidBody)
    def post(self, request: Request, tournament_id: uuid.UUID, lot_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Records the next bid on a lot."""
        tournament = self.tournament(tournament_id)
        body = self.read(BidBody)
        shown = ShownLot(lot_id, body["state"])
        calcutta.bid(tournament_id, shown, buyer_of(body), body["minor"], self.actor)
        return self.auction(tournament)


class SharesView(AuctionView):
    @describes("share_lot", {200: CalcuttaDocument}, 409, request=ShareBody)
    def post(self, request: Request, tournament_id: uuid.UUID, lot_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Gives a person parts of a sold lot, and charges its owners by their parts."""
        tournament = self.tournament(tournament_id)
        body = self.read(ShareBody)
        shown = ShownLot(lot_id, body["state"])
        calcutta.set_share(tournament_id, shown, buyer_of(body), body["parts"], self.actor)
        return self.auction(tournament)


class BuyBackView(AuctionView):
    @describes("buy_lot_back", {200: CalcuttaDocument}, 409, request=BuyBackBody)
    def post(self, request: Request, tournament_id: uuid.UUID, lot_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Sells half of a lot to one of its players for half of the bid, once."""
        tournament = self.tournament(tournament_id)
        body = self.read(BuyBackBody)
        calcutta.buy_back(tournament_id, ShownLot(lot_id, body["state"]), body["player"], self.actor)
        return self.auction(tournament)


class LotActionView(AuctionView):
    @describes(
        "change_lot", {200: CalcuttaDocument}, 409, request=LotBody,
        parameters=[word_parameter("action", ACTIONS)],
    )  # fmt: skip
    def post(self, request: Request, tournament_id: uuid.UUID, lot_id: uuid.UUID, action: str) -> Response:  # noqa: ARG002
        """Does one of these: sell the lot to its last bidder, undo its sale or its last bid, remove a lot without
        bids."""
        work = ACTIONS.get(action)
        if work is None:
            raise NotFound
        tournament = self.tournament(tournament_id)
        work(tournament_id, ShownLot(lot_id, self.read(LotBody)["state"]), self.actor)
        return self.auction(tournament)
