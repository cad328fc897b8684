"""The page of a tournament's fees."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from tournament.access.permissions import Capability
from tournament.ledger.charging import schedule_of
from tournament.money.fees import FeeChange, preview_schedule, set_schedule
from tournament.pages.director.actions import page, submit
from tournament.pages.director.context import tournament_context
from tournament.pages.money.fee_forms import FeesForm, example_of, schedule_as_fields


@page("GET", "POST")
def fees(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    """Saves at once if nobody was charged another amount; else shows who was, and saves when that is confirmed."""
    context = tournament_context(request, event, tournament, Capability.DIRECT)
    row, present = context.tournament, schedule_of(context.tournament)
    initial = schedule_as_fields(present) if present else {"currency": "EUR"}
    form = FeesForm(request.POST or None, initial=initial)
    change: FeeChange | None = None
    if request.method == "POST" and form.is_valid() and form.schedule is not None:
        schedule = form.schedule
        change = preview_schedule(row, schedule)
        is_confirmed = present is None or request.POST.get("confirmed") == change.digest
        if (is_confirmed or not change.differences) and submit(
            form, lambda: set_schedule(row.pk, schedule, context.actor)
        ):
            messages.success(request, _("Fees saved. Every entry is charged by them."))
            return redirect("fees", *context.slugs)
    shown = form.schedule or present
    return context.render(
        request,
        "fees.html",
        "setup",
        form=form,
        change=change,
        example=example_of(shown) if shown else [],
    )
