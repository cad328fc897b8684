"""The page of a tournament's fees."""

from dataclasses import replace

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from tournament.access.permissions import Capability
from tournament.fees.amounts import current_currencies
from tournament.fees.schedule import FeeSchedule
from tournament.ledger.charging import schedule_of
from tournament.money.fees import FeeChange, preview_schedule, set_schedule
from tournament.pages.director.actions import page
from tournament.pages.director.context import tournament_context
from tournament.pages.money.amount_fields import DEFAULT_CURRENCY
from tournament.pages.money.fee_confirmation import save_fees
from tournament.pages.money.fee_examples import examples_of, templates
from tournament.pages.money.fee_forms import FeesForm, pools_to_offer, schedule_as_fields
from tournament.queries.money.fee_changes import prize_changes


@page("GET", "POST")
def fees(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    """Saves at once if nobody was charged another amount; else shows who was, and saves when that is confirmed.

    `preview` shows examples of what is written, and saves nothing. `?template=` fills the form to start from.
    """
    context = tournament_context(request, event, tournament, Capability.DIRECT)
    row, present = context.tournament, schedule_of(context.tournament)
    start = _template(request, present) or present
    initial = schedule_as_fields(start) if start else {"currency": DEFAULT_CURRENCY}
    pools = max(pools_to_offer(start), sum(name.startswith("pool_name_") for name in request.POST))
    form = FeesForm(request.POST or None, initial=initial, pools=pools, stored=present)
    change: FeeChange | None = None
    is_preview = "preview" in request.POST
    if request.method == "POST" and form.is_valid() and form.schedule is not None and not is_preview:
        schedule = replace(form.schedule, refunds=present.refunds if present else ())
        change = save_fees(
            form,
            request.POST.get("confirmed", ""),
            lambda digest: set_schedule(row.pk, schedule, context.actor, digest, keeps_refunds=True),
            lambda: preview_schedule(row, schedule),
        )
        if change is None and form.is_valid():
            messages.success(request, _("Fees saved. Each entry is charged."))
            return redirect("fees", *context.slugs)
    shown = form.schedule or start
    return context.render(
        request,
        "fees.html",
        "setup",
        form=form,
        change=change,
        examples=examples_of(shown) if shown else [],
        templates=templates() if present is None else {},
        is_set=present is not None,
        prizes=prize_changes(row, change) if change is not None else [],
    )


def _template(request: HttpRequest, present: FeeSchedule | None) -> FeeSchedule | None:
    template = templates().get(request.GET.get("template", ""))
    currency = request.GET.get("currency", "") or (present.currency if present else DEFAULT_CURRENCY)
    if template is None or currency not in current_currencies():
        return None
    return template.in_currency(currency)
