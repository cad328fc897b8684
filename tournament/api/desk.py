"""API views of the desk: all cards, rulings, awards, retracted results and open questions."""

import uuid

from rest_framework.request import Request
from rest_framework.response import Response

from matches.keepers import Keeper
from tournament.access import permissions
from tournament.access.permissions import Capability
from tournament.api.card_serializers import (
    FinalBody,
    GameBody,
    PenaltyBody,
    StopBody,
    StrikeBody,
    final_of,
    game_of,
    penalty_of,
    stop_of,
    strike_of,
)
from tournament.api.describing import describes, describes_list, word_parameter
from tournament.api.desk_serializers import AwardBody, RetractBody, points_of
from tournament.api.matches import WRITTEN, outcome_response
from tournament.api.question_serializers import ClosingBody, QuestionDocument, question_json
from tournament.api.views import ApiView
from tournament.queries.desk.desk import list_questions, question_by_id
from tournament.results import desk, posting, questions
from tournament.results.awards import ExpectedResult
from tournament.runtime.errors import NotFound

READERS = {
    "games": (GameBody, game_of),
    "penalties": (PenaltyBody, penalty_of),
    "final": (FinalBody, final_of),
    "strikes": (StrikeBody, strike_of),
    "stop": (StopBody, stop_of),
}
KEEPER = word_parameter("keeper", [keeper.value for keeper in Keeper])


class DeskCardView(ApiView):
    """Lets the desk write on any card of a match. Each kind of row has its own address."""

    kind = "games"

    def write(self, match_id: uuid.UUID, keeper: str) -> Response:
        pairing = permissions.pairing_of_match(self.actor, match_id, Capability.DESK)
        if keeper not in tuple(Keeper):
            raise NotFound
        body, row_of = READERS[self.kind]
        return outcome_response(
            desk.enter_at_desk(pairing, Keeper(keeper), row_of(self.read(body)), self.actor)
        )


class CardGamesView(DeskCardView):
    @describes("write_game_at_desk", WRITTEN, 409, 422, request=GameBody, parameters=[KEEPER])
    def post(self, request: Request, match_id: uuid.UUID, keeper: str) -> Response:  # noqa: ARG002
        """Writes a game on this keeper's card as the desk; with `supersedes`, corrects one."""
        return self.write(match_id, keeper)


class CardPenaltiesView(DeskCardView):
    kind = "penalties"

    @describes("write_penalty_at_desk", WRITTEN, 409, 422, request=PenaltyBody, parameters=[KEEPER])
    def post(self, request: Request, match_id: uuid.UUID, keeper: str) -> Response:  # noqa: ARG002
        """Writes penalty points on this keeper's card as the desk."""
        return self.write(match_id, keeper)


class CardFinalView(DeskCardView):
    kind = "final"

    @describes("write_final_score_at_desk", WRITTEN, 409, 422, request=FinalBody, parameters=[KEEPER])
    def post(self, request: Request, match_id: uuid.UUID, keeper: str) -> Response:  # noqa: ARG002
        """Writes a final score on this keeper's card as the desk."""
        return self.write(match_id, keeper)


class CardStopView(DeskCardView):
    kind = "stop"

    @describes("write_stop_at_desk", WRITTEN, 409, 422, request=StopBody, parameters=[KEEPER])
    def post(self, request: Request, match_id: uuid.UUID, keeper: str) -> Response:  # noqa: ARG002
        """Writes on this keeper's card, as the desk, that the time of a session is over."""
        return self.write(match_id, keeper)


class CardStrikesView(DeskCardView):
    kind = "strikes"

    @describes("strike_row_at_desk", WRITTEN, 409, 422, request=StrikeBody, parameters=[KEEPER])
    def post(self, request: Request, match_id: uuid.UUID, keeper: str) -> Response:  # noqa: ARG002
        """Strikes a row of this keeper's card as the desk."""
        return self.write(match_id, keeper)


class AwardView(ApiView):
    @describes("award_match", {204: None}, 409, request=AwardBody)
    def post(self, request: Request, pairing_id: int) -> Response:  # noqa: ARG002
        """Awards a walkover, a no-show or a double no-show (no winner). With a score: a loss by penalty or on the
        clock, or an unfinished match."""
        pairing = posting.load_pairing(pairing_id)
        permissions.require(self.actor, pairing.round.bracket.tournament, Capability.DESK)
        body = self.read(AwardBody)
        winner, points = body.get("winner"), points_of(body)
        expected = ExpectedResult(body.get("result"))
        desk.award(pairing, winner, body["kind"], body["reason"], self.actor, points, expected=expected)
        return Response(status=204)


class RetractView(ApiView):
    @describes("retract_result", {204: None}, 409, request=RetractBody)
    def post(self, request: Request, pairing_id: int) -> Response:  # noqa: ARG002
        """Retracts a posted result while no match that follows from it has begun."""
        pairing = posting.load_pairing(pairing_id)
        permissions.require(self.actor, pairing.round.bracket.tournament, Capability.DESK)
        body = self.read(RetractBody)
        expected = ExpectedResult(body["result"]) if body.get("result") else None
        desk.retract(pairing, body["reason"], self.actor, expected=expected)
        return Response(status=204)


class QuestionsView(ApiView):
    @describes_list("list_questions", QuestionDocument)
    def get(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Returns the questions for the desk, oldest first."""
        tournament = permissions.tournament_by_id(self.actor, tournament_id, Capability.DESK)
        return self.page(list_questions(tournament), question_json, ("opened_at", "pk"))


class QuestionClosingView(ApiView):
    @describes("close_question", {204: None}, 409, request=ClosingBody)
    def post(self, request: Request, question_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Closes a question and stores the ruling."""
        question = question_by_id(question_id)
        if question is None:
            raise NotFound
        permissions.require(self.actor, question.tournament, Capability.DESK)
        questions.close(question, self.read(ClosingBody)["ruling"], self.actor)
        return Response(status=204)
