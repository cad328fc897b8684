"""API views of fees: prices of tournaments and events, refunds, choices of entries, and withdrawals."""

import uuid

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
    FeesBody,
    FeesDocument,
    GiveBackBody,
    RefundsBody,
    RefundsDocument,
    TakeBackBody,
    WithdrawalsDocument,
    choices_json,
    choices_of_body,
    fee_change_json,
    kept_charges_json,
    withdrawal_json,
)
from tournament.api.views import ApiView
from tournament.entries.choices import set_choices
from tournament.ledger.withdrawals import give_back, kept_charges, pending_withdrawals, take_back
from tournament.models import Tournament
from tournament.money.fees import (
    preview_event_fees,
    preview_schedule,
    set_event_fees,
    set_refunds,
    set_schedule,
)
from tournament.queries.money.choices import entries_by_name
from tournament.queries.money.fee_changes import prize_changes
from tournament.runtime.errors import NotFound


class FeesView(ApiView):
    @describes("show_fees", {200: FeesDocument})
    def get(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Returns the fees of a tournament, in minor units."""
        tournament = permissions.tournament_by_id(self.actor, tournament_id, Capability.MONEY)
        return Response({"fees": tournament.fees})

    @describes("set_fees", {200: FeeChangeDocument}, 409, request=FeesBody)
    def put(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Sets the fees and charges every entry by them. If entries were charged other amounts before, send the
        digest of the preview."""
        tournament = permissions.tournament_by_id(self.actor, tournament_id, Capability.DIRECT)
        body = self.read(FeesBody)
        done = set_schedule(tournament_id, body["fees"], self.actor, body["digest"])
        return Response(fee_change_json(done, prize_changes(tournament, done)))


class FeesPreviewView(ApiView):
    @describes("preview_fees", {200: FeeChangeDocument}, request=FeesBody)
    def post(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Returns what entries would be charged more or less by these fees. Changes nothing."""
        tournament = permissions.tournament_by_id(self.actor, tournament_id, Capability.DIRECT)
        change = preview_schedule(tournament, self.read(FeesBody)["fees"])
        return Response(fee_change_json(change, prize_changes(tournament, change)))


class EventFeesView(ApiView):
    @describes("show_event_fees", {200: FeesDocument})
    def get(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Returns what players pay once in the event, in minor units."""
        return Response({"fees": permissions.event_for(self.actor, event, Capability.MONEY).fees})

    @describes("set_event_fees", {200: FeeChangeDocument}, 409, request=EventFeesBody)
    def put(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Sets what players pay once in the event, and charges them by it. If players were charged other amounts
        before, send the digest of the preview."""
        row = permissions.event_for(self.actor, event, Capability.DIRECT)
        body = self.read(EventFeesBody)
        done = set_event_fees(row, body["fees"], self.actor, body["digest"])
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
        set_refunds(tournament_id, self.read(RefundsBody)["refunds"], self.actor)
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
        shown = {row["entry"]: choices_of_body(row["shown"]) for row in rows if "shown" in row}
        set_choices(tournament_id, chosen, self.actor, shown)
        return Response([choices_json(entry) for entry in entries_by_name(tournament)])


class WithdrawalsView(ApiView):
    @describes("list_withdrawals", {200: WithdrawalsDocument})
    def get(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Returns the entries that withdrew and get something back, and those that are still charged."""
        row = permissions.event_for(self.actor, event, Capability.MONEY)
        refunds = [withdrawal_json(withdrawal) for withdrawal in pending_withdrawals(row)]
        return Response(
            {"refunds": refunds, "charges": [kept_charges_json(kept) for kept in kept_charges(row)]}
        )


class GiveBackView(ApiView):
    @describes("give_back_fees", {204: None}, 409, request=GiveBackBody)
    def post(self, request: Request, event: str, entry_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Gives back what the refunds say of a withdrawal, as a claim of the player. Once for each withdrawal."""
        row = permissions.event_for(self.actor, event, Capability.MONEY)
        give_back(row, entry_id, self.read(GiveBackBody)["minor"], self.actor)
        return Response(status=204)


class TakeBackView(ApiView):
    @describes("take_back_charges", {204: None}, 409, request=TakeBackBody)
    def post(self, request: Request, event: str, entry_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Takes back what an entry that withdrew is still charged, and so waives the debt of its player."""
        row = permissions.event_for(self.actor, event, Capability.MONEY)
        body = self.read(TakeBackBody)
        take_back(row, entry_id, body["shown"], body["reason"], self.actor)
        return Response(status=204)


def refunds_json(tournament: Tournament) -> dict[str, object]:
    return {"refunds": tournament.fees.get("refunds", [])}
