"""The forecast of an event over the API: when it is likely to end, what is slow, what holds the end up, and what if."""

from typing import Any

from django.utils import timezone
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.access import permissions
from tournament.access.permissions import Capability
from tournament.api.describing import describes
from tournament.api.views import ApiView
from tournament.brackets.lengths import LONGEST, SHORTEST
from tournament.forecast.moment import PlanChange
from tournament.forecast.open_matches import Part
from tournament.queries.forecast.forecast import Flow, flow_of, flow_shown
from tournament.queries.forecast.what_if import LONGEST_PAUSE, MOST_TABLES, change_of, choices, compared
from tournament.web.one_at_a_time import Work, one_at_a_time


class SpanDocument(serializers.Serializer[Any]):
    """An end: four of five fall between `early` and `late`, half before `middle`."""

    early = serializers.DateTimeField()
    middle = serializers.DateTimeField()
    late = serializers.DateTimeField()


class RoundForecastDocument(serializers.Serializer[Any]):
    name = serializers.CharField()
    length = serializers.IntegerField(allow_null=True, help_text="Null: stake play.")
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
    length = serializers.IntegerField(allow_null=True, help_text="Null: stake play.")
    games = serializers.IntegerField(allow_null=True, help_text="Of each session of stake play.")
    minutes = serializers.IntegerField(allow_null=True, help_text="Of each session of stake play.")
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


class ForecastView(ApiView):
    @describes("forecast_event", {200: ForecastDocument})
    def get(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """When the event is likely to end, what is slow, and what holds the end up."""
        found = permissions.event_for(self.actor, event, Capability.DESK)
        return Response(ForecastDocument(flow_shown(flow_of(found, timezone.now()))).data)


class OpenRoundDocument(serializers.Serializer[Any]):
    """A round of which no match has begun. The first of those still to be paired stands for all that come after it."""

    tournament = serializers.SlugField(source="part.tournament")
    bracket = serializers.CharField(source="part.bracket")
    round = serializers.IntegerField(source="part.round")
    name = serializers.CharField(source="label")
    length = serializers.IntegerField()
    and_later = serializers.BooleanField()


class AsItIsDocument(serializers.Serializer[Any]):
    """What may be thought of otherwise. `tables` is null where there are as many as needed."""

    tables = serializers.IntegerField(allow_null=True)
    pause = serializers.IntegerField(help_text="Minutes between two matches of a player.")
    rounds = OpenRoundDocument(many=True)


class OtherLengthBody(serializers.Serializer[Any]):
    """Another length for a round, named as in the list of what may be thought of otherwise."""

    tournament = serializers.SlugField(max_length=50)
    bracket = serializers.CharField(max_length=40)
    round = serializers.IntegerField(min_value=1, max_value=1000)
    length = serializers.IntegerField(min_value=SHORTEST, max_value=LONGEST)


class WhatIfBody(serializers.Serializer[Any]):
    """What is left out stays as it is; null for `tables` is as many as needed."""

    tables = serializers.IntegerField(min_value=1, max_value=MOST_TABLES, allow_null=True, required=False)
    pause = serializers.IntegerField(min_value=0, max_value=LONGEST_PAUSE, required=False)
    lengths = serializers.ListField(child=OtherLengthBody(), required=False, max_length=200)


class ComparedDocument(serializers.Serializer[Any]):
    """An end `now` and `then`; `name` is empty for the event's own."""

    name = serializers.CharField()
    now = SpanDocument()
    then = SpanDocument()
    earlier = serializers.IntegerField(help_text="Minutes, in steps of five.")
    later = serializers.IntegerField(help_text="Minutes, in steps of five.")


class WhatIfDocument(serializers.Serializer[Any]):
    """The event, then each of several tournaments; empty where nothing is to be played."""

    compared = ComparedDocument(many=True)


class WhatIfView(ApiView):
    """Nothing is changed by asking."""

    @describes("list_what_may_be_thought_of", {200: AsItIsDocument})
    def get(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Tables, pause and the lengths of rounds that have not begun, as they are."""
        found = self._flow(event)
        moment = found.known.moment
        told = {"tables": moment.tables, "pause": round(moment.pause), "rounds": choices(found)}
        return Response(AsItIsDocument(told).data)

    @describes("ask_what_if", {200: WhatIfDocument}, 409, request=WhatIfBody)
    def post(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """The likely ends as they are, and as they would be with other lengths, tables or pauses."""
        found = self._flow(event)
        change = _change(found, self.read(WhatIfBody))
        with one_at_a_time(self.actor, Work.WHAT_IF):
            return Response(WhatIfDocument({"compared": compared(found, change)}).data)

    def _flow(self, event: str) -> Flow:
        return flow_of(permissions.event_for(self.actor, event, Capability.DESK), timezone.now())


def _change(found: Flow, body: dict[str, Any]) -> PlanChange:
    moment = found.known.moment
    lengths = [
        (Part(one["tournament"], one["bracket"], one["round"]), one["length"])
        for one in body.get("lengths", ())
    ]
    return change_of(found, lengths, body.get("tables", moment.tables), body.get("pause", moment.pause))
