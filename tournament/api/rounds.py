"""API views of rounds: pairing, taking back, release, planned times, length, clock and the end of sessions."""

import uuid
from dataclasses import asdict
from typing import Any

from django.utils.translation import gettext
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.access import permissions
from tournament.access.permissions import Capability
from tournament.api.describing import EVERYBODY, describes
from tournament.api.round_serializers import (
    LengthBody,
    PlannedTimesBody,
    RoundReleaseBody,
    RoundReleaseDocument,
    length_of,
    planned_times_json,
    times_by_round,
)
from tournament.api.shared_serializers import ReasonBody
from tournament.api.views import ApiView
from tournament.brackets.clocks import MOST_MOVE_SECONDS, MOST_POINT_SECONDS, RoundClock
from tournament.drawing import round_previews, round_release, rounds
from tournament.events.planned_times import plan_times
from tournament.models import Round, RoundRelease, Tournament
from tournament.queries.next_rounds import NextRoundState, find_next_round
from tournament.queries.rounds import find_round
from tournament.results import session_stops


class ClockBody(serializers.Serializer[Any]):
    """Both 0: no clocks. Both null: as the ruleset says."""

    point_seconds = serializers.IntegerField(allow_null=True, min_value=0, max_value=MOST_POINT_SECONDS)
    move_seconds = serializers.IntegerField(allow_null=True, min_value=0, max_value=MOST_MOVE_SECONDS)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if (attrs["point_seconds"] is None) != (attrs["move_seconds"] is None):
            raise serializers.ValidationError(gettext("Give both, or neither."))
        return attrs


class PairedDocument(serializers.Serializer[Any]):
    """`cost` explains the pairing aim by aim; `right` is null for a bye."""

    pairing = serializers.IntegerField()
    line = serializers.IntegerField()
    left = serializers.UUIDField()
    right = serializers.UUIDField(allow_null=True)
    cost = serializers.DictField()


class PairedRoundDocument(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    number = serializers.IntegerField()
    length = serializers.IntegerField(allow_null=True, help_text="Null: stake play.")
    games = serializers.IntegerField(allow_null=True, help_text="Of each session of stake play.")
    minutes = serializers.IntegerField(allow_null=True, help_text="Of each session of stake play.")
    seed_text = serializers.CharField()
    pairings = PairedDocument(many=True)


class RoundsView(ApiView):
    @describes("pair_next_round", {201: PairedRoundDocument}, 409, request=None)
    def post(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Pairs the next round from the records, once every match of the last round has a result.

        Releases the round that a director has paired as a preview, with its changes by hand.
        """
        permissions.tournament_by_id(self.actor, tournament_id, Capability.DIRECT)
        return Response(
            paired_round_json(round_previews.pair_and_release(tournament_id, self.actor)), status=201
        )

    @describes("take_round_back", {204: None}, 409, request=ReasonBody)
    def delete(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Takes the last round back. Refused once one of its matches has begun."""
        permissions.tournament_by_id(self.actor, tournament_id, Capability.DIRECT)
        rounds.take_back_round(tournament_id, self.read(ReasonBody)["reason"], self.actor)
        return Response(status=204)


class RoundReleaseView(ApiView):
    @describes("show_round_release", {200: RoundReleaseDocument})
    def get(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Returns when rounds are released, and when the next one is paired automatically."""
        tournament = permissions.tournament_by_id(self.actor, tournament_id, Capability.DESK)
        return Response(_round_release_json(tournament))

    @describes("set_round_release", {200: RoundReleaseDocument}, 409, request=RoundReleaseBody)
    def put(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Sets when rounds are released. It counts from the next round."""
        permissions.tournament_by_id(self.actor, tournament_id, Capability.DIRECT)
        body = self.read(RoundReleaseBody)
        choice, grace = RoundRelease(body["round_release"]), body.get("release_grace")
        round_release.set_round_release(tournament_id, choice, self.actor, grace)
        return Response(_round_release_json(permissions.tournament_by_id(self.actor, tournament_id)))


class PlannedTimesView(ApiView):
    @describes("show_planned_times", {200: PlannedTimesBody}, auth=EVERYBODY)
    def get(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Returns the announced starts of rounds."""
        return Response(planned_times_json(permissions.tournament_by_id(self.actor, tournament_id)))

    @describes("plan_times", {200: PlannedTimesBody}, 409, request=PlannedTimesBody)
    def put(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Replaces the announced starts of all rounds. Refused if a round starts before an earlier one."""
        permissions.tournament_by_id(self.actor, tournament_id, Capability.DIRECT)
        plan_times(tournament_id, times_by_round(self.read(PlannedTimesBody)), self.actor)
        return Response(planned_times_json(permissions.tournament_by_id(self.actor, tournament_id)))


class RoundView(ApiView):
    @describes("change_round_length", {204: None}, 409, request=LengthBody)
    def put(self, request: Request, round_id: int) -> Response:  # noqa: ARG002
        """Sets the match length or the sessions of a round. Refused once a match of it has begun."""
        row = find_round(round_id)
        tournament = row.bracket.tournament
        permissions.require(self.actor, tournament, Capability.DIRECT)
        rounds.change_round_length(row.pk, tournament.pk, length_of(self.read(LengthBody)), self.actor)
        return Response(status=204)


class RoundClockView(ApiView):
    @describes("change_round_clock", {204: None}, 409, request=ClockBody)
    def put(self, request: Request, round_id: int) -> Response:  # noqa: ARG002
        """Sets the clock of a round. Refused once a match of it has begun."""
        row = find_round(round_id)
        tournament = row.bracket.tournament
        permissions.require(self.actor, tournament, Capability.DIRECT)
        body = self.read(ClockBody)
        clock = None if body["point_seconds"] is None else RoundClock(**body)
        rounds.change_round_clock(row.pk, tournament.pk, clock, self.actor)
        return Response(status=204)


class StoppedDocument(serializers.Serializer[Any]):
    """The number of stopped sessions, and of sessions without a game, which stay open."""

    stopped = serializers.IntegerField()
    not_begun = serializers.IntegerField()


class StopRoundView(ApiView):
    @describes("stop_round", {200: StoppedDocument}, 409, request=None)
    def post(self, request: Request, round_id: int) -> Response:  # noqa: ARG002
        """Stops all open sessions of a round because the time is over. Idempotent."""
        row = find_round(round_id)
        tournament = row.bracket.tournament
        permissions.require(self.actor, tournament, Capability.DIRECT)
        return Response(asdict(session_stops.stop_round(row.pk, tournament.pk, self.actor)))


class FreePlayersView(ApiView):
    @describes("pair_free_players", {201: PairedRoundDocument}, 409, request=None)
    def post(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Pairs the free players of an event with lives while others play, unless that would lead to a dead end."""
        permissions.tournament_by_id(self.actor, tournament_id, Capability.DIRECT)
        return Response(paired_round_json(rounds.pair_free_players(tournament_id, self.actor)), status=201)


def _round_release_json(tournament: Tournament) -> dict[str, Any]:
    following = find_next_round(tournament)
    return {
        "round_release": tournament.round_release,
        "release_grace": tournament.release_grace,
        "next_round": following.number if following.state is not NextRoundState.NONE else None,
        "automatic_at": following.automatic_at,
    }


def paired_round_json(row: Round) -> dict[str, Any]:
    return {
        "id": row.pk,
        "number": row.number,
        "length": row.length,
        "games": row.games,
        "minutes": row.minutes,
        "seed_text": row.seed_text,
        "pairings": [
            {
                "pairing": pairing.pk,
                "line": pairing.line,
                "left": pairing.left_id,
                "right": pairing.right_id,
                "cost": pairing.cost,
            }
            for pairing in row.pairings.order_by("line")
        ],
    }
