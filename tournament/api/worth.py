"""API view of what the remaining players of a tournament can expect to win."""

import uuid
from collections.abc import Iterable
from enum import StrEnum
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.access import permissions
from tournament.access.permissions import Capability
from tournament.api.describing import describes
from tournament.api.money_serializers import AmountDocument, amount_json
from tournament.api.views import ApiView
from tournament.queries.money.worth import WorthLine, WorthPage, load_worth


class WorthState(StrEnum):
    COMPUTING = "computing"
    UNDRAWN = "undrawn"
    OVER = "over"
    NO_PRIZES = "no_prizes"
    READY = "ready"


class WorthLineDocument(serializers.Serializer[Any]):
    entry = serializers.UUIDField()
    name = serializers.CharField()
    amount = AmountDocument(help_text="Prize money on average.")


class PossibleDrawDocument(serializers.Serializer[Any]):
    pairs = serializers.ListField(
        child=serializers.ListField(child=serializers.UUIDField(), min_length=2, max_length=2),
        help_text="Entries.",
    )
    bye = serializers.UUIDField(allow_null=True)
    lines = WorthLineDocument(many=True)


class WorthDocument(serializers.Serializer[Any]):
    """`computing`: ask again in a second. `undrawn`: the next pairings depend on open results."""

    state = serializers.ChoiceField(choices=[state.value for state in WorthState])
    trials = serializers.IntegerField(
        help_text="Simulated ends of the tournament; 0 if the amounts are exact."
    )
    error = AmountDocument(allow_null=True, help_text="Standard error of an amount of a sample.")
    lines = WorthLineDocument(many=True, help_text="The highest amount first.")
    draws = PossibleDrawDocument(
        many=True, help_text="Of the next round, if few players with lives are left."
    )


class WorthView(ApiView):
    @describes("show_worth", {200: WorthDocument})
    def get(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Returns the prize money that each remaining player wins on average from now on. A worker computes it."""
        tournament = permissions.tournament_by_id(self.actor, tournament_id, Capability.MONEY)
        return Response(worth_json(load_worth(tournament)))


def worth_json(worth: WorthPage) -> dict[str, Any]:
    draws = [
        {
            "pairs": [[first.pk, second.pk] for first, second in draw.pairs],
            "bye": draw.bye.pk if draw.bye else None,
            "lines": _lines_json(draw.lines),
        }
        for draw in worth.draws
    ]
    return {
        "state": _state_of(worth),
        "trials": worth.table.trials if worth.table else 0,
        "error": amount_json(worth.error) if worth.error else None,
        "lines": _lines_json(worth.lines),
        "draws": draws,
    }


def _lines_json(lines: Iterable[WorthLine]) -> list[dict[str, Any]]:
    return [
        {"entry": line.entry.pk, "name": line.entry.registered_name, "amount": amount_json(line.amount)}
        for line in lines
    ]


def _state_of(worth: WorthPage) -> WorthState:
    if worth.table is None:
        return WorthState.COMPUTING
    if not worth.table.is_possible:
        return WorthState.UNDRAWN
    if worth.table.is_over:
        return WorthState.OVER
    return WorthState.READY if worth.lines else WorthState.NO_PRIZES
