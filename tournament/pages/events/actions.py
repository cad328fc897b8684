"""Actions on an event: publish, hide, copy, archive, delete; and the bin, which undoes a deletion."""

import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.access import account_permissions, permissions
from tournament.access.permissions import Capability
from tournament.events import closing, copying, recycle_bin, visibility
from tournament.models import Event, Visibility
from tournament.pages.director.actions import page, run, submit
from tournament.pages.director.context import DirectorContext, event_context
from tournament.pages.events.forms import CopyForm, VisibilityForm
from tournament.queries.events.recycle_bin import (
    deleted_event,
    deleted_events,
    deleted_tournament,
    deleted_tournaments,
)
from tournament.runtime.errors import NotFound
from tournament.web.error_pages import referring_page
from tournament.web.request import actor_of

VISIBLE = {
    Visibility.PRIVATE: gettext_lazy("The event is private. Only its staff and its players see it."),
    Visibility.BY_LINK: gettext_lazy("Visitors need the secret address. Copy it below."),
    Visibility.PUBLIC: gettext_lazy("The event is public. Everybody can see it."),
}


@page("POST")
def event_action(request: HttpRequest, event: str, action: str) -> HttpResponse:
    """Changes who sees the event, makes a new secret address, archives, takes out of the archive, or deletes."""
    needed = {"visibility": Capability.DIRECT, "new-key": Capability.DIRECT}
    context = event_context(request, event, needed.get(action, Capability.OWN))
    if action not in ACTIONS:
        raise NotFound
    return ACTIONS[action](request, context)


def _set_visibility(request: HttpRequest, context: DirectorContext) -> HttpResponse:
    form = VisibilityForm(request.POST if "visibility" in request.POST else request.GET)
    if not form.is_valid():
        raise NotFound
    chosen, before = form.chosen(), context.event.visibility
    run(
        request,
        lambda: visibility.set_visibility(context.event, chosen, context.actor),
        str(VISIBLE[chosen]),
        undo=f"{request.path}?visibility={before}" if chosen != before else "",
    )
    back = referring_page(request) if request.POST.get("then") == "stay" else ""
    return redirect(back or f"{reverse('event-edit', args=[context.event.slug])}#visibility")


def _make_new_key(request: HttpRequest, context: DirectorContext) -> HttpResponse:
    success = _("There is a new secret address. The old one stopped working.")
    run(request, lambda: visibility.make_new_key(context.event, context.actor), success)
    return redirect(f"{reverse('event-edit', args=[context.event.slug])}#visibility")


def _close(request: HttpRequest, context: DirectorContext) -> HttpResponse:
    success = _("The event is in the archive. Links of players and screens no longer work.")
    undo = reverse("event-action", args=[context.event.slug, "reopen"])
    run(request, lambda: closing.close(context.event, context.actor), success, undo=undo)
    return redirect("event-edit", context.event.slug)


def _reopen(request: HttpRequest, context: DirectorContext) -> HttpResponse:
    success = _("The event is out of the archive. Links work again, except revoked ones.")
    run(request, lambda: closing.reopen(context.event, context.actor), success)
    return redirect("event-edit", context.event.slug)


def _delete(request: HttpRequest, context: DirectorContext) -> HttpResponse:
    """Asks first if money is not settled; `with_money` is the answer."""
    with_money, money = "with_money" in request.POST, recycle_bin.open_money(context.event)
    if money and not with_money:
        return context.render(request, "event_delete.html", "edit", money=money)
    success = _("“{name}” is in the bin. It is removed for good in 30 days.").format(name=context.event.name)
    undo = reverse("bin-event", args=[context.event.pk, "restore"])
    run(
        request,
        lambda: recycle_bin.delete_event(context.event, context.actor, with_money=with_money),
        success,
        undo=undo,
    )
    return redirect("home")


ACTIONS: dict[str, Callable[[HttpRequest, DirectorContext], HttpResponse]] = {
    "visibility": _set_visibility,
    "new-key": _make_new_key,
    "close": _close,
    "reopen": _reopen,
    "delete": _delete,
}


@page("GET", "POST")
def event_copy(request: HttpRequest, event: str) -> HttpResponse:
    """Creates an event from this one, with another first day."""
    context = event_context(request, event, Capability.DIRECT)
    account_permissions.require_event_right(context.actor)
    form = CopyForm(request.POST or None, initial=_initial_copy(context.event))
    if request.method == "POST":
        done = submit(
            form, lambda: copying.copy_event(context.event, form.plan(context.event), context.actor)
        )
        if done is not None:
            messages.success(request, _("Event copied. Check its details, then publish it."))
            return redirect("event-overview", done.value.slug)
    return context.render(request, "event_copy.html", "edit", form=form)


def _initial_copy(event: Event) -> dict[str, Any]:
    """The day is the next one on the same weekday: most copies are of a weekly event."""
    weeks = max(1, -(-(timezone.localdate() - event.starts_on).days // 7))
    return {"name": event.name, "venue": event.venue, "starts_on": event.starts_on + timedelta(weeks=weeks)}


@page("GET")
def bin_page(request: HttpRequest) -> HttpResponse:
    """Lists what the signed-in user may take out of the bin."""
    actor = actor_of(request)
    permissions.require_user(actor)
    context = {
        "events": deleted_events(actor),
        "tournaments": deleted_tournaments(actor),
        "retention": recycle_bin.RETENTION,
    }
    return render(request, "director/bin.html", context)


@page("POST")
def bin_event(request: HttpRequest, event: uuid.UUID, action: str) -> HttpResponse:
    """Restores a deleted event, or removes it for good."""
    actor = actor_of(request)
    permissions.require_user(actor)
    row = deleted_event(actor, event)
    if action == "restore":
        success = _("“{name}” is back as it was.").format(name=row.name)
        run(request, lambda: recycle_bin.restore_event(row, actor), success)
        return redirect("event-overview", row.slug)
    if action != "remove":
        raise NotFound
    success = _("“{name}” is removed for good.").format(name=row.name)
    run(request, lambda: recycle_bin.remove_event(row), success)
    return redirect("bin")


@page("POST")
def bin_tournament(request: HttpRequest, tournament: uuid.UUID, action: str) -> HttpResponse:
    """Restores a deleted tournament, or removes it for good."""
    actor = actor_of(request)
    permissions.require_user(actor)
    row = deleted_tournament(actor, tournament)
    if action == "restore":
        success = _("“{name}” is back as it was.").format(name=row.name)
        run(request, lambda: recycle_bin.restore_tournament(row, actor), success)
        return redirect("tournament-edit", row.event.slug, row.slug)
    if action != "remove":
        raise NotFound
    success = _("“{name}” is removed for good.").format(name=row.name)
    run(request, lambda: recycle_bin.remove_tournament(row), success)
    return redirect("bin")
