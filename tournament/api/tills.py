"""API views of tills: balances, counts, handovers, the organizer's own cash, and the exchange rates of an event."""

from rest_framework.request import Request
from rest_framework.response import Response

from tournament.access import permissions
from tournament.access.permissions import Capability
from tournament.api.describing import describes
from tournament.api.money_serializers import TransactionDocument, transaction_json
from tournament.api.shared_serializers import ReasonBody
from tournament.api.till_serializers import (
    ClosingDocument,
    CountBody,
    HandoverBody,
    HandoverDocument,
    OwnCashBody,
    OwnCashDocument,
    RateBody,
    RateDocument,
    TillDocument,
    closing_json,
    count_of,
    handover_json,
    handover_of,
    own_cash_json,
    own_cash_of,
    rate_json,
    rate_of_body,
    till_json,
)
from tournament.api.views import ApiView
from tournament.money import rates, tills
from tournament.queries.money.tills import (
    find_closing,
    last_handovers,
    last_own_cash,
    list_closings,
    list_tills,
)


class TillsView(ApiView):
    @describes("list_tills", {200: TillDocument(many=True)})
    def get(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Returns the tills that were used, each with one currency, without paging."""
        row = permissions.event_for(self.actor, event, Capability.MONEY)
        return Response([till_json(till) for till in list_tills(row)])


class ClosingsView(ApiView):
    @describes("list_counts_of_tills", {200: ClosingDocument(many=True)})
    def get(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Returns the counts of the event's tills, newest first, without paging."""
        row = permissions.event_for(self.actor, event, Capability.MONEY)
        return Response([closing_json(closing) for closing in list_closings(row)])

    @describes("count_till", {201: ClosingDocument}, 409, request=CountBody)
    def post(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Records a count of a till and posts its difference. Refused if cash moved since the count began."""
        row = permissions.event_for(self.actor, event, Capability.MONEY)
        body = self.read(CountBody)
        closing = tills.close_till(row, body["till"], body["currency"], count_of(body), self.actor)
        return Response(closing_json(find_closing(row, closing.pk)), status=201)


class ClosingView(ApiView):
    @describes("take_count_back", {200: ClosingDocument}, 409, request=ReasonBody)
    def delete(self, request: Request, event: str, closing_id: int) -> Response:  # noqa: ARG002
        """Takes the last count of a till back, with its difference. Refused without a reason."""
        row = permissions.event_for(self.actor, event, Capability.MONEY)
        tills.take_count_back(row, closing_id, self.actor, self.read(ReasonBody)["reason"])
        return Response(closing_json(find_closing(row, closing_id)))


class HandoversView(ApiView):
    @describes("list_handovers", {200: HandoverDocument(many=True)})
    def get(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Returns the last 100 handovers of cash that were not taken back, newest first."""
        row = permissions.event_for(self.actor, event, Capability.MONEY)
        return Response([handover_json(handover) for handover in last_handovers(row, 100)])

    @describes("hand_cash_over", {201: TransactionDocument}, 409, request=HandoverBody)
    def post(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Records that cash moved from one till to another. Idempotent by `key`."""
        row = permissions.event_for(self.actor, event, Capability.MONEY)
        handover = handover_of(self.read(HandoverBody))
        return Response(transaction_json(tills.hand_over(row, handover, self.actor)), status=201)


class HandoverView(ApiView):
    @describes("take_handover_back", {200: TransactionDocument}, 409, request=ReasonBody)
    def delete(self, request: Request, event: str, transaction_id: int) -> Response:  # noqa: ARG002
        """Takes a handover back, and returns the reversal."""
        row = permissions.event_for(self.actor, event, Capability.MONEY)
        reason = self.read(ReasonBody)["reason"]
        return Response(transaction_json(tills.undo_handover(row, transaction_id, self.actor, reason)))


class OwnCashListView(ApiView):
    @describes("list_own_cash", {200: OwnCashDocument(many=True)})
    def get(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Returns the last 100 movements of the organizer's own cash that were not taken back, newest first."""
        row = permissions.event_for(self.actor, event, Capability.MONEY)
        return Response([own_cash_json(moved) for moved in last_own_cash(row, 100)])

    @describes("move_own_cash", {201: TransactionDocument}, 409, request=OwnCashBody)
    def post(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Records that the organizer put own cash into the cash box, or took it out. Idempotent by `key`."""
        row = permissions.event_for(self.actor, event, Capability.MONEY)
        moved = own_cash_of(self.read(OwnCashBody))
        return Response(transaction_json(tills.move_own_cash(row, moved, self.actor)), status=201)


class OwnCashView(ApiView):
    @describes("take_own_cash_back", {200: TransactionDocument}, 409, request=ReasonBody)
    def delete(self, request: Request, event: str, transaction_id: int) -> Response:  # noqa: ARG002
        """Takes a movement of own cash back, and returns the reversal."""
        row = permissions.event_for(self.actor, event, Capability.MONEY)
        reason = self.read(ReasonBody)["reason"]
        return Response(transaction_json(tills.undo_own_cash(row, transaction_id, self.actor, reason)))


class RatesView(ApiView):
    @describes("list_exchange_rates", {200: RateDocument(many=True)})
    def get(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Returns the exchange rates of the event, without paging."""
        row = permissions.event_for(self.actor, event, Capability.MONEY)
        return Response([rate_json(rate_id, rate) for rate_id, rate in rates.rates_by_id(row).items()])

    @describes("set_exchange_rate", {200: RateDocument(many=True)}, 409, request=RateBody)
    def put(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Sets the rate of two currencies for payments from now on, and returns all rates."""
        row = permissions.event_for(self.actor, event, Capability.DIRECT)
        rates.set_rate(row, rate_of_body(self.read(RateBody)), self.actor)
        return Response([rate_json(rate_id, rate) for rate_id, rate in rates.rates_by_id(row).items()])


class RateView(ApiView):
    @describes("remove_exchange_rate", {204: None})
    def delete(self, request: Request, event: str, rate_id: int) -> Response:  # noqa: ARG002
        """Removes a rate. Recorded payments keep it."""
        row = permissions.event_for(self.actor, event, Capability.DIRECT)
        rates.remove_rate(row, rate_id, self.actor)
        return Response(status=204)
