"""API views of entries after the draw: late entries, the terms of re-entry, and re-entry."""

import uuid
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.access import permissions
from tournament.access.permissions import Capability
from tournament.api.describing import EVERYBODY, describes
from tournament.api.entries import entry_json
from tournament.api.entry_serializers import EntryDocument, NewEntryBody, entry_of
from tournament.api.seat_serializers import HIGHEST_SEAT
from tournament.api.views import ApiView
from tournament.draw.formats import LIMITS
from tournament.entries import late_entry, reentry
from tournament.entries.late_entry import LateEntryRequest
from tournament.entries.reentry import LAST_ROUND, MOST_TIMES, ReentryTerms


class LateEntryBody(NewEntryBody):
    seat = serializers.IntegerField(
        required=False,
        allow_null=True,
        min_value=0,
        max_value=HIGHEST_SEAT,
        help_text="A free seat; if missing, it is drawn at random.",
    )
    seed_text = serializers.CharField(
        max_length=100, required=False, allow_blank=True, default="", help_text="Seed of the random draw."
    )
    given_losses = serializers.IntegerField(
        default=0,
        min_value=0,
        max_value=LIMITS["lives"][1] - 1,
        help_text="In an event with lives: the losses that the player starts with.",
    )


class ReentryTermsBody(serializers.Serializer[Any]):
    allowed = serializers.BooleanField()
    price = serializers.DecimalField(8, 2, required=False, allow_null=True, min_value=0, default=None)
    until_round = serializers.IntegerField(
        default=0,
        min_value=0,
        max_value=LAST_ROUND,
        help_text="Closed once this round of the main bracket has begun; 0: never.",
    )
    into = serializers.CharField(max_length=20, default="main", help_text="Key of the bracket to enter.")
    times = serializers.IntegerField(default=1, min_value=1, max_value=MOST_TIMES)


class SeedBody(serializers.Serializer[Any]):
    seed_text = serializers.CharField(max_length=100, required=False, allow_blank=True, default="")


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
        entry = permissions.entry_by_id(self.actor, entry_id, Capability.DESK)
        again = reentry.re_enter(entry, self.actor, self.read(SeedBody)["seed_text"])
        return Response(entry_json(again, is_full=True), status=201)
