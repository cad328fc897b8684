"""The director's pages of an event: creation, details and the overview with the next step."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from tournament.access import account_permissions, permissions
from tournament.access.actors import Actor
from tournament.access.permissions import Capability
from tournament.events import closing, setup
from tournament.live.channels import event_channel
from tournament.models import Visibility
from tournament.pages.director.actions import page, run, status_of, submit
from tournament.pages.director.context import event_context
from tournament.pages.events.forms import EventForm
from tournament.queries.events.events import last_owned_event
from tournament.queries.events.overview import event_overview
from tournament.runtime import storage_quota
from tournament.runtime.errors import NotFound
from tournament.web.request import actor_of


@page("GET", "POST")
def event_new(request: HttpRequest) -> HttpResponse:
    actor = actor_of(request)
    account_permissions.require_event_right(actor)
    form = EventForm(request.POST or None, initial=_initial_values(actor))
    if request.method == "POST":
        done = submit(form, lambda: setup.create_event(form.plan(), actor, Visibility.PUBLIC))
        if done is not None:
            messages.success(request, _("The event is there. Now add a tournament to it."))
            return redirect("tournament-new", done.value.slug)
    return render(request, "director/event_new.html", {"form": form}, status=status_of(form))


@page("GET", "POST")
def event_edit(request: HttpRequest, event: str) -> HttpResponse:
    context = event_context(request, event, Capability.DIRECT)
    names = ("name", "starts_on", "venue", "time_zone", "is_indexed", "shows_initials")
    form = EventForm(request.POST or None, initial={name: getattr(context.event, name) for name in names})
    if request.method == "POST" and submit(
        form, lambda: setup.change_event(context.event, form.plan(), context.actor)
    ):
        messages.success(request, _("The event is changed."))
        return redirect("event-overview", event)
    return context.render(request, "event_edit.html", "edit", form=form)


@page("POST")
def event_action(request: HttpRequest, event: str, action: str) -> HttpResponse:
    """Closes the event, which disables its links, or reopens it."""
    context = event_context(request, event, Capability.OWN)
    if action == "close":
        success = _("The event is closed. Links of players and screens no longer work.")
        run(request, lambda: closing.close(context.event, context.actor), success)
    elif action == "reopen":
        success = _("The event is open again. Links work that were not revoked.")
        run(request, lambda: closing.reopen(context.event, context.actor), success)
    else:
        raise NotFound
    return redirect("event-edit", event)


@page("GET")
def overview(request: HttpRequest, event: str) -> HttpResponse:
    context = event_context(request, event, Capability.DESK)
    return context.render(
        request,
        "overview.html",
        "overview",
        overview=event_overview(context.event, permissions.visible_tournaments(context.actor, context.event)),
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
