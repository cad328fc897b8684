"""Rounds paired from the records so far, over the API: pairing the next one, taking the last one back."""

import uuid
from dataclasses import asdict
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.access import permissions
from tournament.access.permissions import Capability
from tournament.api.describing import describes
from tournament.api.request_serializers import ReasonBody
from tournament.api.views import ApiView
from tournament.drawing import rounds
from tournament.models import Round
from tournament.results import session_stops
from tournament.runtime.errors import NotFound


class PairedDocument(serializers.Serializer[Any]):
    """`cost` tells, aim by aim, why these two meet; `right` is null for a bye."""

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
        """Pairs the next round from the records so far, once every match of the last one has its result."""
        permissions.tournament_by_id(self.actor, tournament_id, Capability.DIRECT)
        return Response(_told(rounds.pair_next_round(tournament_id, self.actor)), status=201)

    @describes("take_round_back", {204: None}, 409, request=ReasonBody)
    def delete(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Takes the last round back, while none of its matches has begun."""
        permissions.tournament_by_id(self.actor, tournament_id, Capability.DIRECT)
        rounds.take_back_round(tournament_id, self.read(ReasonBody)["reason"], self.actor)
        return Response(status=204)


class StoppedDocument(serializers.Serializer[Any]):
    """Sessions that were stopped, and those without a game, which are left alone."""

    stopped = serializers.IntegerField()
    not_begun = serializers.IntegerField()


class StopRoundView(ApiView):
    @describes("stop_round", {200: StoppedDocument}, 409, request=None)
    def post(self, request: Request, round_id: int) -> Response:  # noqa: ARG002
        """Says in all open sessions of a round that time is over. Again: changes nothing."""
        row = Round.objects.select_related("bracket__tournament__event").filter(pk=round_id).first()
        if row is None:
            raise NotFound
        tournament = row.bracket.tournament
        permissions.require(self.actor, tournament.event, Capability.DIRECT)
        return Response(asdict(session_stops.stop_round(row.pk, tournament.pk, self.actor)))


class FreePlayersView(ApiView):
    @describes("pair_free_players", {201: PairedRoundDocument}, 409, request=None)
    def post(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Pairs whoever is free in an event with lives, while others play; never at the price of a dead end."""
        permissions.tournament_by_id(self.actor, tournament_id, Capability.DIRECT)
        return Response(_told(rounds.pair_free_players(tournament_id, self.actor)), status=201)


def _told(row: Round) -> dict[str, Any]:
    return {
        "id": row.pk,
        "number": row.number,
        "length": row.length,
        "games": row.games,
        "minutes": row.minutes,
        "seed_text": row.seed_text,
        "pairings": [
            {
                "pairing": one.pk,
                "line": one.line,
                "left": one.left_id,
                "right": one.right_id,
                "cost": one.cost,
            }
            for one in row.pairings.order_by("line")
        ],
    }
