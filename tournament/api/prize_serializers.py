"""Prizes as a program tells them, and as they are told to it."""

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from tournament.draw.prizes import LONGEST_CURRENCY, LONGEST_LABEL, PrizeError, Prizes, parse_prizes
from tournament.models import Tournament


class PrizesBody(serializers.Serializer[Any]):
    """What is announced, by bracket and place: `{"main": {"1": "300.00", "2": "Trophy"}}`. Equal places share."""

    currency = serializers.CharField(
        max_length=LONGEST_CURRENCY, required=False, allow_blank=True, default=""
    )
    tables = serializers.DictField(
        child=serializers.DictField(child=serializers.CharField(max_length=LONGEST_LABEL)), required=False
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        try:
            parse_prizes(attrs)
        except PrizeError as wrong:
            raise serializers.ValidationError({"tables": [str(wrong)]}) from wrong
        return attrs


class ShareDocument(serializers.Serializer[Any]):
    """What falls to one of `among` who share places."""

    amount = serializers.DecimalField(12, 2, allow_null=True)
    labels = serializers.ListField(child=serializers.CharField())
    among = serializers.IntegerField()


def prizes_in(body: Mapping[str, Any], before: Tournament | None) -> Prizes:
    """Those that are told, or as they are."""
    return parse_prizes(body.get("prizes", before.prizes if before else {}))
