"""Documents of the API about receipts."""

from typing import Any

from django.urls import reverse
from rest_framework import serializers

from tournament.api.money_serializers import AmountDocument, amount_json
from tournament.money.receipts import key_of
from tournament.queries.money.receipts import ReceiptPage


class ReceiptDocument(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    number = serializers.CharField()
    issued_at = serializers.DateTimeField()
    transaction = serializers.IntegerField(allow_null=True)
    payer = serializers.CharField(help_text="A number after the removal of the player.")
    amount = AmountDocument(help_text="Negative for a refund, and for a payment that was taken back.")
    cancels = serializers.CharField(help_text="Number of the receipt that this one cancels, or empty.")


class ReceiptLineDocument(serializers.Serializer[Any]):
    text = serializers.CharField()
    amount = AmountDocument()


class FullReceiptDocument(ReceiptDocument):
    """A printable receipt in the language of the request."""

    organizer = serializers.CharField()
    method = serializers.CharField()
    lines = ReceiptLineDocument(many=True)
    tax_text = serializers.CharField()
    cancelled_by = serializers.CharField(help_text="Number of the counter-receipt, or empty.")
    path = serializers.CharField(help_text="The path of the receipt for everybody who has it.")


def receipt_json(receipt: ReceiptPage) -> dict[str, Any]:
    return {
        "id": receipt.row.pk,
        "number": receipt.number,
        "issued_at": receipt.row.issued_at,
        "transaction": receipt.row.transaction_id,
        "payer": receipt.payer,
        "amount": amount_json(receipt.amount),
        "cancels": receipt.cancels,
    }


def full_receipt_json(receipt: ReceiptPage) -> dict[str, Any]:
    row = receipt.row
    return {
        **receipt_json(receipt),
        "organizer": row.organizer,
        "method": receipt.method,
        "lines": [{"text": text, "amount": amount_json(amount)} for text, amount in receipt.lines],
        "tax_text": row.tax_text,
        "cancelled_by": receipt.cancelled_by,
        "path": reverse("payer-receipt", args=[row.pk, key_of(row)]),
    }
