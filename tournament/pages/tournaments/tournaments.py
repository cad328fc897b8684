"""Sets up a tournament, from a preset or from the previous tournament."""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from rules.ruleset import Ruleset
from tournament.access import permissions
from tournament.access.permissions import Capability
from tournament.brackets import advancing
from tournament.draw.formats import Format
from tournament.draw.formats.presets import FORMAT_PRESETS
from tournament.events import setup
from tournament.models import Tournament
from tournament.pages.director.actions import page, submit
from tournament.pages.director.context import event_context, tournament_context
from tournament.pages.events.forms import VisibilityForm
from tournament.pages.phones.address import secret_address
from tournament.pages.tournaments.forms import TournamentForm, first_initial, initial_of, preset_initial
from tournament.pages.tournaments.presets import presets_in_words
from tournament.queries.draws.prospect_labels import rematch_notes
from tournament.queries.events.events import own_past_tournaments
from tournament.queries.events.overview import count_entries

MOST_PAST = 5
BEGUN_WITH = "begun_with"
"""The preset or the past tournament that the posted form was filled in with."""


@page("GET", "POST")
def tournament_new(request: HttpRequest, event: str) -> HttpResponse:
    """The initial values come from a preset, from a past tournament, or from the previous tournament of the event.

    A POST with `preset` creates nothing: it fills in the form again and keeps the typed values.
    """
    context = event_context(request, event, Capability.DIRECT)
    previous = context.event.tournaments.last()
    past = own_past_tournaments(permissions.roles_by_event(context.actor), context.event, MOST_PAST)
    chosen = request.POST.get(BEGUN_WITH, request.GET.get("preset", ""))
    form = TournamentForm(request.POST or None, initial=_initial(chosen, previous, past))
    if "preset" in request.POST:
        chosen = request.POST["preset"]
        form = TournamentForm(initial={**_initial(chosen, previous, past), **form.typed_by_hand()})
    elif request.method == "POST":
        done = submit(form, lambda: setup.create_tournament(context.event, form.plan(), context.actor))
        if done is not None:
            messages.success(request, _("Tournament created. Next: enter the players."))
            return redirect("entries", event, done.value.slug)
    presets = presets_in_words()
    return context.render(
        request,
        "tournament_new.html",
        "new",
        form=form,
        presets=presets,
        chosen=chosen,
        before=previous,
        past=past,
    )


@page("GET", "POST")
def tournament_edit(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    context = tournament_context(request, event, tournament, Capability.DIRECT)
    tournament_row = context.tournament
    is_drawn = advancing.current_draw(tournament_row) is not None
    form = TournamentForm(
        request.POST or None,
        initial=initial_of(tournament_row),
        current=Ruleset.from_json(tournament_row.ruleset),
        is_drawn=is_drawn,
    )
    if request.method == "POST" and submit(
        form, lambda: setup.change_tournament(tournament_row.pk, form.plan(), context.actor)
    ):
        messages.success(request, _("The set-up has been changed."))
        return redirect("tournament-edit", event, tournament)
    return context.render(
        request,
        "tournament_edit.html",
        "setup",
        form=form,
        is_drawn=is_drawn,
        notes=rematch_notes(Format.from_json(tournament_row.format), count_entries(tournament_row).entered),
        visibility_form=VisibilityForm(initial={"visibility": tournament_row.visibility}),
        secret_address=secret_address(request, tournament_row, reverse("bracket", args=context.slugs)),
    )


def _initial(chosen: str, previous: Tournament | None, past: Sequence[Tournament]) -> dict[str, Any]:
    """`chosen` is the key of a preset, or the id of one of the past tournaments."""
    preset = FORMAT_PRESETS.get(chosen)
    if preset is not None:
        return preset_initial(preset)
    template = next((row for row in past if str(row.pk) == chosen), None)
    return initial_of(template) if template is not None else first_initial(previous)
