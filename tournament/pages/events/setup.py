"""The director's pages of an event: creation, details and the overview with the next step."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from tournament.access import account_permissions, permissions
from tournament.access.actors import Actor
from tournament.access.permissions import Capability
from tournament.events import setup
from tournament.live.channels import event_channel
from tournament.pages.director.actions import page, status_of, submit
from tournament.pages.director.context import event_context
from tournament.pages.disputes.forms import PictureForm
from tournament.pages.events.forms import EventForm, VisibilityForm
from tournament.pages.phones.address import secret_address
from tournament.queries.events.events import last_owned_event, owned_events
from tournament.queries.events.overview import event_overview
from tournament.queries.next_steps import StepCode, next_steps
from tournament.runtime import storage_quota
from tournament.web.request import actor_of

MOST_SOURCES = 5


@page("GET", "POST")
def event_new(request: HttpRequest) -> HttpResponse:
    actor = actor_of(request)
    account_permissions.require_event_right(actor)
    form = EventForm(request.POST or None, initial=_initial_values(actor))
    if request.method == "POST":
        done = submit(form, lambda: setup.create_event(form.plan(), actor))
        if done is not None:
            messages.success(request, _("Event created. Next: add a tournament."))
            return redirect("tournament-new", done.value.slug)
    context = {"form": form, "sources": owned_events(permissions.roles_by_event(actor))[:MOST_SOURCES]}
    return render(request, "director/event_new.html", context, status=status_of(form))


@page("GET", "POST")
def event_edit(request: HttpRequest, event: str) -> HttpResponse:
    context = event_context(request, event, Capability.DIRECT)
    stored = {name: getattr(context.event, name) for name in setup.EVENT_FIELDS}
    form = EventForm(request.POST or None, initial=stored)
    if request.method == "POST" and submit(
        form, lambda: setup.change_event(context.event, form.plan(), context.actor)
    ):
        messages.success(request, _("The event has been changed."))
        return redirect("event-overview", event)
    return context.render(
        request,
        "event_edit.html",
        "edit",
        form=form,
        logo_form=PictureForm(),
        visibility_form=VisibilityForm(initial={"visibility": context.event.visibility}),
        secret_address=secret_address(request, context.event, reverse("event", args=[event])),
        may_copy=account_permissions.may_create_events(context.actor),
    )


@page("GET")
def overview(request: HttpRequest, event: str) -> HttpResponse:
    context = event_context(request, event, Capability.DESK)
    visible = permissions.visible_tournaments(context.actor, context.event)
    tournaments = [row for row in visible if row.archived_at is None]
    summaries = event_overview(context.event, tournaments)
    steps = next_steps(tournaments)
    return context.render(
        request,
        "overview.html",
        "overview",
        overview=summaries,
        panels=[(summary, steps[summary.tournament.pk]) for summary in summaries.tournaments],
        is_over=all(step.code == StepCode.RESULTS for step in steps.values()),
        archived=[row for row in visible if row.archived_at is not None],
        event_channel=event_channel(context.event.pk),
        is_nearly_full=storage_quota.is_nearly_full(context.event),
    )


def _initial_values(actor: Actor) -> dict[str, Any]:
    """Returns today's date, and the time zone and venue of the director's last own event."""
    last_event = last_owned_event(actor)
    today = {"starts_on": timezone.localdate()}
    if last_event is None:
        return {**today, "time_zone": "UTC"}
    return {**today, "venue": last_event.venue, "time_zone": last_event.time_zone}
