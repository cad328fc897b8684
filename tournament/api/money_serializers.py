"""Bodies and documents of the API about money. Amounts are whole numbers of minor units of a currency."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.utils.translation import gettext
from rest_framework import serializers

from tournament.fees.amounts import MOST_MINOR_UNITS, Amount, current_currencies
from tournament.models import PAYMENT_METHODS, Deed, Event, LedgerTransaction
from tournament.money.payments import OpenAmounts
from tournament.queries.money.books import transactions_of
from tournament.queries.money.books_page import BookLine, BooksOfCurrency
from tournament.queries.money.cash_desk import PlayerMoney, RecordedPayment

METHOD_NAMES = [method.value for method in PAYMENT_METHODS]


def currency_field() -> serializers.ChoiceField:
    return serializers.ChoiceField(choices=list(current_currencies()))


def method_field() -> serializers.ChoiceField:
    return serializers.ChoiceField(choices=METHOD_NAMES, default=METHOD_NAMES[0])


class MovementBody(serializers.Serializer[Any]):
    """A repeated `key` records nothing again."""

    key = serializers.UUIDField()
    player = serializers.UUIDField()
    currency = currency_field()
    method = method_field()
    open_currency = serializers.CharField(
        max_length=3,
        required=False,
        allow_blank=True,
        default="",
        help_text="The currency that the player owes or may claim, if another one is paid.",
    )
    above_till = serializers.BooleanField(
        required=False, default=True, help_text="False refuses to give more cash than your till holds."
    )


class PaymentBody(MovementBody):
    minor = serializers.IntegerField(
        min_value=-MOST_MINOR_UNITS,
        max_value=MOST_MINOR_UNITS,
        help_text="Minor units: 1250 is 12.50 EUR. Negative for a refund.",
    )
    expected = serializers.IntegerField(
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
    above_debt = serializers.BooleanField(
        default=False, help_text="Confirms a payment of more than the player owes in this currency."
    )


class OpenAmountField(serializers.Serializer[Any]):
    minor = serializers.IntegerField(min_value=-MOST_MINOR_UNITS, max_value=MOST_MINOR_UNITS)
    currency = currency_field()


class ExpectedPlayerField(serializers.Serializer[Any]):
    player = serializers.UUIDField()
    open = OpenAmountField(many=True, help_text="All open amounts of the player, as you saw them.")


class SelectedBody(serializers.Serializer[Any]):
    """Players with the open amounts that you saw. Refused if one of them changed, so a repeated request records nothing
    again."""

    players = ExpectedPlayerField(many=True, allow_empty=False)
    method = method_field()

    def validate_players(self, value: list[dict[str, Any]]) -> OpenAmounts:
        expected = {
            row["player"]: {amount["currency"]: amount["minor"] for amount in row["open"]} for row in value
        }
        if len(expected) < len(value) or any(
            len(expected[row["player"]]) < len(row["open"]) for row in value
        ):
            raise serializers.ValidationError(
                gettext("Name each player once, and each currency of a player once.")
            )
        return expected


class MovedPaymentBody(serializers.Serializer[Any]):
    player = serializers.UUIDField(help_text="The player of the event who made the payment.")
    reason = serializers.CharField(max_length=200, required=False, allow_blank=True, default="")


class UndoBody(serializers.Serializer[Any]):
    ids = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=2**63 - 1),
        allow_empty=False,
        help_text="Of transactions. Those that were taken back before are left out.",
    )
    reason = serializers.CharField(max_length=200, required=False, allow_blank=True, default="")


class AmountDocument(serializers.Serializer[Any]):
    minor = serializers.IntegerField()
    currency = serializers.CharField()


class PlayerMoneyDocument(serializers.Serializer[Any]):
    player = serializers.UUIDField()
    name = serializers.CharField()
    tournaments = serializers.ListField(child=serializers.CharField())
    charged = AmountDocument(many=True)
    paid = AmountDocument(many=True)
    open = AmountDocument(many=True, help_text="Negative amounts are claims of the player.")


class PaymentDocument(serializers.Serializer[Any]):
    id = serializers.IntegerField(help_text="Of its transaction.")
    at = serializers.DateTimeField()
    player = serializers.UUIDField()
    name = serializers.CharField()
    amount = AmountDocument(help_text="Negative for a refund.")
    method = serializers.CharField(help_text="In the language of the request.")
    by = serializers.CharField(help_text="User who took it.")


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


class BookPartDocument(serializers.Serializer[Any]):
    name = serializers.CharField()
    amount = AmountDocument()


class BookLineDocument(BookPartDocument):
    parts = BookPartDocument(many=True, help_text="Of an income with more than one.")


class BooksDocument(serializers.Serializer[Any]):
    """One currency. Boxes and debts together equal pots, incomes, claims and others. Names are in the language of the
    request."""

    currency = serializers.CharField()
    boxes = BookLineDocument(many=True)
    debts = AmountDocument(help_text="Debts of players.")
    claims = AmountDocument(help_text="Claims of players.")
    pots = BookLineDocument(many=True)
    incomes = BookLineDocument(many=True)
    others = BookLineDocument(many=True)


def books_json(books: BooksOfCurrency) -> dict[str, Any]:
    return {
        "currency": books.currency,
        "boxes": [_book_line_json(line) for line in books.boxes],
        "debts": amount_json(books.debts),
        "claims": amount_json(books.claims),
        "pots": [_book_line_json(line) for line in books.pots],
        "incomes": [_book_line_json(line) for line in books.incomes],
        "others": [_book_line_json(line) for line in books.others],
    }


def _book_line_json(line: BookLine) -> dict[str, Any]:
    parts = [{"name": name, "amount": amount_json(amount)} for name, amount in line.parts]
    return {"name": line.label, "amount": amount_json(line.amount), "parts": parts}


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


def payment_json(payment: RecordedPayment) -> dict[str, Any]:
    return {
        "id": payment.id,
        "at": payment.at,
        "player": payment.player_id,
        "name": payment.player,
        "amount": amount_json(payment.amount),
        "method": payment.method,
        "by": payment.by,
    }


def transactions_json(event: Event, transactions: Sequence[LedgerTransaction]) -> list[dict[str, Any]]:
    rows = transactions_of(event).filter(pk__in=[row.pk for row in transactions]).order_by("pk")
    return [transaction_json(row) for row in rows]


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
