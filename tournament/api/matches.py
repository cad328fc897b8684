"""API views of matches and of a player's own card. The views of the desk are in `desk`."""

import uuid
from collections.abc import Callable
from typing import Any

from django.middleware.csrf import get_token
from django.utils.translation import gettext
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer

from matches.keepers import Keeper
from matches.models import Match
from matches.rows import NewRow
from tournament.access import permissions
from tournament.access.actors import Actor
from tournament.access.score_visibility import is_insider
from tournament.api.authentication import actors_of
from tournament.api.card_serializers import (
    ConfirmBody,
    FinalBody,
    GameBody,
    OwnCardDocument,
    StopBody,
    StrikeBody,
    WrittenRowDocument,
    cards_json,
    final_of,
    game_of,
    own_card_json,
    stop_of,
    strike_of,
    written_json,
)
from tournament.api.describing import EVERYBODY, describes
from tournament.api.match_serializers import MatchDocument, MatchStateDocument, delayed_score_json, match_json
from tournament.api.question_serializers import OpenedQuestionDocument, opened_question_json
from tournament.api.views import ApiView
from tournament.live.channels import event_channel
from tournament.models import Pairing
from tournament.queries.cards.card import load_phone_match, reload_phone_match
from tournament.queries.room.called import current_calls
from tournament.results import desk
from tournament.results.desk import RowOutcome
from tournament.runtime.errors import NotFound
from tournament.web.conditional import vary_by_channels

WRITTEN = {201: WrittenRowDocument, 202: OpenedQuestionDocument}
ENTRY = OpenApiParameter(
    "entry",
    OpenApiTypes.UUID,
    description="Selects one player of a phone that has links of several. The answer to a change then contains "
    "`own_card`, the card as it is now.",
)


class OwnMatchView(ApiView):
    """Base class of views of the actor's own card."""

    @property
    def entry_id(self) -> str:
        return str(self.request.query_params.get("entry", ""))

    def own_card(self, match_id: uuid.UUID) -> tuple[Pairing, Keeper, Actor]:
        """Raises NotFound if no link of the request plays in the match, Denied without credentials."""
        if self.entry_id:
            players = [actor for actor in actors_of(self.request) if actor.entry is not None]
            actor, pairing, keeper = permissions.pairing_for_phone(players, match_id, self.entry_id)
            return pairing, keeper, actor
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
        response = outcome_response(desk.enter(pairing, keeper, row_of(self.read(body)), actor))
        if self.entry_id:
            response.data |= own_card_json(reload_phone_match(pairing, keeper))
        return response


class OwnCardView(OwnMatchView):
    @describes("show_own_card", {200: OwnCardDocument}, 409, parameters=[ENTRY])
    def get(self, request: Request, match_id: uuid.UUID) -> Response:
        """Returns a player's own card with the keys of its next rows, so that a phone can write without a network.

        With cookies, `token` is the CSRF token of the next changes.
        """
        pairing, keeper, _actor = self.own_card(match_id)
        if keeper is Keeper.DESK:  # which keeps no card on a phone
            raise NotFound
        return Response({**own_card_json(load_phone_match(pairing, keeper)), "token": get_token(request)})


class MatchView(OwnMatchView):
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


class GamesView(OwnMatchView):
    @describes("write_game", WRITTEN, 409, 422, request=GameBody, parameters=[ENTRY])
    def post(self, request: Request, match_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Writes a game on your own card (the desk: on the desk's card)."""
        return self.write_row(match_id, GameBody, game_of)


class FinalView(OwnMatchView):
    @describes("write_final_score", WRITTEN, 409, 422, request=FinalBody, parameters=[ENTRY])
    def post(self, request: Request, match_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Reports only the final score, if the director allows it."""
        return self.write_row(match_id, FinalBody, final_of)


class StrikesView(OwnMatchView):
    @describes("strike_row", WRITTEN, 409, 422, request=StrikeBody, parameters=[ENTRY])
    def post(self, request: Request, match_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Strikes a row of your own card."""
        return self.write_row(match_id, StrikeBody, strike_of)


class StopView(OwnMatchView):
    @describes("write_stop", WRITTEN, 409, 422, request=StopBody, parameters=[ENTRY])
    def post(self, request: Request, match_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Writes on your own card that the time of a session is over. A strike takes it back."""
        return self.write_row(match_id, StopBody, stop_of)


class ConfirmView(OwnMatchView):
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
    return Response({"question": question, "detail": gettext(desk.LATE_ROW)}, status=202)


def channels_of(match: Match) -> list[uuid.UUID]:
    """Returns the channels of the event and of the bracket. The match is loaded with its pairing."""
    bracket = match.pairing.round.bracket
    return [event_channel(bracket.tournament.event_id), bracket.pk]
