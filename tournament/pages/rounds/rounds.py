"""The rounds page: changes lengths and clocks of all rounds by one button, and stops the sessions of a round."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.access import permissions
from tournament.access.permissions import Capability
from tournament.drawing.rounds import change_rounds
from tournament.pages.director.actions import attempt, page, submit
from tournament.pages.director.context import TournamentContext, tournament_context
from tournament.pages.rounds.forms import ClockForm
from tournament.pages.tournaments.length_forms import LengthForm, StopForm, length_initial
from tournament.queries.rounds import RoundLine, list_rounds
from tournament.results import session_stops


@dataclass(frozen=True, slots=True)
class RoundForms:
    """A round with its forms. A round that has begun has forms too, but the page does not show them."""

    round: RoundLine
    length: LengthForm
    clock: ClockForm

    @property
    def is_wrong(self) -> bool:
        """True if a changed form has errors."""
        return any(form.is_changed and not form.is_valid() for form in (self.length, self.clock))


@page("GET", "POST")
def rounds(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    """GET lists the rounds. POST saves the lengths and clocks of all rounds, or stops the sessions of one."""
    context = tournament_context(request, event, tournament, Capability.DESK)
    if request.method != "POST":
        return _render(request, context, _forms(context))
    permissions.require(context.actor, context.event, Capability.DIRECT)
    return _stop(request, context) if "stop-round" in request.POST else _save(request, context)


def _save(request: HttpRequest, context: TournamentContext) -> HttpResponse:
    lines = _forms(context, request.POST)
    if any(line.is_wrong for line in lines):
        messages.error(request, _("Not saved. Fix the marked rounds."))
        return _render(request, context, lines, status=422)
    lengths = {line.round.id: line.length.to() for line in lines if line.length.is_changed}
    clocks = {line.round.id: line.clock.clock() for line in lines if line.clock.is_changed}
    done = attempt(request, lambda: change_rounds(context.tournament.pk, lengths, clocks, context.actor))
    if done is None:
        return _render(request, context, lines, status=422)
    count = len(lengths.keys() | clocks.keys())
    sentence = ngettext("{count} round changed.", "{count} rounds changed.", count).format(count=count)
    messages.success(request, sentence if count else _("Nothing to change."))
    return redirect("rounds", *context.slugs)


def _stop(request: HttpRequest, context: TournamentContext) -> HttpResponse:
    form = StopForm(request.POST, prefix="stop")
    done = submit(
        form,
        lambda: session_stops.stop_round(form.cleaned_data["round"], context.tournament.pk, context.actor),
    )
    if done is None:
        messages.error(request, " ".join(map(str, form.non_field_errors())))
        return redirect("rounds", *context.slugs)
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


def _forms(context: TournamentContext, sent: QueryDict | None = None) -> list[RoundForms]:
    return [
        RoundForms(line, _length_form(line, sent), _clock_form(line, sent))
        for line in list_rounds(context.tournament)
    ]


def _render(
    request: HttpRequest, context: TournamentContext, lines: Sequence[RoundForms], status: int = 200
) -> HttpResponse:
    response = context.render(
        request,
        "rounds.html",
        "draw",
        lines=lines,
        has_clocks=any(line.round.length is not None for line in lines),
        can_change=context.permissions.direct and any(not line.round.has_begun for line in lines),
    )
    response.status_code = status
    return response


def _length_form(line: RoundLine, sent: QueryDict | None) -> LengthForm:
    return LengthForm(sent, prefix=f"round-{line.id}", initial={"round": line.id, **length_initial(line)})


def _clock_form(line: RoundLine, sent: QueryDict | None) -> ClockForm:
    initial: dict[str, Any] = {"round": line.id}
    if line.clock is not None:
        initial |= {"point_seconds": line.clock.point_seconds, "move_seconds": line.clock.move_seconds}
    return ClockForm(sent, prefix=f"clock-{line.id}", initial=initial)
