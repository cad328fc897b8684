"""The seats page: choose a seat, choose another, and they are swapped; what was changed by hand, to be swapped back."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from tournament.access import permissions
from tournament.access.permissions import Capability
from tournament.brackets import advancing
from tournament.drawing import swaps
from tournament.pages.director.actions import accepted, page
from tournament.pages.director.context import TournamentPlace, at_tournament
from tournament.pages.seats.forms import SwapForm
from tournament.queries.seats import MOST_CHANGES, changes_by_hand, seat_table


@page("GET", "POST")
def seats(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    """GET shows the seats, one of them chosen by the address; POST swaps it with another."""
    place = at_tournament(request, event, tournament, Capability.DESK)
    if request.method != "POST":
        return _shown(request, place, SwapForm(), request.GET.get("seat", ""))
    permissions.require(place.actor, place.event, Capability.DIRECT)
    form = SwapForm(request.POST)
    done = accepted(
        form,
        lambda: swaps.swap(place.tournament.pk, form.swap(), place.actor, form.cleaned_data["reason"]),
    )
    if done is None:
        return _shown(request, place, form, request.POST.get("one", "").partition(":")[0])
    messages.success(request, _("Swapped. Both matches are opened for their new players."))
    return redirect("seats", *place.slugs)


def _shown(request: HttpRequest, place: TournamentPlace, form: SwapForm, chosen: str) -> HttpResponse:
    draw = advancing.current_draw(place.tournament)
    is_number = chosen.isascii() and chosen.isdecimal() and len(chosen) < 18
    return place.shown(
        request,
        "seats.html",
        "draw",
        form=form,
        table=seat_table(place.tournament, int(chosen) if is_number else None),
        changes=changes_by_hand(place.tournament, MOST_CHANGES),
        reason_needed=draw is not None and (draw.is_released or bool(draw.secret)),
    )
