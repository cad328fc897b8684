"""Sets the room up: the pool of tables, reserved ones, pins, and how matches are called."""

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import messages
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournament.access.permissions import Capability
from tournament.models import Pin, Room, Table
from tournament.pages.director.actions import page, run, submit
from tournament.pages.director.context import DirectorContext, event_context
from tournament.pages.room.forms import AddTablesForm, CallingForm, PinForm, TableForm
from tournament.queries.room.tables import pool_shown
from tournament.room import tables
from tournament.room.tables import TablePlan
from tournament.runtime.errors import NotFound


@page("GET", "POST")
def table_pool(request: HttpRequest, event: str) -> HttpResponse:
    """GET shows the pool; POST adds tables to it."""
    context = event_context(request, event, Capability.DIRECT)
    form = AddTablesForm(request.POST or None)
    if request.method == "POST":
        done = submit(form, lambda: tables.add(context.event.pk, form.cleaned_data["names"], context.actor))
        if done is not None:
            messages.success(request, gettext("{count} tables are added.").format(count=len(done.value)))
            return redirect("tables", event)
    return _shown(request, context, {"form": form})


@page("POST")
def calling(request: HttpRequest, event: str) -> HttpResponse:
    """Whether free tables are given by themselves, and when a second call is due."""
    context = event_context(request, event, Capability.DIRECT)
    form = CallingForm(request.POST)
    said = form.cleaned_data if form.is_valid() else {}
    if submit(form, lambda: tables.set_calling(context.event.pk, context.actor, **said)) is None:
        return _shown(request, context, {"calling_form": form})
    messages.success(request, _("Calling is set."))
    return redirect("tables", event)


@page("POST")
def table_action(request: HttpRequest, event: str, table: int, action: str) -> HttpResponse:
    """Saves, closes, opens or removes one table."""
    context = event_context(request, event, Capability.DIRECT)
    row = Table.objects.select_related("room").filter(pk=table, room__event=context.event).first()
    if row is None or action not in ("save", *DEEDS):
        raise NotFound
    if action == "save":
        form = TableForm(request.POST)
        plan = form.plan() if form.is_valid() else TablePlan("")
        run(request, lambda: tables.change(row, plan, context.actor), gettext("The table is changed."))
    else:
        deed, said = DEEDS[action]
        run(request, lambda: deed(row, context.actor), str(said))
    return redirect("tables", event)


@page("POST")
def pin_new(request: HttpRequest, event: str) -> HttpResponse:
    """Pins a player or a match of this event to a table."""
    context = event_context(request, event, Capability.DIRECT)
    room = Room.objects.filter(event=context.event).first()
    form = PinForm(request.POST, event=context.event, room=room)
    said = form.cleaned_data if form.is_valid() else {}
    done = submit(form, lambda: tables.pin(said["table"], form.held, said["reason"], context.actor))
    if done is None:
        return _shown(request, context, {"pin_form": form})
    messages.success(request, _("Pinned."))
    return redirect("tables", event)


@page("POST")
def pin_remove(request: HttpRequest, event: str, pin: int) -> HttpResponse:
    context = event_context(request, event, Capability.DIRECT)
    found = Pin.objects.select_related("table__room").filter(pk=pin, table__room__event=context.event).first()
    if found is None:
        raise NotFound
    run(request, lambda: tables.unpin(found, context.actor), gettext("The pin is lifted."))
    return redirect("tables", event)


DEEDS: Mapping[str, tuple[Callable[..., object], Promise]] = {
    "close": (tables.close, _("The table is closed; who sits there plays on.")),
    "open": (tables.reopen, _("The table is open.")),
    "remove": (tables.remove, _("The table is removed.")),
}


def _shown(request: HttpRequest, context: DirectorContext, forms: Mapping[str, object]) -> HttpResponse:
    room = Room.objects.filter(event=context.event).first()
    more: dict[str, Any] = {
        "form": AddTablesForm(),
        "calling_form": CallingForm(initial=_calling_initial(room)),
        "pin_form": PinForm(event=context.event, room=room),
        "pool": pool_shown(context.event),
        **forms,
    }
    response = context.render(request, "tables.html", "tables", **more)
    if any(isinstance(form, BaseForm) and form.errors for form in forms.values()):
        response.status_code = 422
    return response


def _calling_initial(room: Room | None) -> dict[str, object]:
    kept = room or Room()
    return {"by_itself": kept.auto_call, "second_call_after": kept.second_call_after}
