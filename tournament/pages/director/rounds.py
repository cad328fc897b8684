"""The rounds page: match length and clock of every round, in every bracket, until a match of it has begun."""

from typing import Any

from django.contrib import messages
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from tournament import access, drawing
from tournament.access import Capability
from tournament.pages.director.doing import accepted, page
from tournament.pages.director.forms.draw import LengthForm
from tournament.pages.director.forms.seats import ClockForm
from tournament.pages.director.place import TournamentPlace, at_tournament
from tournament.showing.round_table import RoundLine, round_table


@page("GET", "POST")
def rounds(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    """GET shows the rounds; POST changes the length or the clock of one."""
    place = at_tournament(request, event, tournament, Capability.DESK)
    if request.method != "POST":
        return _shown(request, place)
    access.require(place.actor, place.event, Capability.DIRECT)
    which = request.POST.get("which", "")
    form: BaseForm
    if request.POST.get("do") == "clock":
        form = clock = ClockForm(request.POST, prefix=f"clock-{which}")
        work = accepted(form, lambda: _set_clock(place, clock))
    else:
        form = LengthForm(request.POST, prefix=f"round-{which}")
        work = accepted(form, lambda: _set_length(place, form))
    if work is None:
        return _shown(request, place, form)
    messages.success(request, _("The round is changed."))
    return redirect("rounds", *place.slugs)


def _set_clock(place: TournamentPlace, form: ClockForm) -> None:
    drawing.change_round_clock(form.cleaned_data["round"], place.tournament.pk, form.clock(), place.actor)


def _set_length(place: TournamentPlace, form: BaseForm) -> None:
    said = form.cleaned_data
    drawing.change_round_length(said["round"], place.tournament.pk, said["length"], place.actor)


def _shown(request: HttpRequest, place: TournamentPlace, wrong: BaseForm | None = None) -> HttpResponse:
    lines = [
        {"round": line, "length": _length_form(line, wrong), "clock": _clock_form(line, wrong)}
        for line in round_table(place.tournament)
    ]
    return place.shown(request, "rounds.html", "draw", form=wrong, lines=lines, is_wrong=wrong is not None)


def _length_form(line: RoundLine, wrong: BaseForm | None) -> BaseForm:
    form = LengthForm(prefix=f"round-{line.id}", initial={"round": line.id, "length": line.length})
    return wrong if wrong is not None and wrong.prefix == form.prefix else form


def _clock_form(line: RoundLine, wrong: BaseForm | None) -> BaseForm:
    initial: dict[str, Any] = {"round": line.id}
    if line.clock is not None:
        initial |= {"point_seconds": line.clock.point_seconds, "move_seconds": line.clock.move_seconds}
    form = ClockForm(prefix=f"clock-{line.id}", initial=initial)
    return wrong if wrong is not None and wrong.prefix == form.prefix else form
