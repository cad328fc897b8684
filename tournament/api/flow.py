"""The forecast of an event over the API: when it is likely to end, what is slow, what holds the end up."""

from typing import Any

from django.utils import timezone
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournament import access
from tournament.access import Capability
from tournament.api.describing import describes
from tournament.api.door import Door
from tournament.showing.flow import flow_of, flow_shown


class SpanDocument(serializers.Serializer[Any]):
    """An end: four of five fall between `early` and `late`, half before `middle`."""

    early = serializers.DateTimeField()
    middle = serializers.DateTimeField()
    late = serializers.DateTimeField()


class RoundForecastDocument(serializers.Serializer[Any]):
    name = serializers.CharField()
    length = serializers.IntegerField()
    matches = serializers.IntegerField(help_text="Still to be ended; 0 where the round is not paired yet.")
    span = SpanDocument()


class TournamentForecastDocument(serializers.Serializer[Any]):
    name = serializers.CharField()
    slug = serializers.CharField()
    span = SpanDocument(allow_null=True)
    rounds = RoundForecastDocument(many=True)
    why_not = serializers.CharField(help_text="Why nothing can be told; empty otherwise.")


class NamedMatchDocument(serializers.Serializer[Any]):
    pairing = serializers.IntegerField()
    tournament = serializers.CharField()
    round_name = serializers.CharField()
    length = serializers.IntegerField()
    left = serializers.CharField()
    right = serializers.CharField()
    table = serializers.CharField(help_text="Empty where it has none.")


class HoldingUpDocument(serializers.Serializer[Any]):
    match = NamedMatchDocument()
    is_playing = serializers.BooleanField()
    percent = serializers.IntegerField(help_text="Of a hundred forecasts, in how many the end waits for it.")
    span = SpanDocument()


class SlowMatchDocument(serializers.Serializer[Any]):
    match = NamedMatchDocument()
    minutes = serializers.IntegerField()
    points = serializers.IntegerField()
    planned = serializers.IntegerField(help_text="Minutes that these points usually take.")


class ForecastDocument(serializers.Serializer[Any]):
    """`span` is null where nothing is to be played; `tables` where there are as many as needed."""

    at = serializers.DateTimeField()
    span = SpanDocument(allow_null=True)
    tournaments = TournamentForecastDocument(many=True)
    held = HoldingUpDocument(many=True)
    slow = SlowMatchDocument(many=True)
    more_slow = serializers.IntegerField()
    pace = serializers.IntegerField(help_text="Percent of the planned 11 minutes a point of length.")
    learnt_from = serializers.IntegerField(help_text="Matches that have shown their pace.")
    tables = serializers.IntegerField(allow_null=True)
    pause = serializers.IntegerField(help_text="Minutes between two matches of a player.")


class ForecastDoor(Door):
    @describes("forecast_event", {200: ForecastDocument})
    def get(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """When the event is likely to end, what is slow, and what holds the end up."""
        found = access.event_for(self.actor, event, Capability.DESK)
        return Response(ForecastDocument(flow_shown(flow_of(found, timezone.now()))).data)
