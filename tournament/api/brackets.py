"""API views of brackets."""

import uuid
from dataclasses import asdict
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from tournament.access import permissions, score_visibility
from tournament.api.bracket_serializers import BracketDocument, BracketLineDocument
from tournament.api.describing import EVERYBODY, describes
from tournament.api.views import ApiView, with_etag
from tournament.live.channels import event_channel
from tournament.models import Tournament
from tournament.queries.brackets.bracket import bracket_view, stamp_of
from tournament.queries.brackets.bracket_list import BracketLine, bracket_ids, find_bracket_key, list_brackets
from tournament.queries.brackets.labels import bracket_title
from tournament.runtime.errors import NotFound
from tournament.web.conditional import vary_by_channels


class BracketsView(ApiView):
    @describes("list_brackets", {200: BracketLineDocument(many=True), 304: None}, auth=EVERYBODY)
    def get(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Returns all brackets in the order of the draw, without paging."""
        tournament = permissions.tournament_by_id(self.actor, tournament_id)
        if not permissions.may_see_draw(self.actor, tournament):
            raise NotFound
        return vary_by_tournament(
            tournament, Response([bracket_line_json(line) for line in list_brackets(tournament)])
        )


class BracketView(ApiView):
    @describes("show_bracket", {200: BracketDocument, 304: None}, auth=EVERYBODY)
    def get(self, request: Request, tournament_id: uuid.UUID, key: str) -> Response:
        """Returns a bracket with its rounds, pairings and scores. Send If-None-Match to get 304 if nothing changed."""
        tournament = permissions.tournament_by_id(self.actor, tournament_id)
        if not permissions.may_see_draw(self.actor, tournament):
            raise NotFound
        bracket_key = find_bracket_key(tournament, key)
        live = score_visibility.sees_live_scores([self.actor], tournament)
        stamp = stamp_of(tournament, bracket_key, live=live)
        response = with_etag(request, stamp, lambda: bracket_json(tournament, bracket_key, live=live))
        return vary_by_tournament(tournament, response)


def vary_by_tournament(tournament: Tournament, response: Response) -> Response:
    """Makes the cached response expire when the event or one of the brackets changes."""
    return vary_by_channels(response, [event_channel(tournament.event_id), *bracket_ids(tournament)])


def bracket_line_json(line: BracketLine) -> dict[str, Any]:
    return {**asdict(line), "slug": line.slug, "title": bracket_title(line.key)}


def bracket_json(tournament: Any, key: str, *, live: bool) -> dict[str, Any]:
    document = asdict(bracket_view(tournament, key, live=live))
    del document["is_released"]
    return document
