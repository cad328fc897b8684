"""The page of a tournament's fees."""

from dataclasses import replace

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from tournament.access.permissions import Capability
from tournament.fees.amounts import current_currencies
from tournament.fees.other_currency import with_other_currency
from tournament.fees.schedule import FeeSchedule
from tournament.ledger.charging import event_registration, schedule_of
from tournament.money.fees import FeeChange, preview_schedule, set_schedule
from tournament.money.revisions import schedule_settings
from tournament.pages.director.actions import page
from tournament.pages.director.context import TournamentContext, tournament_context
from tournament.pages.money.fee_confirmation import revision_for_form, save_fees
from tournament.pages.money.fee_forms import FeesForm, pools_to_offer, schedule_as_fields
from tournament.queries.money.fee_changes import prize_changes
from tournament.queries.money.fee_examples import examples_of, templates
from tournament.queries.money.prizes import tournament_currency


@page("GET", "POST")
def fees(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    """Saves at once if nobody was charged another amount; else shows who was, and saves when that is confirmed.

    `preview` shows examples of what is written, `more` offers another side pool; both save nothing. `?template=` fills
    the form to start from.
    """
    context = tournament_context(request, event, tournament, Capability.DIRECT)
    row, present = context.tournament, schedule_of(context.tournament)
    currency = tournament_currency(row)
    start = _template(request, currency) or present
    initial = schedule_as_fields(start) if start else {"currency": currency}
    sent_pools = sum(name.startswith("pool_name_") for name in request.POST) + ("more" in request.POST)
    pools = max(pools_to_offer(start), sent_pools)
    form = FeesForm(request.POST or None, initial=initial, pools=pools, stored=present)
    change: FeeChange | None = None
    is_shown_only = bool({"preview", "more"} & set(request.POST))
    is_saved = form.is_valid() and form.schedule is not None and not is_shown_only
    revision = revision_for_form(request, schedule_settings(row.fees), is_saved=is_saved)
    if is_saved:
        change = _save(request, context, form, present)
        if change is None and form.is_valid():
            messages.success(request, _saved_sentence(form.schedule))
            return redirect("fees", *context.slugs)
    schedule = form.schedule or start
    return context.render(
        request,
        "fees.html",
        "setup",
        form=form,
        change=change,
        revision=revision,
        examples=examples_of(schedule) if schedule else [],
        registration=event_registration(context.event),
        templates=templates() if present is None else {},
        is_set=present is not None,
        prizes=prize_changes(row, change.prizes) if change is not None else [],
    )


def _saved_sentence(schedule: FeeSchedule | None) -> str:
    if schedule and any(example.pays for example in examples_of(schedule)):
        return _("Fees saved. Each entry is charged.")
    return _("Fees saved. Nobody pays anything: no amount is set.")


def _save(
    request: HttpRequest, context: TournamentContext, form: FeesForm, present: FeeSchedule | None
) -> FeeChange | None:
    if form.schedule is None:
        return None
    refunds = with_other_currency(present, form.schedule.currency).refunds if present else ()
    schedule = replace(form.schedule, refunds=refunds)
    row, revision = context.tournament, request.POST.get("revision", "")
    return save_fees(
        form,
        request.POST.get("confirmed", ""),
        lambda digest: set_schedule(
            row.pk, schedule, context.actor, digest, revision=revision, keeps_refunds=True
        ),
        lambda: preview_schedule(row, schedule),
    )


def _template(request: HttpRequest, usual: str) -> FeeSchedule | None:
    template = templates().get(request.GET.get("template", ""))
    currency = request.GET.get("currency", "") or usual
    if template is None or currency not in current_currencies():
        return None
    return template.in_currency(currency)
