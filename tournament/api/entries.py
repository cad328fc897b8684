"""API views of entries: the list, single entries, imports and personal links."""

import uuid
from collections.abc import Callable
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from tournament.access import permissions
from tournament.access.actors import Actor
from tournament.access.permissions import Capability
from tournament.accounts import links
from tournament.api.describing import EVERYBODY, describes, describes_list, word_parameter
from tournament.api.entry_serializers import EntryBody, EntryDocument, LinkDocument, NewEntryBody, entry_of
from tournament.api.import_serializers import ImportedDocument, ListBody, PreviewDocument
from tournament.api.money_serializers import amount_json, amounts_json
from tournament.api.parsing import BoundedJSONParser, BoundedMultiPartParser
from tournament.api.shared_serializers import ReasonBody
from tournament.api.views import ApiView
from tournament.entries import attendance, importing, registration
from tournament.entries.lists.comparison import PlannedLine, Preview
from tournament.entries.lists.reading import read_list
from tournament.live.channels import event_channel
from tournament.models import AccountKind, Entry, Tournament
from tournament.money import advance_payments
from tournament.money.advance_payments import PaymentOptions
from tournament.money.player_merging import split_off_entry
from tournament.refusals.entries import LIST_IS_EMPTY
from tournament.runtime.errors import NotFound, Refused
from tournament.web.conditional import vary_by_channels
from tournament.web.one_at_a_time import Work, one_at_a_time

ACTIONS: dict[str, Callable[[Entry, Actor, str], object]] = {
    "check-in": lambda entry, actor, _: attendance.check_in(entry, actor, present=True),
    "undo-check-in": lambda entry, actor, _: attendance.check_in(entry, actor, present=False),
    "paid": lambda entry, actor, _: attendance.mark_paid(entry, actor, paid=True),
    "unpaid": lambda entry, actor, _: attendance.mark_paid(entry, actor, paid=False),
    "withdraw": registration.withdraw,
    "unwithdraw": registration.unwithdraw,
    "split": split_off_entry,
}
ACTION = word_parameter("action", ACTIONS)


class EntriesView(ApiView):
    @describes_list("list_entries", EntryDocument, auth=EVERYBODY)
    def get(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Returns the entries by name."""
        tournament = permissions.tournament_by_id(self.actor, tournament_id)
        runs_it = permissions.may(self.actor, tournament.event, Capability.DESK)
        entries = tournament.entries.select_related("player")
        page = self.page(entries, lambda entry: entry_json(entry, is_full=runs_it), ("player__name", "pk"))
        return vary_by_channels(page, [event_channel(tournament.event_id)])

    @describes("enter_player", {201: EntryDocument}, 409, request=NewEntryBody)
    def post(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Enters a player. A player of another tournament of the event is found by the federation number, else by a
        name that one player has. 409 `several-people`: send `player` or `is_new_person`."""
        permissions.tournament_by_id(self.actor, tournament_id, Capability.DESK)
        entry = registration.enter(tournament_id, entry_of(self.read(NewEntryBody)), self.actor)
        return Response(entry_json(entry, is_full=True), status=201)


class EntryView(ApiView):
    def entry(self, entry_id: uuid.UUID, capability: Capability) -> Entry:
        return permissions.entry_by_id(self.actor, entry_id, capability)

    @describes("show_entry", {200: EntryDocument})
    def get(self, request: Request, entry_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Returns one entry with all data for the desk."""
        return Response(entry_json(self.entry(entry_id, Capability.DESK), is_full=True))

    @describes("change_entry", {200: EntryDocument}, 409, request=EntryBody)
    def put(self, request: Request, entry_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Changes the player's data, the seed and the payment."""
        entry = self.entry(entry_id, Capability.DESK)
        registration.change(entry, entry_of(self.read(EntryBody)), self.actor)
        return Response(entry_json(self.entry(entry_id, Capability.DESK), is_full=True))

    @describes("remove_entry", {204: None}, 409)
    def delete(self, request: Request, entry_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Removes an entry made by mistake, before the draw."""
        registration.remove(self.entry(entry_id, Capability.DIRECT), self.actor)
        return Response(status=204)


class EntryActionView(ApiView):
    @describes("mark_entry", {200: EntryDocument}, 409, request=ReasonBody, parameters=[ACTION])
    def post(self, request: Request, entry_id: uuid.UUID, action: str) -> Response:  # noqa: ARG002
        """check-in, undo-check-in, paid, unpaid, withdraw or unwithdraw; split: the player's entries in this
        tournament are of another person of the same name; only directors may, once its prizes are posted."""
        work = ACTIONS.get(action)
        if work is None:
            raise NotFound
        entry = permissions.entry_by_id(self.actor, entry_id, Capability.DESK)
        work(entry, self.actor, self.read(ReasonBody)["reason"])
        return Response(
            entry_json(permissions.entry_by_id(self.actor, entry_id, Capability.DESK), is_full=True)
        )


class LinksView(ApiView):
    @describes("give_link", {201: LinkDocument}, request=None)
    def post(self, request: Request, entry_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Creates another personal link for the entry."""
        token = links.make_link(permissions.entry_by_id(self.actor, entry_id, Capability.DESK), self.actor)
        return Response({"token": token, "path": f"/p/{token}/"}, status=201)

    @describes("reissue_links", {201: LinkDocument}, request=None)
    def put(self, request: Request, entry_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Revokes all personal links of the entry and creates a new one."""
        token = links.reissue(permissions.entry_by_id(self.actor, entry_id, Capability.DESK), self.actor)
        return Response({"token": token, "path": f"/p/{token}/"}, status=201)


class ImportView(ApiView):
    parser_classes = (BoundedJSONParser, BoundedMultiPartParser)

    @describes("preview_import", {200: PreviewDocument}, 409, request=ListBody)
    def post(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Previews the changes of an entry list. Stores nothing."""
        tournament = permissions.tournament_by_id(self.actor, tournament_id, Capability.DIRECT)
        above_debt = self.read(ListBody)["above_debt"]
        with one_at_a_time(self.actor, Work.IMPORT):
            listing = self.listing(tournament)
            return Response(
                preview_json(advance_payments.preview(tournament, listing, above_debt=above_debt))
            )

    @describes("apply_import", {200: ImportedDocument}, 409, request=ListBody)
    def put(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Imports the list if its changes are still those of the preview with this digest."""
        tournament = permissions.tournament_by_id(self.actor, tournament_id, Capability.DIRECT)
        body = self.read(ListBody)
        answers = dict.fromkeys(body.get("other_people", ()))
        with one_at_a_time(self.actor, Work.IMPORT):
            listing = self.listing(tournament)
            done = advance_payments.apply(
                tournament_id,
                listing,
                body.get("digest", ""),
                self.actor,
                answers,
                PaymentOptions(AccountKind(body["method"]), body["above_debt"]),
            )
        counts = done.counts
        return Response(
            {
                "added": counts.added,
                "changed": counts.changed,
                "unchanged": counts.unchanged,
                "payments": amounts_json(done.payments),
            }
        )

    def listing(self, tournament: Tournament) -> Any:
        """Payments in advance are read for those who may take payments."""
        body, pools = self.read(ListBody), importing.pool_names(tournament)
        may_pay = permissions.may(self.actor, tournament.event, Capability.MONEY)
        currency = advance_payments.payment_currency(tournament) if may_pay else ""
        if body.get("file") is not None:
            return read_list(body["file"].read(), body["file"].name, pools=pools, currency=currency)
        if not body.get("text", "").strip():
            raise Refused(LIST_IS_EMPTY)
        return read_list(body["text"].encode("utf-8", "replace"), pools=pools, currency=currency)


def entry_json(entry: Entry, *, is_full: bool) -> dict[str, Any]:
    """`is_full` adds the data that only members of the event see."""
    player = entry.player
    shows_details = is_full or not entry.tournament.event.shows_initials
    return {
        "id": entry.pk,
        "player": player.pk if is_full else None,
        "name": player.registered_name if is_full else player.name,
        "country": player.country,
        "club": player.club if shows_details else "",
        "team": player.team if shows_details else "",
        "federation_id": player.federation_id if shows_details else "",
        "rating": str(player.rating) if shows_details and player.rating is not None else None,
        "seed": entry.seed,
        "is_withdrawn": entry.is_withdrawn,
        "is_checked_in": entry.checked_in_at is not None,
        "is_paid": entry.is_paid if is_full else None,
        "given_losses": entry.starting_losses,
    }


def preview_json(preview: Preview) -> dict[str, Any]:
    return {
        "digest": preview.digest,
        "added": [planned_line_json(planned) for planned in preview.added],
        "changed": [planned_line_json(planned) for planned in preview.changed],
        "unchanged": len(preview.unchanged),
        "troubles": [
            {
                "line": trouble.line,
                "severity": trouble.severity.value,
                "code": trouble.code,
                "sentence": trouble.sentence,
            }
            for trouble in preview.troubles
        ],
    }


def planned_line_json(planned: PlannedLine) -> dict[str, Any]:
    changes = [
        {"field": change.field, "before": str(change.before), "after": str(change.after)}
        for change in planned.changes
    ]
    return {
        "line": planned.line.number,
        "name": planned.line.name,
        "changes": changes,
        "payment": amount_json(planned.payment) if planned.payment else None,
        "also_entered_in": list(planned.elsewhere),
    }
