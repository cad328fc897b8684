"""The seats page: swaps two seats, and lists the seats that were changed by hand."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from tournament.access import permissions
from tournament.access.permissions import Capability
from tournament.brackets import advancing
from tournament.drawing import swaps
from tournament.pages.director.actions import page, submit
from tournament.pages.director.context import TournamentContext, tournament_context
from tournament.pages.seats.forms import SwapForm
from tournament.queries.seats import MOST_CHANGES, changes_by_hand, list_seats


@page("GET", "POST")
def seats(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    """GET shows the seats; `?seat=` chooses one. POST swaps it with another."""
    context = tournament_context(request, event, tournament, Capability.DESK)
    if request.method != "POST":
        return _render(request, context, SwapForm(), request.GET.get("seat", ""))
    permissions.require(context.actor, context.event, Capability.DIRECT)
    form = SwapForm(request.POST)
    done = submit(
        form,
        lambda: swaps.swap(context.tournament.pk, form.swap(), context.actor, form.cleaned_data["reason"]),
    )
    if done is None:
        return _render(request, context, form, request.POST.get("one", "").partition(":")[0])
    messages.success(request, _("Swapped. Both matches are open for their new players."))
    return redirect("seats", *context.slugs)


def _render(request: HttpRequest, context: TournamentContext, form: SwapForm, chosen: str) -> HttpResponse:
    draw = advancing.current_draw(context.tournament)
    is_number = chosen.isascii() and chosen.isdecimal() and len(chosen) < 18
    return context.render(
        request,
        "seats.html",
        "draw",
        form=form,
        table=list_seats(context.tournament, int(chosen) if is_number else None),
        changes=changes_by_hand(context.tournament, MOST_CHANGES),
        reason_needed=draw is not None and (draw.is_released or bool(draw.secret)),
    )
