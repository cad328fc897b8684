"""API views of payouts: the list of claims, payouts with or without a signature, and taking them back."""

from rest_framework.request import Request
from rest_framework.response import Response

from tournament.access import permissions
from tournament.access.permissions import Capability
from tournament.api.describing import describes
from tournament.api.money_serializers import (
    SelectedBody,
    TransactionDocument,
    UndoBody,
    transaction_json,
    transactions_json,
)
from tournament.api.payout_serializers import PayoutBody, PayoutLineDocument, payout_line_json
from tournament.api.shared_serializers import ReasonBody
from tournament.api.views import ApiView
from tournament.fees.amounts import Amount
from tournament.models import AccountKind
from tournament.money import payouts
from tournament.money.payouts import NewPayout
from tournament.queries.money.payouts import payout_list


class PayoutsView(ApiView):
    @describes("list_payouts", {200: PayoutLineDocument(many=True)})
    def get(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Returns the players who won something, those with claims first, without paging."""
        lines = payout_list(permissions.event_for(self.actor, event, Capability.MONEY))
        return Response([payout_line_json(line) for line in (*lines.to_pay, *lines.owing, *lines.paid)])

    @describes("pay_out", {201: TransactionDocument}, 409, request=PayoutBody)
    def post(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Records a payout to a player. Idempotent by `key`."""
        row = permissions.event_for(self.actor, event, Capability.MONEY)
        body = self.read(PayoutBody)
        payout = NewPayout(
            body["key"],
            Amount(body["minor"], body["currency"]),
            AccountKind(body["method"]),
            body["signature"],
            body["expected"],
            open_currency=body["open_currency"],
            above_till=body["above_till"],
        )
        return Response(
            transaction_json(payouts.pay_out(row, body["player"], payout, self.actor)), status=201
        )


class SelectedPayoutsView(ApiView):
    @describes("pay_out_selected", {201: TransactionDocument(many=True)}, 409, request=SelectedBody)
    def post(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Records that these players were paid all that they may claim. Players without a claim are left out."""
        row = permissions.event_for(self.actor, event, Capability.MONEY)
        body = self.read(SelectedBody)
        done = payouts.pay_out_all(row, body["players"], AccountKind(body["method"]), self.actor)
        return Response(transactions_json(row, done), status=201)


class UndonePayoutsView(ApiView):
    @describes("take_payouts_back", {200: TransactionDocument(many=True)}, 409, request=UndoBody)
    def post(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Takes these payouts back, all or none, and returns the reversals."""
        row = permissions.event_for(self.actor, event, Capability.MONEY)
        body = self.read(UndoBody)
        done = payouts.undo_payouts(row, body["ids"], self.actor, body["reason"])
        return Response(transactions_json(row, done))


class PayoutView(ApiView):
    @describes("take_payout_back", {200: TransactionDocument}, 409, request=ReasonBody)
    def delete(self, request: Request, event: str, transaction_id: int) -> Response:  # noqa: ARG002
        """Takes a payout back, and returns the reversal."""
        row = permissions.event_for(self.actor, event, Capability.MONEY)
        reason = self.read(ReasonBody)["reason"]
        return Response(transaction_json(payouts.undo_payout(row, transaction_id, self.actor, reason)))
