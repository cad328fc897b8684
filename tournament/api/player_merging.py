"""API views that merge two players of an event who are one person."""

import uuid
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.access import permissions
from tournament.access.permissions import Capability
from tournament.api.describing import describes
from tournament.api.fee_serializers import DifferenceDocument, differences_json
from tournament.api.money_serializers import AmountDocument, amount_json, amounts_json
from tournament.api.views import ApiView
from tournament.money.player_merging import Merge, merge_players, preview_merge


class MergeBody(serializers.Serializer[Any]):
    other = serializers.UUIDField(
        help_text="The player who is merged into the one of the address, and deleted."
    )


class ConfirmedMergeBody(MergeBody):
    digest = serializers.CharField(max_length=100, help_text="From the preview.")


class OthersPrizeDocument(serializers.Serializer[Any]):
    entry = serializers.UUIDField()
    name = serializers.CharField()
    before = AmountDocument()
    after = AmountDocument()


class MergeDocument(serializers.Serializer[Any]):
    digest = serializers.CharField()
    open = AmountDocument(many=True, help_text="Of both players together. Negative amounts are claims.")
    differences = DifferenceDocument(many=True, help_text="Charges that are due once instead of twice.")
    cancelled_receipts = serializers.IntegerField()
    prizes = OthersPrizeDocument(many=True, help_text="Awarded prizes of other players that change.")


class MergeView(ApiView):
    @describes("preview_merge", {200: MergeDocument}, 409, request=MergeBody)
    def post(self, request: Request, event: str, player_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Returns what changes if the two players are merged. Changes nothing."""
        row = permissions.event_for(self.actor, event, Capability.DIRECT)
        return Response(_merge_json(preview_merge(row, player_id, self.read(MergeBody)["other"], self.actor)))

    @describes("merge_players", {200: MergeDocument}, 409, request=ConfirmedMergeBody)
    def put(self, request: Request, event: str, player_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Merges the players if the changes are still those of the preview with this digest."""
        row = permissions.event_for(self.actor, event, Capability.DIRECT)
        body = self.read(ConfirmedMergeBody)
        return Response(_merge_json(merge_players(row, player_id, body["other"], self.actor, body["digest"])))


def _merge_json(merge: Merge) -> dict[str, Any]:
    return {
        "digest": merge.digest,
        "open": amounts_json(merge.after),
        "differences": differences_json(merge.differences),
        "cancelled_receipts": merge.receipts,
        "prizes": [
            {
                "entry": change.entry.pk,
                "name": change.entry.registered_name,
                "before": amount_json(change.amount_before),
                "after": amount_json(change.amount_after),
            }
            for change in merge.prizes
        ],
    }
