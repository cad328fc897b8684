"""The set-up page of a room: tables, reserved tables, pins, and the settings of calls."""

import uuid
from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import messages
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from tournament.access.permissions import Capability
from tournament.models import Room
from tournament.pages.director.actions import attempt, page, redirect_back, run, submit
from tournament.pages.director.context import DirectorContext, event_context
from tournament.pages.room.forms import AddTablesForm, CallingForm, PinForm, TableForm
from tournament.queries.room.tables import (
    TableInPool,
    pin_of_event,
    room_of_event,
    table_of_event,
    table_pool,
)
from tournament.room import table_undo, tables
from tournament.runtime.errors import NotFound


@page("GET", "POST")
def tables_page(request: HttpRequest, event: str) -> HttpResponse:
    """GET shows the tables; POST adds tables."""
    context = event_context(request, event, Capability.DIRECT)
    form = AddTablesForm(request.POST or None)
    if request.method == "POST":
        batch = uuid.uuid4()
        done = submit(
            form, lambda: tables.add(context.event.pk, form.cleaned_data["names"], context.actor, batch)
        )
        if done is not None:
            count = len(done.value)
            sentence = ngettext("{count} table is added.", "{count} tables are added.", count)
            _report_change(request, event, batch, sentence.format(count=count), count)
            return redirect("tables", event)
    return _render(request, context, {"form": form})


@page("POST")
def calling(request: HttpRequest, event: str) -> HttpResponse:
    """Saves the settings of calls: automatic calls, and the minutes until a second call is due."""
    context = event_context(request, event, Capability.DIRECT)
    form = CallingForm(request.POST)
    values = form.cleaned_data if form.is_valid() else {}
    if submit(form, lambda: tables.set_calling(context.event.pk, context.actor, **values)) is None:
        return _render(request, context, {"calling_form": form})
    messages.success(request, _("The settings for calls are saved."))
    return redirect("tables", event)


@page("POST")
def tables_save(request: HttpRequest, event: str) -> HttpResponse:
    """Saves all rows of the page at once. A row that the page did not have is not changed."""
    context = event_context(request, event, Capability.DIRECT)
    rows = [
        (table, _row_form(table, request.POST))
        for table in table_pool(context.event)
        if f"{_prefix(table)}-name" in request.POST
    ]
    if any(form.errors for _table, form in rows):
        messages.error(request, gettext("Not saved. Fix the marked tables."))
        return _render(request, context, {"row_forms": rows}, status=422)
    plans = {table.id: form.plan() for table, form in rows}
    batch = uuid.uuid4()
    done = attempt(request, lambda: tables.change_many(context.event.pk, plans, context.actor, batch))
    if done is None:
        return _render(request, context, {"row_forms": rows}, status=422)
    sentence = ngettext("{count} table changed.", "{count} tables changed.", done.value)
    sentence = sentence.format(count=done.value) if done.value else gettext("Nothing to change.")
    _report_change(request, event, batch, sentence, done.value)
    return redirect("tables", event)


@page("POST")
def tables_undo(request: HttpRequest, event: str, batch: uuid.UUID) -> HttpResponse:
    """Undoes the adding, changing or removing of tables with this id."""
    context = event_context(request, event, Capability.DIRECT)
    sentence = gettext("Undone: the tables are as before.")
    run(request, lambda: table_undo.undo(context.event.pk, batch, context.actor), sentence)
    return redirect_back(request, "tables", event)


@page("POST")
def table_action(request: HttpRequest, event: str, table: int, action: str) -> HttpResponse:
    """Closes, opens or removes one table."""
    context = event_context(request, event, Capability.DIRECT)
    row = table_of_event(context.event, table)
    if action == "remove":
        batch = uuid.uuid4()
        if attempt(request, lambda: tables.remove(row, context.actor, batch)) is not None:
            _report_change(request, event, batch, gettext("The table is removed."), 1)
    elif action in ACTIONS:
        work, message, opposite = ACTIONS[action]
        undo = reverse("table-action", args=[event, table, opposite])
        run(request, lambda: work(row, context.actor), str(message), undo=undo)
    else:
        raise NotFound
    return redirect_back(request, "tables", event)


def _report_change(request: HttpRequest, event: str, batch: uuid.UUID, sentence: str, count: int) -> None:
    undo = reverse("tables-undo", args=[event, batch]) if count else ""
    messages.success(request, sentence, extra_tags=undo)


def _prefix(table: TableInPool) -> str:
    return f"t{table.id}"


def _row_form(table: TableInPool, sent: QueryDict | None = None) -> TableForm:
    initial = {
        "name": table.name,
        "note": table.note,
        "is_reserved": table.is_reserved,
        "position": table.number,
    }
    return TableForm(sent, prefix=_prefix(table), initial=initial)


@page("POST")
def pin_new(request: HttpRequest, event: str) -> HttpResponse:
    context = event_context(request, event, Capability.DIRECT)
    room = room_of_event(context.event)
    form = PinForm(request.POST, event=context.event, room=room)
    values = form.cleaned_data if form.is_valid() else {}
    done = submit(form, lambda: tables.pin(values["table"], form.holder, values["reason"], context.actor))
    if done is None:
        return _render(request, context, {"pin_form": form})
    messages.success(request, _("Pinned."))
    return redirect("tables", event)


@page("POST")
def pin_remove(request: HttpRequest, event: str, pin: int) -> HttpResponse:
    context = event_context(request, event, Capability.DIRECT)
    row = pin_of_event(context.event, pin)
    run(request, lambda: tables.unpin(row, context.actor), gettext("The pin is removed."))
    return redirect("tables", event)


ACTIONS: Mapping[str, tuple[Callable[..., object], Promise, str]] = {
    "close": (tables.close, _("The table is closed. A match at it continues."), "open"),
    "open": (tables.reopen, _("The table is open."), "close"),
}
"""For each action: the work, the message, and the action that undoes it."""


def _render(
    request: HttpRequest, context: DirectorContext, forms: Mapping[str, object], status: int = 200
) -> HttpResponse:
    room = room_of_event(context.event)
    variables: dict[str, Any] = {
        "form": AddTablesForm(),
        "calling_form": CallingForm(initial=_calling_initial(room)),
        "pin_form": PinForm(event=context.event, room=room),
        **forms,
    }
    if "row_forms" not in variables:
        variables["row_forms"] = [(table, _row_form(table)) for table in table_pool(context.event)]
    response = context.render(request, "tables.html", "tables", **variables)
    if status != response.status_code:
        response.status_code = status
    if any(isinstance(form, BaseForm) and form.errors for form in forms.values()):
        response.status_code = 422
    return response


def _calling_initial(room: Room | None) -> dict[str, object]:
    settings = room or Room()
    return {"by_itself": settings.auto_call, "second_call_after": settings.second_call_after}
