"""Bodies and documents of the API about tills, counts, handovers and exchange rates."""

from typing import Any

from django.utils.translation import gettext
from rest_framework import serializers

from tournament.api.money_serializers import AmountDocument, amount_json, currency_field
from tournament.fees.amounts import MOST_MINOR_UNITS, Amount
from tournament.fees.exchange import RATE_UNIT, Rate
from tournament.models.desk import LONGEST_REASON
from tournament.money.tills import Count, Handover, OwnCash
from tournament.queries.money.tills import Closing, RecordedHandover, RecordedOwnCash, Till

LONGEST_TILL = 40
LONGEST_SIGNATURE = 80
MOST_KINDS_OF_PIECES, MOST_PIECES = 40, 100_000


def till_field(help_text: str = "As `GET` of the tills names it.") -> serializers.CharField:
    return serializers.CharField(max_length=LONGEST_TILL, allow_blank=True, help_text=help_text)


class TillDocument(serializers.Serializer[Any]):
    till = serializers.CharField(help_text="Empty for the cash box without a holder.")
    holder = serializers.CharField()
    balance = AmountDocument(help_text="What should be in it.")
    came_in = AmountDocument(help_text="Since the last count, or since the start.")
    went_out = AmountDocument(help_text="Since the last count, or since the start.")
    last_transfer = serializers.IntegerField(help_text="Send it with a count of this till.")
    counted_at = serializers.DateTimeField(
        allow_null=True, help_text="The last count; null before the first."
    )


class PieceField(serializers.Serializer[Any]):
    minor = serializers.IntegerField(min_value=1, max_value=MOST_MINOR_UNITS)
    number = serializers.IntegerField(min_value=1, max_value=MOST_PIECES)


class CountBody(serializers.Serializer[Any]):
    """The same count of the same cash is recorded once."""

    till = till_field()
    currency = currency_field()
    counted = serializers.IntegerField(min_value=0, max_value=MOST_MINOR_UNITS, help_text="Minor units.")
    last_transfer = serializers.IntegerField(
        min_value=1, max_value=2**63 - 1, help_text="Of the till, when the count began."
    )
    signed_by = serializers.CharField(max_length=LONGEST_SIGNATURE)
    reason = serializers.CharField(
        max_length=LONGEST_REASON,
        required=False,
        allow_blank=True,
        default="",
        help_text="Needed if the count differs from the balance.",
    )
    pieces = PieceField(
        many=True, required=False, default=list, help_text="Notes and coins; the rest is other cash."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        pieces = attrs["pieces"]
        if len(pieces) > MOST_KINDS_OF_PIECES:
            raise serializers.ValidationError(
                {"pieces": [gettext("Name up to {most} notes and coins.").format(most=MOST_KINDS_OF_PIECES)]}
            )
        if sum(piece["minor"] * piece["number"] for piece in pieces) > attrs["counted"]:
            raise serializers.ValidationError({"pieces": [gettext("They are more than `counted`.")]})
        return attrs


class ClosingDocument(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    till = serializers.CharField()
    holder = serializers.CharField()
    at = serializers.DateTimeField()
    by = serializers.CharField(help_text="User who recorded it.")
    expected = AmountDocument()
    counted = AmountDocument()
    difference = AmountDocument()
    pieces = PieceField(many=True)
    signed_by = serializers.CharField()
    reason = serializers.CharField()
    undone_because = serializers.CharField(help_text="Why it was taken back; empty for a valid count.")


class HandoverBody(serializers.Serializer[Any]):
    """A repeated `key` records nothing again."""

    key = serializers.UUIDField()
    from_till = till_field()
    to_till = till_field()
    minor = serializers.IntegerField(min_value=1, max_value=MOST_MINOR_UNITS)
    currency = currency_field()


class HandoverDocument(serializers.Serializer[Any]):
    id = serializers.IntegerField(help_text="Of its transaction.")
    at = serializers.DateTimeField()
    from_till = serializers.CharField(help_text="Holder of the till.")
    to_till = serializers.CharField(help_text="Holder of the till.")
    amount = AmountDocument()


class OwnCashBody(serializers.Serializer[Any]):
    """A repeated `key` records nothing again."""

    key = serializers.UUIDField()
    minor = serializers.IntegerField(
        min_value=-MOST_MINOR_UNITS,
        max_value=MOST_MINOR_UNITS,
        help_text="Minor units put into the organizer's cash box; negative if taken out.",
    )
    currency = currency_field()
    reason = serializers.CharField(max_length=LONGEST_REASON)


class OwnCashDocument(serializers.Serializer[Any]):
    id = serializers.IntegerField(help_text="Of its transaction.")
    at = serializers.DateTimeField()
    amount = AmountDocument(help_text="Negative if taken out.")
    reason = serializers.CharField()


class RateBody(serializers.Serializer[Any]):
    """One `base` is `rate` of `currency`; payments are multiples of `unit` minor units."""

    base = currency_field()
    currency = currency_field()
    rate = serializers.DecimalField(14, 6, min_value=0)
    unit = serializers.IntegerField(min_value=1, max_value=MOST_MINOR_UNITS, required=False, default=1)


class RateDocument(RateBody):
    id = serializers.IntegerField()


def till_json(till: Till) -> dict[str, Any]:
    return {
        "till": till.name,
        "holder": till.holder,
        "balance": amount_json(till.balance),
        "came_in": amount_json(till.came_in),
        "went_out": amount_json(till.went_out),
        "last_transfer": till.last_transfer,
        "counted_at": till.opened.at if till.opened else None,
    }


def closing_json(closing: Closing) -> dict[str, Any]:
    row = closing.row
    return {
        "id": row.pk,
        "till": row.account.name,
        "holder": closing.holder,
        "at": row.at,
        "by": closing.by,
        "expected": amount_json(closing.expected),
        "counted": amount_json(closing.counted),
        "difference": amount_json(closing.difference),
        "pieces": [{"minor": value.minor, "number": number} for value, number, _sum in closing.pieces],
        "signed_by": row.signed_by,
        "reason": row.reason,
        "undone_because": closing.undone_because,
    }


def handover_json(handover: RecordedHandover) -> dict[str, Any]:
    return {
        "id": handover.id,
        "at": handover.at,
        "from_till": handover.source,
        "to_till": handover.target,
        "amount": amount_json(handover.amount),
    }


def own_cash_json(moved: RecordedOwnCash) -> dict[str, Any]:
    return {"id": moved.id, "at": moved.at, "amount": amount_json(moved.amount), "reason": moved.reason}


def rate_json(rate_id: int, rate: Rate) -> dict[str, Any]:
    whole, rest = divmod(rate.millionths, RATE_UNIT)
    return {
        "id": rate_id,
        "base": rate.base,
        "currency": rate.currency,
        "rate": f"{whole}.{rest:06d}",
        "unit": rate.unit,
    }


def count_of(body: dict[str, Any]) -> Count:
    pieces = [(piece["minor"], piece["number"]) for piece in body["pieces"]]
    return Count(body["counted"], body["last_transfer"], body["signed_by"], body["reason"], pieces)


def handover_of(body: dict[str, Any]) -> Handover:
    return Handover(body["key"], body["from_till"], body["to_till"], Amount(body["minor"], body["currency"]))


def own_cash_of(body: dict[str, Any]) -> OwnCash:
    return OwnCash(body["key"], Amount(body["minor"], body["currency"]), body["reason"])


def rate_of_body(body: dict[str, Any]) -> Rate:
    return Rate(body["base"], body["currency"], int(body["rate"] * RATE_UNIT), body["unit"])
