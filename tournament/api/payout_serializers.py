"""Bodies and documents of the API about payouts."""

from typing import Any

from rest_framework import serializers

from tournament.api.money_serializers import AmountDocument, MovementBody, amount_json, amounts_json
from tournament.fees.amounts import MOST_MINOR_UNITS
from tournament.models.ledger import LONGEST_SIGNATURE
from tournament.queries.money.payouts import PaidPrize, PayoutLine, WonPrize


class PayoutBody(MovementBody):
    minor = serializers.IntegerField(min_value=1, max_value=MOST_MINOR_UNITS)
    expected = serializers.IntegerField(
        required=False,
        allow_null=True,
        default=None,
        min_value=0,
        max_value=MOST_MINOR_UNITS,
        help_text="The claim that you saw. With it, a payout is refused if it changed meanwhile.",
    )
    signature = serializers.CharField(
        max_length=LONGEST_SIGNATURE,
        required=False,
        allow_blank=True,
        default="",
        help_text="Drawn by the player: an SVG path of M and L with whole numbers, such as M1 1L20 30.",
    )


class WonPrizeDocument(serializers.Serializer[Any]):
    tournament = serializers.CharField()
    name = serializers.CharField(help_text="Place or match, in the language of the request.")
    amount = AmountDocument()


class PaidPrizeDocument(serializers.Serializer[Any]):
    id = serializers.IntegerField(help_text="Of its transaction.")
    at = serializers.DateTimeField()
    by = serializers.CharField()
    method = serializers.CharField(help_text="In the language of the request.")
    amount = AmountDocument()
    exchanged = AmountDocument(allow_null=True, help_text="Amount that the till gave in another currency.")
    signature = serializers.CharField(help_text="An SVG path, or empty.")


class PayoutLineDocument(serializers.Serializer[Any]):
    player = serializers.UUIDField()
    name = serializers.CharField()
    won = AmountDocument(many=True)
    claims = AmountDocument(many=True)
    debts = AmountDocument(many=True)
    prizes = WonPrizeDocument(many=True)
    taken_out = AmountDocument(many=True, help_text="Other debts that are taken out of the prizes.")
    paid = PaidPrizeDocument(many=True, help_text="Payouts that were not taken back.")
    reasons = serializers.ListField(child=serializers.CharField(), help_text="Why prizes were taken back.")


def payout_line_json(line: PayoutLine) -> dict[str, Any]:
    return {
        "player": line.player.pk,
        "name": line.name,
        "won": amounts_json(line.won),
        "claims": amounts_json(line.claims),
        "debts": amounts_json(line.debts),
        "prizes": [_won_json(prize) for prize in line.prizes],
        "taken_out": amounts_json(line.taken_out),
        "paid": [_paid_json(paid) for paid in line.paid],
        "reasons": line.reasons,
    }


def _won_json(prize: WonPrize) -> dict[str, Any]:
    return {"tournament": prize.tournament, "name": prize.label, "amount": amount_json(prize.amount)}


def _paid_json(paid: PaidPrize) -> dict[str, Any]:
    return {
        "id": paid.id,
        "at": paid.at,
        "by": paid.by,
        "method": paid.method,
        "amount": amount_json(paid.amount),
        "exchanged": amount_json(paid.exchanged) if paid.exchanged else None,
        "signature": paid.strokes,
    }
