"""API views of receipts: numbers and printable documents."""

import uuid

from rest_framework.request import Request
from rest_framework.response import Response

from tournament.access import permissions
from tournament.access.permissions import Capability
from tournament.api.describing import describes
from tournament.api.receipt_serializers import (
    FullReceiptDocument,
    ReceiptDocument,
    full_receipt_json,
    receipt_json,
)
from tournament.api.views import ApiView
from tournament.money import receipts
from tournament.queries.money.receipts import find_receipt, list_receipts


class IssuedReceiptView(ApiView):
    @describes("issue_receipt", {200: ReceiptDocument}, 409, request=None)
    def put(self, request: Request, event: str, transaction_id: int) -> Response:  # noqa: ARG002
        """Returns the receipt of a payment, refund or payout, and gives it a number if it has none."""
        row = permissions.event_for(self.actor, event, Capability.MONEY)
        receipt = receipts.issue_receipt(row, transaction_id, self.actor)
        return Response(receipt_json(find_receipt(row, receipt.pk)))


class ReceiptsView(ApiView):
    @describes("list_receipts", {200: ReceiptDocument(many=True)})
    def get(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Returns the receipts of the event, newest first, without paging."""
        row = permissions.event_for(self.actor, event, Capability.MONEY)
        return Response([receipt_json(receipt) for receipt in list_receipts(row)])


class ReceiptView(ApiView):
    @describes("show_receipt", {200: FullReceiptDocument})
    def get(self, request: Request, event: str, receipt_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Returns a receipt with its lines, and its path for the payer."""
        row = permissions.event_for(self.actor, event, Capability.MONEY)
        return Response(full_receipt_json(find_receipt(row, receipt_id)))
