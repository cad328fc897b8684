"""The draw, brackets, standings and results over the API."""

import uuid
from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.access import permissions, score_visibility
from tournament.access.permissions import Capability
from tournament.api.bracket_serializers import BracketDocument, BracketLineDocument
from tournament.api.describing import EVERYBODY, describes, describes_list
from tournament.api.request_serializers import DrawBody, LengthBody, ReasonBody, draw_of, length_of
from tournament.api.response_serializers import DrawDocument, ResultDocument
from tournament.api.standings_serializers import StandingDocument, standing_told
from tournament.api.views import ApiView, with_etag
from tournament.drawing import draws as drawing
from tournament.drawing import rounds
from tournament.drawing.order import published_text
from tournament.live.channels import event_channel
from tournament.models import Draw, Result, Round, Tournament
from tournament.queries.brackets.bracket import bracket_view, stamp_of
from tournament.queries.brackets.bracket_list import BracketLine, bracket_ids, find_bracket_key, list_brackets
from tournament.queries.brackets.labels import bracket_title
from tournament.queries.standings.standings import standing_lines
from tournament.runtime.errors import NotFound
from tournament.web.conditional import vary_by_channels

OF_BRACKET = OpenApiParameter("bracket", str, description="Key or slug; the bracket drawn first unless told.")


class DrawsView(ApiView):
    @describes_list("list_draws", DrawDocument, auth=EVERYBODY)
    def get(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Every draw that was made; who does not run the event sees those that were released."""
        tournament = permissions.tournament_by_id(self.actor, tournament_id)
        draws = tournament.draws.all()
        if not permissions.may(self.actor, tournament.event, Capability.DESK):
            draws = draws.filter(released_at__isnull=False)
        return vary_by_channels(
            self.page(draws, draw_told, ("number",)), [event_channel(tournament.event_id)]
        )

    @describes("make_draw", {201: DrawDocument}, 409, request=DrawBody)
    def post(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Draws, or with `draw` draws again; hidden until released."""
        permissions.tournament_by_id(self.actor, tournament_id, Capability.DIRECT)
        body = self.read(DrawBody)
        draw = drawing.make(tournament_id, draw_of(body), self.actor, drawing.ExpectedDraw(body.get("draw")))
        return Response(draw_told(draw), status=201)

    @describes("undo_draw", {204: None}, 409, request=ReasonBody)
    def delete(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Takes the current draw back and opens the entry list."""
        permissions.tournament_by_id(self.actor, tournament_id, Capability.DIRECT)
        drawing.undo(tournament_id, self.actor, self.read(ReasonBody)["reason"])
        return Response(status=204)


class ReleaseView(ApiView):
    @describes("release_draw", {204: None}, 409, request=None)
    def post(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Shows the draw to everyone and opens the first matches."""
        permissions.tournament_by_id(self.actor, tournament_id, Capability.DIRECT)
        drawing.release(tournament_id, self.actor)
        return Response(status=204)


class RoundView(ApiView):
    @describes("change_round_length", {204: None}, 409, request=LengthBody)
    def put(self, request: Request, round_id: int) -> Response:  # noqa: ARG002
        """Sets the match length, or the sessions, of a round in which no match has begun."""
        row = Round.objects.select_related("bracket__tournament__event").filter(pk=round_id).first()
        if row is None:
            raise NotFound
        tournament = row.bracket.tournament
        permissions.require(self.actor, tournament.event, Capability.DIRECT)
        rounds.change_round_length(row.pk, tournament.pk, length_of(self.read(LengthBody)), self.actor)
        return Response(status=204)


class BracketsView(ApiView):
    @describes("list_brackets", {200: BracketLineDocument(many=True), 304: None}, auth=EVERYBODY)
    def get(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Every bracket of the draw, in the order in which they were drawn; all in one answer."""
        tournament = permissions.tournament_by_id(self.actor, tournament_id)
        if not permissions.may_see_draw(self.actor, tournament):
            raise NotFound
        return told_with_all(
            tournament, Response([bracket_line_told(one) for one in list_brackets(tournament)])
        )


class BracketView(ApiView):
    @describes("show_bracket", {200: BracketDocument, 304: None}, auth=EVERYBODY)
    def get(self, request: Request, tournament_id: uuid.UUID, key: str) -> Response:
        """A bracket with its rounds, pairings and scores; ask with If-None-Match for what is new only."""
        tournament = permissions.tournament_by_id(self.actor, tournament_id)
        if not permissions.may_see_draw(self.actor, tournament):
            raise NotFound
        found = find_bracket_key(tournament, key)
        live = score_visibility.sees_live_scores(self.actor, tournament)
        stamp = stamp_of(tournament, found, live=live)
        response = with_etag(request, stamp, lambda: bracket_told(tournament, found, live=live))
        return told_with_all(tournament, response)


class StandingsView(ApiView):
    @describes(
        "show_standings",
        {200: StandingDocument(many=True), 304: None},
        auth=EVERYBODY,
        parameters=[OF_BRACKET],
    )
    def get(self, request: Request, tournament_id: uuid.UUID) -> Response:
        """Everybody's place and record in the main bracket or another, best first; all in one answer."""
        tournament = permissions.tournament_by_id(self.actor, tournament_id)
        if not permissions.may_see_draw(self.actor, tournament):
            raise NotFound
        asked = request.query_params.get("bracket", "")
        key = find_bracket_key(tournament, asked) if asked else ""
        lines = standing_lines(tournament, key)
        return told_with_all(tournament, Response([standing_told(line) for line in lines]))


class ResultsView(ApiView):
    @describes_list("list_results", ResultDocument, auth=EVERYBODY)
    def get(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """The posted results that count, oldest first."""
        tournament = permissions.tournament_by_id(self.actor, tournament_id)
        if not permissions.may_see_draw(self.actor, tournament):
            raise NotFound
        inside = Result.objects.filter(pairing__round__bracket__tournament=tournament)
        counting = inside.filter(superseded_by__isnull=True).exclude(kind="retracted")
        results = counting.select_related("pairing__round__bracket")
        return told_with_all(tournament, self.page(results, result_told, ("posted_at", "pk")))


def told_with_all(tournament: Tournament, response: Response) -> Response:
    """The answer may be for many until a deed is done in the event, or one of the brackets changes."""
    return vary_by_channels(response, [event_channel(tournament.event_id), *bracket_ids(tournament)])


def draw_told(draw: Draw) -> dict[str, Any]:
    names = (
        "number",
        "method",
        "seed_text",
        "entries",
        "order",
        "reason",
        "secret_hash",
        "entries_hash",
        "made_at",
        "released_at",
        "replaced_at",
    )
    rules = {name: value for name, value in draw.rules.items() if name not in ("entries", "closing", "names")}
    event = draw.tournament.event
    texts = {"reason": published_text(event, draw.reason)}
    if "byes_reason" in rules:
        rules["byes_reason"] = published_text(event, rules["byes_reason"])
    fields = {name: getattr(draw, name) for name in names}
    return fields | {"public": draw.public_dice, "rules": rules} | texts


def bracket_line_told(line: BracketLine) -> dict[str, Any]:
    return {**asdict(line), "slug": line.slug, "title": bracket_title(line.key)}


def bracket_told(tournament: Any, key: str, *, live: bool) -> dict[str, Any]:
    shown = asdict(bracket_view(tournament, key, live=live))
    del shown["is_released"]
    return shown


def result_told(result: Result) -> dict[str, Any]:
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
