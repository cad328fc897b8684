"""API views of money: the cash desk, payments, and the books of an event."""

from rest_framework.request import Request
from rest_framework.response import Response

from tournament.access import permissions
from tournament.access.permissions import Capability
from tournament.api.describing import describes, describes_list
from tournament.api.money_serializers import (
    AccountDocument,
    BooksDocument,
    MovedPaymentBody,
    PaymentBody,
    PaymentDocument,
    PlayerMoneyDocument,
    SelectedBody,
    TransactionDocument,
    UndoBody,
    books_json,
    payment_json,
    player_money_json,
    transaction_json,
    transactions_json,
)
from tournament.api.shared_serializers import ReasonBody
from tournament.api.views import ApiView
from tournament.fees.amounts import Amount
from tournament.models import AccountKind
from tournament.money import payments
from tournament.money.moved_payments import move_payment
from tournament.money.payments import NewPayment
from tournament.queries.money.books import account_balances, transactions_of
from tournament.queries.money.books_page import books_of
from tournament.queries.money.cash_desk import cash_desk_list, last_payments


class CashDeskView(ApiView):
    @describes("show_cash_desk", {200: PlayerMoneyDocument(many=True)})
    def get(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Returns what each player was charged, paid and still owes, without paging, by name."""
        row = permissions.event_for(self.actor, event, Capability.MONEY)
        return Response([player_money_json(line) for line in cash_desk_list(row)])


class PaymentsView(ApiView):
    @describes("list_payments", {200: PaymentDocument(many=True)})
    def get(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Returns the payments and refunds that were not taken back, newest first, without paging."""
        row = permissions.event_for(self.actor, event, Capability.MONEY)
        return Response([payment_json(payment) for payment in last_payments(row, None)])

    @describes("take_payment", {201: TransactionDocument}, 409, request=PaymentBody)
    def post(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Records a payment of a player, or a refund. Idempotent by `key`."""
        row = permissions.event_for(self.actor, event, Capability.MONEY)
        body = self.read(PaymentBody)
        payment = NewPayment(
            body["key"],
            Amount(body["minor"], body["currency"]),
            AccountKind(body["method"]),
            open_currency=body["open_currency"],
            expected=body["expected"],
            above_claim=body["above_claim"],
            above_debt=body["above_debt"],
            above_till=body["above_till"],
        )
        return Response(
            transaction_json(payments.take_payment(row, body["player"], payment, self.actor)), status=201
        )


class SelectedPaymentsView(ApiView):
    @describes("take_payments", {201: TransactionDocument(many=True)}, 409, request=SelectedBody)
    def post(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Records that these players paid all that was open. Players who owe nothing are left out."""
        row = permissions.event_for(self.actor, event, Capability.MONEY)
        body = self.read(SelectedBody)
        done = payments.pay_open_amounts(row, body["players"], AccountKind(body["method"]), self.actor)
        return Response(transactions_json(row, done), status=201)


class UndonePaymentsView(ApiView):
    @describes("take_payments_back", {200: TransactionDocument(many=True)}, 409, request=UndoBody)
    def post(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Takes these payments and refunds back, all or none, and returns the reversals."""
        row = permissions.event_for(self.actor, event, Capability.MONEY)
        body = self.read(UndoBody)
        done = payments.undo_payments(row, body["ids"], self.actor, body["reason"])
        return Response(transactions_json(row, done))


class PaymentView(ApiView):
    @describes("take_payment_back", {200: TransactionDocument}, 409, request=ReasonBody)
    def delete(self, request: Request, event: str, transaction_id: int) -> Response:  # noqa: ARG002
        """Takes a payment or a refund back, and returns the reversal."""
        row = permissions.event_for(self.actor, event, Capability.MONEY)
        reason = self.read(ReasonBody)["reason"]
        return Response(transaction_json(payments.undo_payment(row, transaction_id, self.actor, reason)))


class PaymentPlayerView(ApiView):
    @describes("move_payment", {201: TransactionDocument}, 409, request=MovedPaymentBody)
    def put(self, request: Request, event: str, transaction_id: int) -> Response:  # noqa: ARG002
        """Moves a payment or a refund to another player, and returns the new transaction."""
        row = permissions.event_for(self.actor, event, Capability.MONEY)
        body = self.read(MovedPaymentBody)
        moved = move_payment(row, transaction_id, body["player"], self.actor, body["reason"])
        return Response(transaction_json(moved), status=201)


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


class BooksView(ApiView):
    @describes("show_books", {200: BooksDocument(many=True)})
    def get(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Returns where the money of the event is, for each currency."""
        row = permissions.event_for(self.actor, event, Capability.MONEY)
        return Response([books_json(books) for books in books_of(row)])
