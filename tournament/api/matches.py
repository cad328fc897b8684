"""API views of matches and of a player's own card. The views of the desk are in `desk`."""

import uuid
from collections.abc import Callable
from typing import Any

from django.utils.translation import gettext
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer

from matches.keepers import Keeper
from matches.models import Match
from matches.rows import NewRow
from tournament.access import permissions
from tournament.access.actors import Actor
from tournament.access.score_visibility import UNDECIDED, is_insider, score_visibility, visible_match
from tournament.api.authentication import actors_of
from tournament.api.card_json import cards_json, written_json
from tournament.api.describing import EVERYBODY, describes
from tournament.api.match_json import match_json
from tournament.api.question_json import opened_question_json
from tournament.api.request_serializers import (
    ConfirmBody,
    FinalBody,
    GameBody,
    StopBody,
    StrikeBody,
    final_of,
    game_of,
    stop_of,
    strike_of,
)
from tournament.api.response_serializers import (
    AskedDocument,
    MatchDocument,
    MatchStateDocument,
    WrittenDocument,
)
from tournament.api.views import ApiView
from tournament.live.channels import event_channel
from tournament.models import Pairing
from tournament.queries.room.called import current_calls
from tournament.results import desk
from tournament.results.desk import RowOutcome
from tournament.runtime.errors import NotFound
from tournament.web.conditional import vary_by_channels

WRITTEN = {201: WrittenDocument, 202: AskedDocument}


class OwnCard(ApiView):
    """Base class of views of the actor's own card."""

    def own_card(self, match_id: uuid.UUID) -> tuple[Pairing, Keeper, Actor]:
        """Raises NotFound if no link of the request plays in the match, Denied without credentials."""
        for actor in actors_of(self.request):
            try:
                pairing, keeper = permissions.pairing_for_keeper(actor, match_id)
            except NotFound:
                continue
            return pairing, keeper, actor
        raise NotFound

    def write_row(
        self, match_id: uuid.UUID, body: type[BaseSerializer[Any]], row_of: Callable[[dict[str, Any]], NewRow]
    ) -> Response:
        """Writes the row of the body on the actor's own card. Checks permissions before the body is read."""
        pairing, keeper, actor = self.own_card(match_id)
        writing = row_of(self.read(body))
        if keeper is Keeper.DESK:
            return outcome_response(desk.enter_at_desk(pairing, keeper, writing, actor))
        return outcome_response(desk.enter(pairing, keeper, writing, actor))


class MatchView(OwnCard):
    @describes("show_match", {200: MatchDocument, 304: None}, auth=EVERYBODY)
    def get(self, request: Request, match_id: uuid.UUID) -> Response:
        """Returns a match and its score; for its two players and the desk, with the cards."""
        match = permissions.visible_match(self.actor, match_id)
        called = current_calls([match.pk]).get(match.pk)
        document = match_json(match) | {"left_entry": match.left, "right_entry": match.right}
        document |= {"is_called": called is not None, "table": called.table if called else ""}
        tournament = match.pairing.round.bracket.tournament
        if is_insider(actors_of(request), tournament, {match.left, match.right}):
            return Response(document | {"cards": cards_json(match)})
        return vary_by_channels(
            Response(document | delayed_score_json(match) | {"cards": []}), channels_of(match)
        )


class GamesView(OwnCard):
    @describes("write_game", WRITTEN, 409, 422, request=GameBody)
    def post(self, request: Request, match_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Writes a game on your own card (the desk: on the desk's card)."""
        return self.write_row(match_id, GameBody, game_of)


class FinalView(OwnCard):
    @describes("write_final_score", WRITTEN, 409, 422, request=FinalBody)
    def post(self, request: Request, match_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Reports only the final score, if the director allows it."""
        return self.write_row(match_id, FinalBody, final_of)


class StrikesView(OwnCard):
    @describes("strike_row", WRITTEN, 409, 422, request=StrikeBody)
    def post(self, request: Request, match_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Strikes a row of your own card."""
        return self.write_row(match_id, StrikeBody, strike_of)


class StopView(OwnCard):
    @describes("write_stop", WRITTEN, 409, 422, request=StopBody)
    def post(self, request: Request, match_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Writes on your own card that the time of a session is over. A strike takes it back."""
        return self.write_row(match_id, StopBody, stop_of)


class ConfirmView(OwnCard):
    @describes("confirm_report", {200: MatchStateDocument}, 409, request=ConfirmBody)
    def post(self, request: Request, match_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Confirms the report of the other side."""
        pairing, keeper, actor = self.own_card(match_id)
        body = self.read(ConfirmBody)
        return Response(match_json(desk.confirm(pairing, keeper, body.get("tail"), actor)))


def outcome_response(outcome: RowOutcome) -> Response:
    """Returns 201 with the row and the card after it, also for a repeated row; 202 if it became a question."""
    if outcome.written is not None:
        return Response(written_json(outcome.written), status=201)
    question = opened_question_json(outcome.question) if outcome.question else None
    detail = gettext("The result was posted before this arrived. The desk has your card and will look at it.")
    return Response({"question": question, "detail": detail}, status=202)


def channels_of(match: Match) -> list[uuid.UUID]:
    """Returns the channels of the event and of the bracket. The match is loaded with its pairing."""
    bracket = match.pairing.round.bracket
    return [event_channel(bracket.tournament.event_id), bracket.pk]


def delayed_score_json(match: Match) -> dict[str, Any]:
    """Returns the values that replace a delayed or hidden score. `version` is 0 because versions count games."""
    visibility = score_visibility(match.pairing.round.bracket.tournament)
    if visibility.is_live or match.state not in UNDECIDED:
        return {}
    visible = visible_match(match, visibility)
    return {
        "state": visible.state,
        "version": 0,
        "left": visible.left,
        "right": visible.right,
        "is_crawford": visible.is_crawford,
        "winner": None,
        "reported_by": None,
    }
