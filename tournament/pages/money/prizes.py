"""The page of a tournament's prizes: how its pots are split, with the amounts of the present pots."""

from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from tournament.access.permissions import Capability
from tournament.fees.schedule import FeeSchedule
from tournament.ledger.charging import schedule_of
from tournament.models import Tournament
from tournament.money.due_awards import is_awarded
from tournament.money.prize_structures import keep_template, remove_template, set_structure
from tournament.pages.director.actions import attempt, page, run, submit
from tournament.pages.director.context import TournamentContext, tournament_context
from tournament.pages.money.fee_confirmation import revision_for_form
from tournament.pages.money.prize_forms import MORE_LINES, PrizesForm, structure_as_fields
from tournament.prizes.other_currency import with_other_currency
from tournament.prizes.stored import parse_structure
from tournament.prizes.structure import PrizeStructure
from tournament.prizes.templates import Field, suggested_template, templates_for, with_side_pools
from tournament.queries.money.organizers import yearly_pots
from tournament.queries.money.prizes import (
    field_of_tournament,
    own_templates,
    preview_prizes,
    tournament_currency,
)

OWN = "own:"


@page("GET", "POST")
def prizes(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    """Saves the form. `preview` shows the amounts of what is written, `more` adds lines; both save nothing.

    `keep` keeps the lines as a template of the organizer, nothing else. `?template=` fills the lines to start from.
    """
    context = tournament_context(request, event, tournament, Capability.DIRECT)
    row = context.tournament
    schedule, stored = schedule_of(row), parse_structure(row.prize_structure)
    field = field_of_tournament(row, tournament_currency(row))
    start = _start(request, row, stored, schedule, field)
    form = PrizesForm(
        request.POST or None,
        initial=structure_as_fields(start),
        field=field,
        schedule=schedule,
        lines=_lines_to_offer(request, start),
    )
    is_changed = form.is_valid() and form.structure is not None
    is_saved = is_changed and not {"keep", "preview", "more"} & request.POST.keys()
    revision = revision_for_form(request, row.prize_structure, is_saved=is_saved)
    if is_changed and "keep" in request.POST:
        _keep(request, tournament_context(request, event, tournament, Capability.OWN), form)
    elif is_saved and _save(request, context, form):
        return redirect("prizes", *context.slugs)
    preview = preview_prizes(row, form.structure or start, schedule)
    return context.render(
        request,
        "prizes.html",
        "setup",
        form=form,
        revision=revision,
        preview=preview,
        yearly_pots=yearly_pots(context.event, context.actor) if preview.yearly else [],
        is_set=stored is not None,
        is_awarded=is_awarded(row),
        chosen=request.GET.get("template", ""),
        own_templates=own_templates(row, field.currency),
        **_usual_templates(field),
    )


def _usual_templates(field: Field) -> dict[str, Any]:
    return {
        "templates": templates_for(field),
        "suggested": suggested_template(field),
        "entries": field.entries,
    }


@page("POST")
def remove_prizes(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    """The pot of the tournament pays no prizes any more."""
    context = tournament_context(request, event, tournament, Capability.DIRECT)
    run(
        request,
        lambda: set_structure(context.tournament.pk, None, context.actor),
        _("The pot pays no prizes now."),
    )
    return redirect("prizes", *context.slugs)


@page("POST")
def remove_own_template(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    context = tournament_context(request, event, tournament, Capability.OWN)
    name = request.POST.get("name", "")
    run(
        request,
        lambda: remove_template(context.tournament, name, context.actor),
        _("Template removed."),
    )
    return redirect("prizes", *context.slugs)


def _save(request: HttpRequest, context: TournamentContext, form: PrizesForm) -> bool:
    pk, structure, revision = context.tournament.pk, form.structure, request.POST.get("revision", "")
    done = submit(form, lambda: set_structure(pk, structure, context.actor, revision=revision))
    if done is not None:
        messages.success(request, _("Prizes saved. The amounts follow the pot."))
    return done is not None


def _keep(request: HttpRequest, context: TournamentContext, form: PrizesForm) -> None:
    name, structure = form.cleaned_data["own_name"], form.structure
    if structure is not None and attempt(
        request,
        lambda: keep_template(context.tournament, name, structure.parts, structure.currency, context.actor),
    ):
        messages.success(request, _("Template saved. Other tournaments of this organizer can use it."))


def _start(
    request: HttpRequest,
    row: Tournament,
    stored: PrizeStructure | None,
    schedule: FeeSchedule | None,
    field: Field,
) -> PrizeStructure:
    """The stored structure with the lines of the chosen template; without either the suggested template."""
    base = with_other_currency(stored or PrizeStructure(field.currency), field.currency)
    name = request.GET.get("template", "")
    own = own_templates(row, field.currency)
    usual = {template.key: template for template in templates_for(field)}
    if name.startswith(OWN) and name.removeprefix(OWN) in own:
        base = replace(base, parts=own[name.removeprefix(OWN)])
    elif name in usual or stored is None:
        template = usual.get(name) or suggested_template(field)
        base = replace(base, parts=template.parts(field), bubble=template.bubble)
    return with_side_pools(base, schedule, field)


def _lines_to_offer(request: HttpRequest, start: PrizeStructure) -> int:
    posted = sum(name.startswith("line_places_") for name in request.POST)
    if not posted:
        return len(start.parts) + MORE_LINES
    return posted + (MORE_LINES if "more" in request.POST else 0)
