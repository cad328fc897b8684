"""API views of an auction of players, called a Calcutta: terms, lots, bids, sales, shares, and awards of its pot."""

import uuid
from collections.abc import Callable
from typing import Any

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
    PublicAuctionDocument,
    ShareBody,
    TermsBody,
    buyer_of,
    calcutta_json,
    public_auction_json,
    terms_of,
)
from tournament.api.describing import EVERYBODY, describes, word_parameter
from tournament.api.views import ApiView
from tournament.models import Tournament
from tournament.money import calcutta
from tournament.money.calcutta import ExpectedLot
from tournament.money.calcutta_awards import award_owners
from tournament.queries.money.calcutta import load_auction
from tournament.runtime.errors import NotFound

ACTIONS: dict[str, Callable[[uuid.UUID, ExpectedLot, Actor], None]] = {
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


class PublicAuctionView(AuctionView):
    @describes("show_public_auction", {200: PublicAuctionDocument}, auth=EVERYBODY)
    def get(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Returns the lots and their owners without amounts, if the terms make them public."""
        auction = load_auction(permissions.tournament_by_id(self.actor, tournament_id))
        if auction is None or not auction.calcutta.is_public:
            raise NotFound
        return Response(public_auction_json(auction))


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
        """Adds a lot of these entries, or one for each entry without a lot, or the field. An entry and the field have
        one lot."""
        tournament = self.tournament(tournament_id)
        body = self.read(NewLotBody)
        lots = [body["entries"]]
        if body["each"]:
            auction = load_auction(tournament)
            lots = [[entry.pk] for entry in auction.free] if auction else []
        calcutta.add_lots(tournament_id, lots, self.actor, is_field=body["is_field"])
        return self.auction(tournament, 201)


class LotView(AuctionView):
    """Base class of views that change one lot."""

    def change(
        self,
        tournament_id: uuid.UUID,
        lot_id: uuid.UUID,
        body: type[LotBody],
        work: Callable[[ExpectedLot, dict[str, Any]], object],
    ) -> Response:
        """Calls `work` with the lot as it was shown and with the read body."""
        tournament = self.tournament(tournament_id)
        values = self.read(body)
        work(ExpectedLot(lot_id, values["state"]), values)
        return self.auction(tournament)


class BidsView(LotView):
    @describes("bid_for_lot", {200: CalcuttaDocument}, 409, request=BidBody)
    def post(self, request: Request, tournament_id: uuid.UUID, lot_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Records the next bid on a lot."""

        def bid(lot: ExpectedLot, body: dict[str, Any]) -> None:
            calcutta.bid(tournament_id, lot, buyer_of(body), body["minor"], self.actor)

        return self.change(tournament_id, lot_id, BidBody, bid)


class SharesView(LotView):
    @describes("share_lot", {200: CalcuttaDocument}, 409, request=ShareBody)
    def post(self, request: Request, tournament_id: uuid.UUID, lot_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Gives a person parts of a sold lot, and charges its owners by their parts."""

        def share(lot: ExpectedLot, body: dict[str, Any]) -> None:
            calcutta.set_share(tournament_id, lot, buyer_of(body), body["parts"], self.actor)

        return self.change(tournament_id, lot_id, ShareBody, share)


class BuyBackView(LotView):
    @describes("buy_lot_back", {200: CalcuttaDocument}, 409, request=BuyBackBody)
    def post(self, request: Request, tournament_id: uuid.UUID, lot_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Sells half of a lot to one of its players for half of the bid, once."""

        def buy_back(lot: ExpectedLot, body: dict[str, Any]) -> None:
            calcutta.buy_back(tournament_id, lot, body["player"], self.actor)

        return self.change(tournament_id, lot_id, BuyBackBody, buy_back)


class LotActionView(LotView):
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
        return self.change(
            tournament_id, lot_id, LotBody, lambda lot, _body: work(tournament_id, lot, self.actor)
        )
