"""The rounds page: what each round is played to, and its clock, until a match has begun; and when its time is over."""

from typing import Any

from django.contrib import messages
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.access import permissions
from tournament.access.permissions import Capability
from tournament.drawing import rounds as drawn_rounds
from tournament.pages.director.actions import page, submit
from tournament.pages.director.context import TournamentContext, tournament_context
from tournament.pages.seats.forms import ClockForm
from tournament.pages.tournaments.length_forms import LengthForm, StopForm, length_initial
from tournament.queries.rounds import RoundLine, list_rounds
from tournament.results import session_stops


@page("GET", "POST")
def rounds(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    """GET shows the rounds; POST changes the length or the clock of one, or says that its time is over."""
    context = tournament_context(request, event, tournament, Capability.DESK)
    if request.method != "POST":
        return _shown(request, context)
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
        return _shown(request, context, form)
    messages.success(request, _("The round is changed."))
    return redirect("rounds", *context.slugs)


def _stop(request: HttpRequest, context: TournamentContext) -> HttpResponse:
    form = StopForm(request.POST, prefix="stop")
    done = submit(
        form,
        lambda: session_stops.stop_round(form.cleaned_data["round"], context.tournament.pk, context.actor),
    )
    if done is None:
        return _shown(request, context, form)
    messages.success(request, _stopped_in_words(done.value))
    return redirect("desk", *context.slugs)


def _stopped_in_words(done: session_stops.StoppedSessions) -> str:
    if not done.stopped and not done.not_begun:
        return _("Time is over already: no session was left to stop.")
    words = ngettext(
        "Time is over: {count} session is stopped.",
        "Time is over: {count} sessions are stopped.",
        done.stopped,
    ).format(count=done.stopped)
    if not done.not_begun:
        return words
    left = ngettext(
        "{count} has no game yet and goes on.", "{count} have no game yet and go on.", done.not_begun
    ).format(count=done.not_begun)
    return f"{words} {left}"


def _set_clock(context: TournamentContext, form: ClockForm) -> None:
    drawn_rounds.change_round_clock(
        form.cleaned_data["round"], context.tournament.pk, form.clock(), context.actor
    )


def _set_length(context: TournamentContext, form: LengthForm) -> None:
    drawn_rounds.change_round_length(
        form.cleaned_data["round"], context.tournament.pk, form.to(), context.actor
    )


def _shown(request: HttpRequest, context: TournamentContext, wrong: BaseForm | None = None) -> HttpResponse:
    rounds = list_rounds(context.tournament)
    lines = [
        {"round": line, "length": _length_form(line, wrong), "clock": _clock_form(line, wrong)}
        for line in rounds
    ]
    more = {"is_wrong": wrong is not None, "has_clocks": any(line.length is not None for line in rounds)}
    return context.render(request, "rounds.html", "draw", form=wrong, lines=lines, **more)


def _length_form(line: RoundLine, wrong: BaseForm | None) -> BaseForm:
    form = LengthForm(prefix=f"round-{line.id}", initial={"round": line.id, **length_initial(line)})
    return wrong if wrong is not None and wrong.prefix == form.prefix else form


def _clock_form(line: RoundLine, wrong: BaseForm | None) -> BaseForm:
    initial: dict[str, Any] = {"round": line.id}
    if line.clock is not None:
        initial |= {"point_seconds": line.clock.point_seconds, "move_seconds": line.clock.move_seconds}
    form = ClockForm(prefix=f"clock-{line.id}", initial=initial)
    return wrong if wrong is not None and wrong.prefix == form.prefix else form
