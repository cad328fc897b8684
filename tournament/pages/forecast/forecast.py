"""The flow monitor's page: when everything is likely to end, what is slow, what holds the end up, and what if."""

import hashlib
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils import timezone
from django.utils.http import parse_etags
from django.utils.translation import get_language

from tournament.access.permissions import Capability
from tournament.pages.director.actions import page
from tournament.pages.director.context import event_context
from tournament.pages.forecast.forms import WhatIfForm
from tournament.queries.forecast.forecast import Flow, FlowShown, flow_of, flow_shown
from tournament.queries.forecast.what_if import choices, compared
from tournament.web.one_at_a_time import Work, one_at_a_time

ASKED = "pause"
"""A field that every what-if has."""


@page("GET")
def flow(request: HttpRequest, event: str) -> HttpResponse:
    """GET with the fields of a what-if shows both ends side by side; nothing is kept."""
    context = event_context(request, event, Capability.DESK)
    found = flow_of(context.event, timezone.now())
    shown = flow_shown(found)
    form = _form(request, found)
    more: dict[str, Any] = {"flow": shown, "etag": _etag(shown), "listens": found.listens, "form": form}
    if form.is_bound and form.is_valid():
        with one_at_a_time(context.actor, Work.WHAT_IF):
            more["compared"] = compared(found, form.change(found.known.moment.pause))
    return context.render(request, "flow.html", "flow", **more)


@page("GET")
def flow_fragment(request: HttpRequest, event: str) -> HttpResponse:
    """The part of the page that changes; 304 while it says the same."""
    context = event_context(request, event, Capability.DESK)
    found = flow_of(context.event, timezone.now())
    shown = flow_shown(found)
    etag = _etag(shown)
    if etag in parse_etags(request.headers.get("If-None-Match", "")):
        response: HttpResponse = HttpResponseNotModified()
    else:
        response = context.render(request, "flow_live.html", "flow", flow=shown, listens=found.listens)
    response["ETag"] = etag
    return response


def _form(request: HttpRequest, found: Flow) -> WhatIfForm:
    moment = found.known.moment
    rounds = choices(found)
    as_it_is = {"tables": moment.tables, "pause": round(moment.pause)}
    asked = request.GET.dict()
    if ASKED in asked:
        lengths = {one.name: one.length for one in rounds}
        twice = [name for name, values in request.GET.lists() if len(values) > 1]
        return WhatIfForm({**as_it_is, **lengths, **asked}, rounds=rounds, twice=twice)
    return WhatIfForm(initial=as_it_is, rounds=rounds)


def _etag(shown: FlowShown) -> str:
    said = hashlib.sha256(repr(shown).encode()).hexdigest()[:32]
    return f'W/"{said}-{get_language()}"'
