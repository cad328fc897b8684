"""API views of standings and posted results."""

import uuid
from typing import Any

from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.access import permissions
from tournament.api.brackets import vary_by_tournament
from tournament.api.describing import EVERYBODY, describes, describes_list
from tournament.api.result_serializers import ResultDocument
from tournament.api.standings_serializers import StandingDocument, standing_json
from tournament.api.views import ApiView
from tournament.models import Result
from tournament.queries.brackets.bracket_list import find_bracket_key
from tournament.queries.standings.current_results import current_results
from tournament.queries.standings.standings import standing_lines
from tournament.runtime.errors import NotFound

OF_BRACKET = OpenApiParameter("bracket", str, description="Key or slug; by default the bracket drawn first.")


class StandingsView(ApiView):
    @describes(
        "show_standings",
        {200: StandingDocument(many=True), 304: None},
        auth=EVERYBODY,
        parameters=[OF_BRACKET],
    )
    def get(self, request: Request, tournament_id: uuid.UUID) -> Response:
        """Returns the place and record of every entry in a bracket, best first, without paging."""
        tournament = permissions.tournament_by_id(self.actor, tournament_id)
        if not permissions.may_see_draw(self.actor, tournament):
            raise NotFound
        bracket = request.query_params.get("bracket", "")
        key = find_bracket_key(tournament, bracket) if bracket else ""
        lines = standing_lines(tournament, key)
        return vary_by_tournament(tournament, Response([standing_json(line) for line in lines]))


class ResultsView(ApiView):
    @describes_list("list_results", ResultDocument, auth=EVERYBODY)
    def get(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Returns the current results, oldest first."""
        tournament = permissions.tournament_by_id(self.actor, tournament_id)
        if not permissions.may_see_draw(self.actor, tournament):
            raise NotFound
        results = current_results(tournament)
        return vary_by_tournament(tournament, self.page(results, result_json, ("posted_at", "pk")))


def result_json(result: Result) -> dict[str, Any]:
    return {
        "id": result.pk,
        "pairing": result.pairing_id,
        "bracket": result.pairing.round.bracket.key,
        "round": result.pairing.round.number,
        "line": result.pairing.line,
        "kind": result.kind,
        "left": result.left_id,
        "right": result.right_id,
        "winner": result.winner_id,
        "left_points": result.left_points,
        "right_points": result.right_points,
        "confirmed_by": result.confirmed_by,
        "posted_at": result.posted_at,
    }
