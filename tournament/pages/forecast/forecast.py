"""The director's forecast page: likely ends, slow matches, matches that delay the end, and the what-if comparison."""

import hashlib
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.http import parse_etags
from django.utils.translation import get_language

from tournament.access.permissions import Capability
from tournament.pages.director.actions import page
from tournament.pages.director.context import event_context
from tournament.pages.forecast.forms import WhatIfForm
from tournament.queries.forecast.forecast import EventForecast, ForecastPage, forecast_event
from tournament.queries.forecast.forecast import forecast_page as load_page
from tournament.queries.forecast.what_if import compare_ends, round_choices
from tournament.web.one_at_a_time import Work, one_at_a_time

SUBMITTED_FIELD = "pause"
"""Every submitted what-if form has this field."""


@page("GET")
def forecast_page(request: HttpRequest, event: str) -> HttpResponse:
    """With the fields of the what-if form, GET also shows the comparison. Nothing is stored."""
    context = event_context(request, event, Capability.DESK)
    event_forecast = forecast_event(context.event, timezone.now())
    data = load_page(event_forecast)
    form = _form(request, event_forecast)
    more: dict[str, Any] = {
        "forecast": data, "etag": _etag(data), "channels": event_forecast.channels, "form": form,
    }  # fmt: skip
    if form.is_bound and form.is_valid():
        with one_at_a_time(context.actor, Work.WHAT_IF):
            change = form.change(event_forecast.input.moment.pause)
            more["comparisons"] = compare_ends(event_forecast, change)
    return context.render(request, "forecast.html", "forecast", **more)


@page("GET")
def forecast_fragment(request: HttpRequest, event: str) -> HttpResponse:
    """The part of the page that is refreshed automatically; 304 if unchanged."""
    context = event_context(request, event, Capability.DESK)
    event_forecast = forecast_event(context.event, timezone.now())
    data = load_page(event_forecast)
    etag = _etag(data)
    if etag in parse_etags(request.headers.get("If-None-Match", "")):
        response: HttpResponse = HttpResponseNotModified()
    else:
        more = {"forecast": data, "channels": event_forecast.channels}
        response = context.render(request, "forecast_live.html", "forecast", **more)
    response["ETag"] = etag
    return response


@page("GET")
def moved_page(request: HttpRequest, event: str, to: str) -> HttpResponse:
    """Redirects from the former address `flow/`."""
    context = event_context(request, event, Capability.DESK)
    return redirect(to, context.event.slug, permanent=True)


def _form(request: HttpRequest, event_forecast: EventForecast) -> WhatIfForm:
    moment = event_forecast.input.moment
    rounds = round_choices(event_forecast)
    current = {"tables": moment.tables, "pause": round(moment.pause)}
    submitted = request.GET.dict()
    if SUBMITTED_FIELD in submitted:
        lengths = {choice.name: choice.length for choice in rounds}
        twice = [name for name, values in request.GET.lists() if len(values) > 1]
        return WhatIfForm({**current, **lengths, **submitted}, rounds=rounds, twice=twice)
    return WhatIfForm(initial=current, rounds=rounds)


def _etag(data: ForecastPage) -> str:
    digest = hashlib.sha256(repr(data).encode()).hexdigest()[:32]
    return f'W/"{digest}-{get_language()}"'
