"""The desk's page of jackpots: open and close them, add and remove players."""

import uuid
from collections.abc import Callable, Mapping

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from tournament.access.permissions import Capability
from tournament.brackets import advancing
from tournament.drawing import jackpots as work
from tournament.models import Entry, Jackpot
from tournament.pages.director.actions import page, run, submit
from tournament.pages.director.context import TournamentContext, tournament_context
from tournament.pages.entries.entry import entry_in_tournament
from tournament.pages.jackpots.forms import EntryChoice, JackpotForm
from tournament.queries.entries.names import list_entries
from tournament.queries.jackpots import first_pairs, jackpot_of_tournament, jackpot_views
from tournament.runtime.errors import NotFound


@page("GET", "POST")
def jackpots(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    """GET lists the jackpots; POST opens one."""
    context = tournament_context(request, event, tournament, Capability.DESK)
    form = JackpotForm(request.POST or None, initial={"key": uuid.uuid4(), "length": 5})
    if request.method == "POST":
        done = submit(form, lambda: work.open_jackpot(context.tournament.pk, form.plan(), context.actor))
        if done is not None:
            message = _("Jackpot {number} is open. It starts as soon as it is full.")
            messages.success(request, message.format(number=done.value.number))
            return redirect("jackpots", event, tournament)
    draw = advancing.current_draw(context.tournament)
    players = [entry for entry in list_entries(context.tournament) if not entry.is_withdrawn]
    return context.render(
        request,
        "jackpots.html",
        "jackpots",
        form=form,
        jackpots=[
            (jackpot, [entry for entry in players if not jackpot.includes(entry)])
            for jackpot in jackpot_views(context.tournament)
        ],
        is_released=draw is not None and draw.is_released,
    )


@page("POST")
def jackpot_action(
    request: HttpRequest, event: str, tournament: str, jackpot: uuid.UUID, action: str
) -> HttpResponse:
    context = tournament_context(request, event, tournament, Capability.DESK)
    row = jackpot_of_tournament(context.tournament, jackpot)
    if action not in ACTIONS:
        raise NotFound
    ACTIONS[action](request, context, row)
    return redirect("jackpots", event, tournament)


def _join(request: HttpRequest, context: TournamentContext, jackpot: Jackpot) -> None:
    entry = _entry(request, context)
    if entry is not None and run(request, lambda: work.join(jackpot.pk, entry, context.actor)):
        joined = jackpot_of_tournament(context.tournament, jackpot.pk)
        messages.success(request, _joined_sentence(joined, entry))


def _joined_sentence(jackpot: Jackpot, entry: Entry) -> str:
    """Names the pairs as well if the entry was the last, so that the jackpot is drawn."""
    if jackpot.bracket_id is None:
        return _("{name} is in jackpot {number}.").format(name=entry.name, number=jackpot.number)
    template = _("{name} is in jackpot {number}. It is full and drawn: {pairs}.")
    return template.format(name=entry.name, number=jackpot.number, pairs=", ".join(first_pairs(jackpot)))


def _leave(request: HttpRequest, context: TournamentContext, jackpot: Jackpot) -> None:
    entry = _entry(request, context)
    if entry is not None:
        success = _("{name} has left jackpot {number}.").format(name=entry.name, number=jackpot.number)
        run(request, lambda: work.leave(jackpot.pk, entry, context.actor), success)


def _close(request: HttpRequest, context: TournamentContext, jackpot: Jackpot) -> None:
    success = _("Jackpot {number} is closed.").format(number=jackpot.number)
    run(request, lambda: work.close(jackpot, context.actor, request.POST.get("reason", "")[:200]), success)


def _entry(request: HttpRequest, context: TournamentContext) -> Entry | None:
    """Returns the chosen entry. Without a choice, adds a message and returns None."""
    form = EntryChoice(request.POST)
    if form.is_valid():
        return entry_in_tournament(context, form.cleaned_data["entry"])
    messages.error(request, _("Choose a player."))
    return None


ACTIONS: Mapping[str, Callable[[HttpRequest, TournamentContext, Jackpot], None]] = {
    "join": _join,
    "leave": _leave,
    "close": _close,
}
