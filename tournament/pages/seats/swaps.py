"""The seats page: swaps two seats, undoes a swap, and lists the seats that were changed by hand."""

from collections.abc import Mapping

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from tournament.access import permissions
from tournament.access.permissions import Capability
from tournament.brackets import advancing
from tournament.drawing import swaps
from tournament.pages.director.actions import page, run, submit
from tournament.pages.director.context import TournamentContext, tournament_context
from tournament.pages.seats.forms import SwapForm
from tournament.queries.seats import MOST_CHANGES, changes_by_hand, find_swap_back, list_seats
from tournament.runtime.errors import NotFound

SENT_NAMES: Mapping[str, str] = {"seat": "one", "other": "other"}
"""Names of the chosen seats in the address, and of their tokens in the form."""


@page("GET", "POST")
def seats(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    """GET shows the seats; `?seat=` and `?other=` choose two. POST swaps them."""
    context = tournament_context(request, event, tournament, Capability.DESK)
    if request.method != "POST":
        return _render(request, context, SwapForm(reason_needed=_reason_needed(context)), request.GET)
    permissions.require(context.actor, context.event, Capability.DIRECT)
    form = SwapForm(request.POST, reason_needed=_reason_needed(context))
    done = submit(
        form,
        lambda: swaps.swap(context.tournament.pk, form.swap(), context.actor, form.cleaned_data["reason"]),
    )
    if done is None:
        feeds = {name: request.POST.get(sent, "").partition(":")[0] for name, sent in SENT_NAMES.items()}
        return _render(request, context, form, feeds)
    undo = reverse("seats-undo", args=[*context.slugs, done.value.pk])
    messages.success(request, _("Swapped. Both matches are open for their new players."), extra_tags=undo)
    return redirect("seats", *context.slugs)


@page("POST")
def seats_undo(request: HttpRequest, event: str, tournament: str, change: int) -> HttpResponse:
    """Swaps the two seats of an earlier swap again."""
    context = tournament_context(request, event, tournament, Capability.DIRECT)
    swap = find_swap_back(context.tournament, change)
    if swap is None:
        raise NotFound
    run(
        request,
        lambda: swaps.swap(context.tournament.pk, swap, context.actor, _("Swapped back")),
        _("Swapped back."),
    )
    return redirect("seats", *context.slugs)


def _render(
    request: HttpRequest, context: TournamentContext, form: SwapForm, typed: Mapping[str, str]
) -> HttpResponse:
    """`typed`: the feeds of the chosen seats under `seat` and `other`."""
    return context.render(
        request,
        "seats.html",
        "draw",
        form=form,
        table=list_seats(context.tournament, *(_feed(typed.get(name, "")) for name in SENT_NAMES)),
        changes=changes_by_hand(context.tournament, MOST_CHANGES),
        reason_needed=form.fields["reason"].required,
    )


def _reason_needed(context: TournamentContext) -> bool:
    draw = advancing.current_draw(context.tournament)
    return draw is not None and draw.is_public


def _feed(typed: str) -> int | None:
    return int(typed) if typed.isascii() and typed.isdecimal() and len(typed) < 18 else None
