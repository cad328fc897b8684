"""Serializes and validates prizes."""

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from tournament.draw.prizes import LONGEST_CURRENCY, LONGEST_LABEL, PrizeError, Prizes, parse_prizes
from tournament.models import Tournament
from tournament.web.sentences import refusal_sentence


class PrizesBody(serializers.Serializer[Any]):
    """Announced prizes by bracket and place: `{"main": {"1": "300.00", "2": "Trophy"}}`. Equal places share."""

    currency = serializers.CharField(
        max_length=LONGEST_CURRENCY, required=False, allow_blank=True, default=""
    )
    tables = serializers.DictField(
        child=serializers.DictField(child=serializers.CharField(max_length=LONGEST_LABEL)), required=False
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        try:
            parse_prizes(attrs)
        except PrizeError as error:
            raise serializers.ValidationError({"tables": [refusal_sentence(error)]}) from error
        return attrs


class ShareDocument(serializers.Serializer[Any]):
    """The prize of one entry among `among` entries that share places."""

    amount = serializers.DecimalField(12, 2, allow_null=True)
    labels = serializers.ListField(child=serializers.CharField())
    among = serializers.IntegerField()
    currency = serializers.CharField(help_text="Empty without an amount, or if none is announced.")
    besides = serializers.ListField(
        child=serializers.CharField(),
        help_text="Prizes that are not of the place, such as those of side pools.",
    )


def prizes_from_body(body: Mapping[str, Any], before: Tournament | None) -> Prizes:
    """Returns the prizes of the request, or the stored ones."""
    return parse_prizes(body.get("prizes", before.prizes if before else {}))
