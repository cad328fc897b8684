"""The rounds page: changes the length and the clock of a round, and stops the sessions of a round."""

from typing import Any

from django.contrib import messages
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.access import permissions
from tournament.access.permissions import Capability
from tournament.drawing.rounds import change_round_clock, change_round_length
from tournament.pages.director.actions import page, submit
from tournament.pages.director.context import TournamentContext, tournament_context
from tournament.pages.rounds.forms import ClockForm
from tournament.pages.tournaments.length_forms import LengthForm, StopForm, length_initial
from tournament.queries.rounds import RoundLine, list_rounds
from tournament.results import session_stops


@page("GET", "POST")
def rounds(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    """GET lists the rounds. POST changes the length or clock of one, or stops its sessions."""
    context = tournament_context(request, event, tournament, Capability.DESK)
    if request.method != "POST":
        return _render(request, context)
    permissions.require(context.actor, context.event, Capability.DIRECT)
    if request.POST.get("do") == "stop":
        return _stop(request, context)
    which = request.POST.get("which", "")
    form: ClockForm | LengthForm
    if request.POST.get("do") == "clock":
        form = clock = ClockForm(request.POST, prefix=f"clock-{which}")
        work = submit(form, lambda: _set_clock(context, clock))
    else:
        form = length = LengthForm(request.POST, prefix=f"round-{which}")
        work = submit(form, lambda: _set_length(context, length))
    if work is None:
        return _render(request, context, form)
    messages.success(request, _("The round is changed."))
    return redirect("rounds", *context.slugs)


def _stop(request: HttpRequest, context: TournamentContext) -> HttpResponse:
    form = StopForm(request.POST, prefix="stop")
    done = submit(
        form,
        lambda: session_stops.stop_round(form.cleaned_data["round"], context.tournament.pk, context.actor),
    )
    if done is None:
        return _render(request, context, form)
    messages.success(request, _stopped_sentence(done.value))
    return redirect("desk", *context.slugs)


def _stopped_sentence(done: session_stops.StoppedSessions) -> str:
    if not done.stopped and not done.not_begun:
        return _("Time is over already: no session was left to stop.")
    stopped = ngettext(
        "Time is over: {count} session is stopped.",
        "Time is over: {count} sessions are stopped.",
        done.stopped,
    ).format(count=done.stopped)
    if not done.not_begun:
        return stopped
    not_begun = ngettext(
        "{count} has no game yet and stays open.", "{count} have no game yet and stay open.", done.not_begun
    ).format(count=done.not_begun)
    return f"{stopped} {not_begun}"


def _set_clock(context: TournamentContext, form: ClockForm) -> None:
    change_round_clock(form.cleaned_data["round"], context.tournament.pk, form.clock(), context.actor)


def _set_length(context: TournamentContext, form: LengthForm) -> None:
    change_round_length(form.cleaned_data["round"], context.tournament.pk, form.to(), context.actor)


def _render(
    request: HttpRequest, context: TournamentContext, invalid_form: BaseForm | None = None
) -> HttpResponse:
    rounds = list_rounds(context.tournament)
    lines = [
        {"round": line, "length": _length_form(line, invalid_form), "clock": _clock_form(line, invalid_form)}
        for line in rounds
    ]
    variables = {
        "is_wrong": invalid_form is not None,
        "has_clocks": any(line.length is not None for line in rounds),
    }
    return context.render(request, "rounds.html", "draw", form=invalid_form, lines=lines, **variables)


def _length_form(line: RoundLine, invalid_form: BaseForm | None) -> BaseForm:
    form = LengthForm(prefix=f"round-{line.id}", initial={"round": line.id, **length_initial(line)})
    return invalid_form if invalid_form is not None and invalid_form.prefix == form.prefix else form


def _clock_form(line: RoundLine, invalid_form: BaseForm | None) -> BaseForm:
    initial: dict[str, Any] = {"round": line.id}
    if line.clock is not None:
        initial |= {"point_seconds": line.clock.point_seconds, "move_seconds": line.clock.move_seconds}
    form = ClockForm(prefix=f"clock-{line.id}", initial=initial)
    return invalid_form if invalid_form is not None and invalid_form.prefix == form.prefix else form
