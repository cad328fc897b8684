"""API views of money: the cash desk, payments, prizes, payouts, and the books of an event."""

import uuid

from rest_framework.request import Request
from rest_framework.response import Response

from tournament.access import permissions
from tournament.access.permissions import Capability
from tournament.api.describing import describes, describes_list
from tournament.api.money_serializers import (
    AccountDocument,
    AwardsDocument,
    PaymentBody,
    PayoutBody,
    PayoutLineDocument,
    PlayerMoneyDocument,
    PrizeStructureBody,
    PrizeStructureDocument,
    ReceiptDocument,
    TransactionDocument,
    payout_line_json,
    player_money_json,
    receipt_json,
    transaction_json,
)
from tournament.api.views import ApiView
from tournament.fees.amounts import Amount
from tournament.models import AccountKind
from tournament.money import payments, payouts, receipts
from tournament.money.awards import award_prizes
from tournament.money.payments import NewPayment
from tournament.money.payouts import NewPayout
from tournament.money.prize_structures import set_structure
from tournament.prizes.stored import structure_as_json
from tournament.queries.money.books import account_balances, transactions_of
from tournament.queries.money.cash_desk import cash_desk_list
from tournament.queries.money.payouts import payout_list
from tournament.queries.money.receipts import find_receipt, list_receipts


class PrizeStructureView(ApiView):
    @describes("show_prize_structure", {200: PrizeStructureDocument})
    def get(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Returns how the pots of a tournament are split into prizes."""
        tournament = permissions.tournament_by_id(self.actor, tournament_id, Capability.DIRECT)
        return Response({"prizes": tournament.prize_structure})

    @describes("set_prize_structure", {200: PrizeStructureDocument}, 409, request=PrizeStructureBody)
    def put(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Sets how the pots are split into prizes. Prizes that are awarded change only by awarding again."""
        permissions.tournament_by_id(self.actor, tournament_id, Capability.DIRECT)
        structure = self.read(PrizeStructureBody)["prizes"]
        set_structure(tournament_id, structure, self.actor)
        return Response({"prizes": structure_as_json(structure) if structure else {}})


class CashDeskView(ApiView):
    @describes("show_cash_desk", {200: PlayerMoneyDocument(many=True)})
    def get(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Returns what each player was charged, paid and still owes, without paging, by name."""
        row = permissions.event_for(self.actor, event, Capability.MONEY)
        return Response([player_money_json(line) for line in cash_desk_list(row)])


class PaymentsView(ApiView):
    @describes("take_payment", {201: TransactionDocument}, 409, request=PaymentBody)
    def post(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Records a payment of a player, or a refund. Idempotent by `key`."""
        row = permissions.event_for(self.actor, event, Capability.MONEY)
        body = self.read(PaymentBody)
        payment = NewPayment(
            body["key"],
            Amount(body["minor"], body["currency"]),
            AccountKind(body["method"]),
            settles=body["settles"],
            shown=body["shown"],
            above_claim=body["above_claim"],
        )
        return Response(
            transaction_json(payments.take_payment(row, body["player"], payment, self.actor)), status=201
        )


class PaymentView(ApiView):
    @describes("take_payment_back", {200: TransactionDocument}, 409)
    def delete(self, request: Request, event: str, transaction_id: int) -> Response:  # noqa: ARG002
        """Takes a payment or a refund back, and returns the reversal."""
        row = permissions.event_for(self.actor, event, Capability.MONEY)
        return Response(transaction_json(payments.undo_payment(row, transaction_id, self.actor)))


class IssuedReceiptView(ApiView):
    @describes("issue_receipt", {200: ReceiptDocument}, 409, request=None)
    def put(self, request: Request, event: str, transaction_id: int) -> Response:  # noqa: ARG002
        """Returns the receipt of a payment or a refund, and gives it a number if it has none."""
        row = permissions.event_for(self.actor, event, Capability.MONEY)
        receipt = receipts.issue_receipt(row, transaction_id, self.actor)
        return Response(receipt_json(find_receipt(row, receipt.pk)))


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
        payout = NewPayout(body["key"], Amount(body["minor"], body["currency"]), AccountKind(body["method"]))
        return Response(
            transaction_json(payouts.pay_out(row, body["player"], payout, self.actor)), status=201
        )


class PayoutView(ApiView):
    @describes("take_payout_back", {200: TransactionDocument}, 409)
    def delete(self, request: Request, event: str, transaction_id: int) -> Response:  # noqa: ARG002
        """Takes a payout back, and returns the reversal."""
        row = permissions.event_for(self.actor, event, Capability.MONEY)
        return Response(transaction_json(payouts.undo_payout(row, transaction_id, self.actor)))


class AwardsView(ApiView):
    @describes("award_prizes", {200: AwardsDocument}, 409, request=None)
    def post(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Awards the prizes of a tournament that is over, or posts what changed in them since. Repeating it changes
        nothing."""
        permissions.tournament_by_id(self.actor, tournament_id, Capability.MONEY)
        return Response({"changed": len(award_prizes(tournament_id, self.actor))})


class TransactionsView(ApiView):
    @describes_list("list_transactions", TransactionDocument)
    def get(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Returns the transactions of the event's books, newest first."""
        row = permissions.event_for(self.actor, event, Capability.MONEY)
        return self.page(transactions_of(row), transaction_json, ("-id",))


class AccountsView(ApiView):
    @describes("list_accounts", {200: AccountDocument(many=True)})
    def get(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Returns the accounts of the event with their balances, without paging."""
        row = permissions.event_for(self.actor, event, Capability.MONEY)
        return Response(account_balances(row))


class ReceiptsView(ApiView):
    @describes("list_receipts", {200: ReceiptDocument(many=True)})
    def get(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Returns the receipts of the event, newest first, without paging."""
        row = permissions.event_for(self.actor, event, Capability.MONEY)
        return Response([receipt_json(receipt) for receipt in list_receipts(row)])
