"""API views of seats: the list, swaps, late entries and re-entries."""

import uuid
from dataclasses import asdict
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from tournament.access import permissions
from tournament.access.permissions import Capability
from tournament.api.describing import EVERYBODY, describes
from tournament.api.entries import entry_json, require_entry
from tournament.api.request_serializers import entry_of
from tournament.api.response_serializers import EntryDocument
from tournament.api.seat_serializers import (
    DrawnSeatDocument,
    LateEntryBody,
    ReentryTermsBody,
    SeedBody,
    SwapBody,
)
from tournament.api.views import ApiView
from tournament.brackets.open_seats import EntrySeat, entry_seats
from tournament.drawing import swaps
from tournament.drawing.swaps import Swap
from tournament.entries import late_entry, reentry
from tournament.entries.late_entry import LateEntryRequest
from tournament.entries.reentry import ReentryTerms


class SeatsView(ApiView):
    @describes("list_seats", {200: DrawnSeatDocument(many=True)})
    def get(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Returns the seats that the draw filled with entries and byes, without paging."""
        tournament = permissions.tournament_by_id(self.actor, tournament_id, Capability.DESK)
        waiting = late_entry.matches_that_would_wait(tournament)
        return Response(
            [
                seat_json(seat) | {"would_wait": waiting[seat.feed].pk if seat.feed in waiting else None}
                for seat in entry_seats(tournament)
            ]
        )


class SwapsView(ApiView):
    @describes("swap_seats", {204: None}, 409, request=SwapBody)
    def post(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Exchanges two seats while no match that follows from either has begun. Swapping them again undoes it."""
        permissions.tournament_by_id(self.actor, tournament_id, Capability.DIRECT)
        body = self.read(SwapBody)
        swap = Swap(body["one"], body["other"], (body["one_entry"], body["other_entry"]))
        swaps.swap(tournament_id, swap, self.actor, body["reason"])
        return Response(status=204)


class LateEntriesView(ApiView):
    @describes("enter_late", {201: EntryDocument}, 409, request=LateEntryBody)
    def post(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Enters a player after the draw, into a seat that is still free. Losers there drop like others of the round
        while a seat is left below, or nothing there has begun: then the brackets for losers are laid out again."""
        permissions.tournament_by_id(self.actor, tournament_id, Capability.DESK)
        body = self.read(LateEntryBody)
        late = LateEntryRequest(entry_of(body), body.get("seat"), body["seed_text"], body["given_losses"])
        entry = late_entry.enter(tournament_id, late, self.actor)
        return Response(entry_json(entry, is_full=True), status=201)


class ReentryTermsView(ApiView):
    @describes("show_re_entry_terms", {200: ReentryTermsBody}, auth=EVERYBODY)
    def get(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Returns the terms of re-entry."""
        return Response(reentry.terms_of(permissions.tournament_by_id(self.actor, tournament_id)).as_json())

    @describes("set_re_entry_terms", {200: ReentryTermsBody}, 409, request=ReentryTermsBody)
    def put(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Sets the terms of re-entry. The price is only a note; nothing is charged."""
        permissions.tournament_by_id(self.actor, tournament_id, Capability.DIRECT)
        terms = ReentryTerms(**self.read(ReentryTermsBody))
        reentry.set_terms(tournament_id, terms, self.actor)
        return Response(terms.as_json())


class ReentryView(ApiView):
    @describes("enter_again", {201: EntryDocument}, 409, request=SeedBody)
    def post(self, request: Request, entry_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Re-enters an eliminated player: a second entry, seated at random and unpaid."""
        entry = require_entry(self.actor, entry_id, Capability.DESK)
        again = reentry.re_enter(entry, self.actor, self.read(SeedBody)["seed_text"])
        return Response(entry_json(again, is_full=True), status=201)


def seat_json(seat: EntrySeat) -> dict[str, Any]:
    fields = asdict(seat)
    names = ("bracket", "shape", "round", "line", "entry", "opponent", "is_fixed", "is_scheduled")
    return {
        **{name: fields[name] for name in names},
        "seat": seat.feed,
        "side": seat.seat.value,
        "is_free": seat.is_free,
    }
