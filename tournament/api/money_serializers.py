"""Bodies and documents of the API about money. Amounts are whole numbers of minor units of a currency."""

from collections.abc import Iterable
from typing import Any

from rest_framework import serializers

from tournament.fees.amounts import MOST_MINOR_UNITS, Amount, current_currencies
from tournament.models import Deed, LedgerTransaction
from tournament.money.payments import METHODS
from tournament.prizes.stored import StructureError, parse_structure
from tournament.prizes.structure import PrizeStructure
from tournament.queries.money.cash_desk import PlayerMoney
from tournament.queries.money.payouts import PayoutLine
from tournament.queries.money.receipts import ReceiptPage
from tournament.web.sentences import refusal_sentence

METHOD_NAMES = [method.value for method in METHODS]


def currency_field() -> serializers.ChoiceField:
    return serializers.ChoiceField(choices=list(current_currencies()))


class MovementBody(serializers.Serializer[Any]):
    """A repeated `key` records nothing again."""

    key = serializers.UUIDField()
    player = serializers.UUIDField()
    currency = currency_field()
    method = serializers.ChoiceField(choices=METHOD_NAMES, default=METHOD_NAMES[0])


class PrizeStructureBody(serializers.Serializer[Any]):
    prizes = serializers.DictField(
        help_text='How the pots are split, as `GET` returns it, for example {"currency": "EUR", "parts": '
        '[{"bracket": "main", "places": [1, 1], "share": 10000}]}. Use the currency of the fees. Empty: no prizes.'
    )

    def validate_prizes(self, value: dict[str, Any]) -> PrizeStructure | None:
        try:
            return parse_structure(value)
        except StructureError as error:
            raise serializers.ValidationError(refusal_sentence(error)) from error


class PaymentBody(MovementBody):
    minor = serializers.IntegerField(
        min_value=-MOST_MINOR_UNITS,
        max_value=MOST_MINOR_UNITS,
        help_text="Minor units: 1250 is 12.50 EUR. Negative for a refund.",
    )
    settles = serializers.CharField(
        max_length=3,
        required=False,
        allow_blank=True,
        default="",
        help_text="The currency that the player owes, if it is paid in another one.",
    )
    shown = serializers.IntegerField(
        required=False,
        allow_null=True,
        default=None,
        min_value=-MOST_MINOR_UNITS,
        max_value=MOST_MINOR_UNITS,
        help_text="The open amount that you saw. With it, a payment is refused if it changed meanwhile.",
    )
    above_claim = serializers.BooleanField(
        default=False, help_text="Confirms a refund of more than the player may claim."
    )


class PayoutBody(MovementBody):
    minor = serializers.IntegerField(min_value=1, max_value=MOST_MINOR_UNITS)


class AmountDocument(serializers.Serializer[Any]):
    minor = serializers.IntegerField()
    currency = serializers.CharField()


class PrizeStructureDocument(serializers.Serializer[Any]):
    prizes = serializers.DictField(help_text="Amounts in minor units. Empty if the pot pays no prizes.")


class PlayerMoneyDocument(serializers.Serializer[Any]):
    player = serializers.UUIDField()
    name = serializers.CharField()
    tournaments = serializers.ListField(child=serializers.CharField())
    charged = AmountDocument(many=True)
    paid = AmountDocument(many=True)
    open = AmountDocument(many=True, help_text="Negative amounts are claims of the player.")


class PayoutLineDocument(serializers.Serializer[Any]):
    player = serializers.UUIDField()
    name = serializers.CharField()
    won = AmountDocument(many=True)
    claims = AmountDocument(many=True)
    debts = AmountDocument(many=True)


class TransferDocument(serializers.Serializer[Any]):
    line = serializers.CharField()
    credited = serializers.CharField(help_text="Key of the account that gives.")
    debited = serializers.CharField(help_text="Key of the account that receives.")
    minor = serializers.IntegerField()
    currency = serializers.CharField()


class TransactionDocument(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    at = serializers.DateTimeField()
    deed = serializers.ChoiceField(choices=[deed.value for deed in Deed])
    reverses = serializers.IntegerField(allow_null=True)
    by = serializers.CharField(allow_null=True)
    reason = serializers.CharField()
    transfers = TransferDocument(many=True)


class AccountDocument(serializers.Serializer[Any]):
    key = serializers.CharField()
    kind = serializers.CharField()
    name = serializers.CharField()
    balance = AmountDocument(
        help_text="Debits minus credits: cash and debts are positive, pots and claims negative."
    )


class ReceiptDocument(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    number = serializers.CharField()
    issued_at = serializers.DateTimeField()
    transaction = serializers.IntegerField(allow_null=True)
    payer = serializers.CharField(help_text="A number after the removal of the player.")
    amount = AmountDocument(help_text="Negative for a refund, and for a payment that was taken back.")
    cancels = serializers.CharField(help_text="Number of the receipt that this one cancels, or empty.")


class AwardsDocument(serializers.Serializer[Any]):
    changed = serializers.IntegerField(help_text="Entries whose prizes changed.")


def amount_json(amount: Amount) -> dict[str, Any]:
    return {"minor": amount.minor, "currency": amount.currency}


def amounts_json(amounts: Iterable[Amount]) -> list[dict[str, Any]]:
    return [amount_json(amount) for amount in amounts]


def player_money_json(line: PlayerMoney) -> dict[str, Any]:
    return {
        "player": line.player.pk,
        "name": line.player.registered_name,
        "tournaments": list(line.tournaments),
        "charged": amounts_json(line.charged),
        "paid": amounts_json(line.paid),
        "open": amounts_json(line.open_amounts),
    }


def payout_line_json(line: PayoutLine) -> dict[str, Any]:
    return {
        "player": line.player.pk,
        "name": line.name,
        "won": amounts_json(line.won),
        "claims": amounts_json(line.claims),
        "debts": amounts_json(line.debts),
    }


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


def transaction_json(row: LedgerTransaction) -> dict[str, Any]:
    user = row.journal_line.user
    return {
        "id": row.pk,
        "at": row.at,
        "deed": row.deed,
        "reverses": row.reverses_id,
        "by": user.get_username() if user else None,
        "reason": row.journal_line.reason,
        "transfers": [
            {
                "line": transfer.line,
                "credited": transfer.source_id,
                "debited": transfer.target_id,
                "minor": transfer.amount,
                "currency": transfer.source.currency,
            }
            for transfer in row.transfers.all()
        ],
    }
