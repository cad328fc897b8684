"""API views of fees: prices of tournaments and events, refunds, choices of entries, and withdrawals."""

import uuid

from django.utils.translation import gettext
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.access import permissions
from tournament.access.permissions import Capability
from tournament.api.describing import describes
from tournament.api.fee_serializers import (
    ChoicesBody,
    EntryChoicesDocument,
    EventFeesBody,
    FeeChangeDocument,
    FeeExampleDocument,
    FeesBody,
    FeesDocument,
    FeeTemplateDocument,
    RefundsBody,
    RefundsDocument,
    WaiverBody,
    WithdrawalRefundBody,
    WithdrawalsDocument,
    choices_json,
    choices_of_body,
    example_json,
    fee_change_json,
    remaining_charges_json,
    withdrawal_json,
)
from tournament.api.views import ApiView
from tournament.entries.choices import set_choices
from tournament.fees.amounts import current_currencies
from tournament.fees.stored import schedule_as_json
from tournament.models import Tournament
from tournament.money.fees import (
    preview_event_fees,
    preview_schedule,
    set_event_fees,
    set_refunds,
    set_schedule,
)
from tournament.money.revisions import refund_settings, schedule_settings
from tournament.money.withdrawals import (
    pending_withdrawals,
    refund_withdrawal,
    remaining_charges,
    waive_charges,
)
from tournament.queries.money.choices import entries_by_name
from tournament.queries.money.fee_changes import prize_changes
from tournament.queries.money.fee_examples import examples_of, templates
from tournament.queries.money.prizes import tournament_currency
from tournament.runtime.errors import NotFound
from tournament.runtime.revisions import revision_of

CURRENCY = OpenApiParameter("currency", str, description="Of the amounts; by default that of the tournament.")


class FeesView(ApiView):
    @describes("show_fees", {200: FeesDocument})
    def get(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Returns the fees of a tournament, in minor units."""
        tournament = permissions.tournament_by_id(self.actor, tournament_id, Capability.MONEY)
        revision = revision_of(schedule_settings(tournament.fees))
        return Response({"fees": tournament.fees, "revision": revision})

    @describes("set_fees", {200: FeeChangeDocument}, 409, request=FeesBody)
    def put(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Sets the fees and charges every entry by them. If fees were set before, or an entry that is charged another
        amount has paid, send the digest of the preview."""
        tournament = permissions.tournament_by_id(self.actor, tournament_id, Capability.DIRECT)
        body = self.read(FeesBody)
        done = set_schedule(
            tournament_id, body["fees"], self.actor, body["digest"], revision=body["revision"]
        )
        return Response(fee_change_json(done, prize_changes(tournament, done.prizes)))


class FeesPreviewView(ApiView):
    @describes("preview_fees", {200: FeeChangeDocument}, request=FeesBody)
    def post(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Returns what entries would be charged more or less by these fees. Changes nothing."""
        tournament = permissions.tournament_by_id(self.actor, tournament_id, Capability.DIRECT)
        change = preview_schedule(tournament, self.read(FeesBody)["fees"])
        return Response(fee_change_json(change, prize_changes(tournament, change.prizes)))


class FeeExamplesView(ApiView):
    @describes("show_fee_examples", {200: FeeExampleDocument(many=True)}, request=FeesBody)
    def post(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Returns what players pay by these fees, and to which accounts it goes. Changes nothing."""
        permissions.tournament_by_id(self.actor, tournament_id, Capability.DIRECT)
        return Response([example_json(example) for example in examples_of(self.read(FeesBody)["fees"])])


class FeeTemplatesView(ApiView):
    @describes("list_fee_templates", {200: FeeTemplateDocument(many=True)}, 400, parameters=[CURRENCY])
    def get(self, request: Request, tournament_id: uuid.UUID) -> Response:
        """Returns usual fees to start from."""
        tournament = permissions.tournament_by_id(self.actor, tournament_id, Capability.DIRECT)
        currency = request.query_params.get("currency") or tournament_currency(tournament)
        if currency not in current_currencies():
            raise ValidationError({"currency": [gettext("This is no currency in use.")]})
        return Response(
            [
                {
                    "key": key,
                    "name": str(template.label),
                    "fees": schedule_as_json(template.in_currency(currency)),
                }
                for key, template in templates().items()
            ]
        )


class EventFeesView(ApiView):
    @describes("show_event_fees", {200: FeesDocument})
    def get(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Returns what players pay once in the event, in minor units."""
        fees = permissions.event_for(self.actor, event, Capability.MONEY).fees
        return Response({"fees": fees, "revision": revision_of(fees)})

    @describes("set_event_fees", {200: FeeChangeDocument}, 409, request=EventFeesBody)
    def put(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Sets what players pay once in the event, and charges them by it. If fees were set before, or a player who is
        charged another amount has paid, send the digest of the preview."""
        row = permissions.event_for(self.actor, event, Capability.DIRECT)
        body = self.read(EventFeesBody)
        done = set_event_fees(row, body["fees"], self.actor, body["digest"], revision=body["revision"])
        return Response(fee_change_json(done))


class EventFeesPreviewView(ApiView):
    @describes("preview_event_fees", {200: FeeChangeDocument}, request=EventFeesBody)
    def post(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Returns what players would be charged more or less by these fees of the event. Changes nothing."""
        row = permissions.event_for(self.actor, event, Capability.DIRECT)
        return Response(fee_change_json(preview_event_fees(row, self.read(EventFeesBody)["fees"])))


class RefundsView(ApiView):
    @describes("show_refunds", {200: RefundsDocument})
    def get(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Returns what entries get back that withdraw, by day."""
        tournament = permissions.tournament_by_id(self.actor, tournament_id, Capability.MONEY)
        return Response(refunds_json(tournament))

    @describes("set_refunds", {200: RefundsDocument}, 409, request=RefundsBody)
    def put(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Sets what entries get back that withdraw. Changes no charge. The tournament has fees."""
        permissions.tournament_by_id(self.actor, tournament_id, Capability.DIRECT)
        body = self.read(RefundsBody)
        set_refunds(tournament_id, body["refunds"], self.actor, revision=body["revision"])
        tournament = permissions.tournament_by_id(self.actor, tournament_id, Capability.DIRECT)
        return Response(refunds_json(tournament))


class ChoicesView(ApiView):
    @describes("list_choices", {200: EntryChoicesDocument(many=True)})
    def get(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Returns the conditions and side pools of the entries by name, without paging and without withdrawals."""
        tournament = permissions.tournament_by_id(self.actor, tournament_id, Capability.MONEY)
        return Response([choices_json(entry) for entry in entries_by_name(tournament)])

    @describes("set_choices", {200: EntryChoicesDocument(many=True)}, 409, request=ChoicesBody)
    def put(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Sets the conditions and side pools of these entries, all or none, and charges what they change. Other
        entries keep theirs. Returns all."""
        tournament = permissions.tournament_by_id(self.actor, tournament_id, Capability.MONEY)
        rows = self.read(ChoicesBody)["choices"]
        if {row["entry"] for row in rows} - {entry.pk for entry in entries_by_name(tournament)}:
            raise NotFound
        chosen = {row["entry"]: choices_of_body(row) for row in rows}
        expected = {row["entry"]: choices_of_body(row["expected"]) for row in rows if "expected" in row}
        set_choices(tournament_id, chosen, self.actor, expected)
        return Response([choices_json(entry) for entry in entries_by_name(tournament)])


class WithdrawalsView(ApiView):
    @describes("list_withdrawals", {200: WithdrawalsDocument})
    def get(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Returns the entries that withdrew and get something back, and those that are still charged."""
        row = permissions.event_for(self.actor, event, Capability.MONEY)
        refunds = [withdrawal_json(withdrawal) for withdrawal in pending_withdrawals(row)]
        return Response(
            {
                "refunds": refunds,
                "charges": [remaining_charges_json(charges) for charges in remaining_charges(row)],
            }
        )


class WithdrawalRefundView(ApiView):
    @describes("give_back_fees", {204: None}, 409, request=WithdrawalRefundBody)
    def post(self, request: Request, event: str, entry_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Gives back what the refunds say of a withdrawal, as a claim of the player. Once for each withdrawal."""
        row = permissions.event_for(self.actor, event, Capability.MONEY)
        refund_withdrawal(row, entry_id, self.read(WithdrawalRefundBody)["minor"], self.actor)
        return Response(status=204)


class WaiverView(ApiView):
    @describes("take_back_charges", {204: None}, 409, request=WaiverBody)
    def post(self, request: Request, event: str, entry_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Takes back what an entry that withdrew is still charged, and so waives the debt of its player."""
        row = permissions.event_for(self.actor, event, Capability.MONEY)
        body = self.read(WaiverBody)
        waive_charges(row, entry_id, body["revision"], body["reason"], self.actor)
        return Response(status=204)


def refunds_json(tournament: Tournament) -> dict[str, object]:
    revision = revision_of(refund_settings(tournament.fees))
    return {"refunds": tournament.fees.get("refunds", []), "revision": revision}
