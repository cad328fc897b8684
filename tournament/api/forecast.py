"""API views of an event's forecast: likely ends, slow matches, matches that delay the end, and what-if."""

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
from tournament.forecast.pauses import LONGEST_PAUSE
from tournament.queries.forecast.forecast import (
    EventForecast,
    TournamentForecast,
    forecast_event,
    forecast_page,
)
from tournament.queries.forecast.what_if import MOST_TABLES, compare_ends, plan_change, round_choices
from tournament.web.one_at_a_time import Work, one_at_a_time
from tournament.web.sentences import refusal_sentence


class SpanDocument(serializers.Serializer[Any]):
    """An end: four of five forecasts end between `early` and `late`, half of them before `middle`."""

    early = serializers.DateTimeField()
    middle = serializers.DateTimeField()
    late = serializers.DateTimeField()


class RoundForecastDocument(serializers.Serializer[Any]):
    name = serializers.CharField()
    length = serializers.IntegerField(allow_null=True, help_text="Null: stake play.")
    matches = serializers.IntegerField(
        help_text="Matches that are not over; 0 if the round is not paired yet."
    )
    span = SpanDocument()


class TournamentForecastDocument(serializers.Serializer[Any]):
    name = serializers.CharField()
    slug = serializers.CharField()
    span = SpanDocument(allow_null=True)
    rounds = RoundForecastDocument(many=True)
    why_not = serializers.SerializerMethodField(help_text="Why there is no forecast; otherwise empty.")

    def get_why_not(self, forecast: TournamentForecast) -> str:
        return refusal_sentence(forecast.why_not) if forecast.why_not else ""


class NamedMatchDocument(serializers.Serializer[Any]):
    pairing = serializers.IntegerField()
    tournament = serializers.CharField()
    round_name = serializers.CharField()
    length = serializers.IntegerField(allow_null=True, help_text="Null: stake play.")
    games = serializers.IntegerField(allow_null=True, help_text="Of each session of stake play.")
    minutes = serializers.IntegerField(allow_null=True, help_text="Of each session of stake play.")
    left = serializers.CharField()
    right = serializers.CharField()
    table = serializers.CharField(help_text="Empty if it has none.")


class DelayingMatchDocument(serializers.Serializer[Any]):
    match = NamedMatchDocument()
    is_playing = serializers.BooleanField()
    percent = serializers.IntegerField(
        help_text="Percentage of forecasts in which this match delays the end."
    )
    span = SpanDocument()


class SlowMatchDocument(serializers.Serializer[Any]):
    match = NamedMatchDocument()
    minutes = serializers.IntegerField()
    points = serializers.IntegerField()
    planned = serializers.IntegerField(help_text="Minutes that these points usually take.")


class ForecastDocument(serializers.Serializer[Any]):
    """`span` is null if nothing is left to play. `tables` is null if there are as many as needed."""

    at = serializers.DateTimeField()
    span = SpanDocument(allow_null=True)
    tournaments = TournamentForecastDocument(many=True)
    held = DelayingMatchDocument(many=True)
    slow = SlowMatchDocument(many=True)
    more_slow = serializers.IntegerField()
    pace = serializers.IntegerField(help_text="Percent of the planned 11 minutes per point of length.")
    learnt_from = serializers.IntegerField(help_text="Number of matches from which the pace was measured.")
    tables = serializers.IntegerField(allow_null=True)
    pause = serializers.IntegerField(help_text="Minutes between two matches of a player.")


class ForecastView(ApiView):
    @describes("forecast_event", {200: ForecastDocument})
    def get(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Returns the likely end of the event, slow matches, and matches that delay the end."""
        row = permissions.event_for(self.actor, event, Capability.DESK)
        return Response(ForecastDocument(forecast_page(forecast_event(row, timezone.now()))).data)


class OpenRoundDocument(serializers.Serializer[Any]):
    """A round of which no match has begun. The first unpaired round also represents all later rounds."""

    tournament = serializers.SlugField(source="part.tournament")
    bracket = serializers.CharField(source="part.bracket")
    round = serializers.IntegerField(source="part.round")
    name = serializers.CharField(source="label")
    length = serializers.IntegerField()
    and_later = serializers.BooleanField()


class CurrentPlanDocument(serializers.Serializer[Any]):
    """The values that a what-if can change. `tables` is null if there are as many as needed."""

    tables = serializers.IntegerField(allow_null=True)
    pause = serializers.IntegerField(help_text="Minutes between two matches of a player.")
    rounds = OpenRoundDocument(many=True)


class OtherLengthBody(serializers.Serializer[Any]):
    """A new length for a round. Take the names of the round from the list of values that can be changed."""

    tournament = serializers.SlugField(max_length=50)
    bracket = serializers.CharField(max_length=40)
    round = serializers.IntegerField(min_value=1, max_value=1000)
    length = serializers.IntegerField(min_value=SHORTEST, max_value=LONGEST)


class WhatIfBody(serializers.Serializer[Any]):
    """Missing values stay unchanged. `tables` null: as many as needed."""

    tables = serializers.IntegerField(min_value=1, max_value=MOST_TABLES, allow_null=True, required=False)
    pause = serializers.IntegerField(min_value=0, max_value=LONGEST_PAUSE, required=False)
    lengths = serializers.ListField(child=OtherLengthBody(), required=False, max_length=200)


class ComparedDocument(serializers.Serializer[Any]):
    """An end without the change (`now`) and with it (`then`). `name` is empty for the whole event."""

    name = serializers.CharField()
    now = SpanDocument()
    then = SpanDocument()
    earlier = serializers.IntegerField(help_text="Minutes, in steps of five.")
    later = serializers.IntegerField(help_text="Minutes, in steps of five.")


class WhatIfDocument(serializers.Serializer[Any]):
    """The event, then each of several tournaments. Empty if nothing is left to play."""

    compared = ComparedDocument(many=True)


class WhatIfView(ApiView):
    @describes("list_what_may_be_thought_of", {200: CurrentPlanDocument})
    def get(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Returns the number of tables, the pause, and the lengths of rounds that have not begun."""
        event_forecast = self._forecast(event)
        moment = event_forecast.input.moment
        plan = {
            "tables": moment.tables,
            "pause": round(moment.pause),
            "rounds": round_choices(event_forecast),
        }
        return Response(CurrentPlanDocument(plan).data)

    @describes("ask_what_if", {200: WhatIfDocument}, 409, request=WhatIfBody)
    def post(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Compares the likely ends with those after a change of lengths, tables or the pause. Stores nothing."""
        event_forecast = self._forecast(event)
        change = _change(event_forecast, self.read(WhatIfBody))
        with one_at_a_time(self.actor, Work.WHAT_IF):
            return Response(WhatIfDocument({"compared": compare_ends(event_forecast, change)}).data)

    def _forecast(self, event: str) -> EventForecast:
        return forecast_event(permissions.event_for(self.actor, event, Capability.DESK), timezone.now())


def _change(event_forecast: EventForecast, body: dict[str, Any]) -> PlanChange:
    moment = event_forecast.input.moment
    lengths = [
        (Part(item["tournament"], item["bracket"], item["round"]), item["length"])
        for item in body.get("lengths", ())
    ]
    return plan_change(
        event_forecast, lengths, body.get("tables", moment.tables), body.get("pause", moment.pause)
    )
