"""The draw page: GET shows everything about the draw, POST does what its button says."""

from collections.abc import Callable, Mapping

from django.http import HttpRequest, HttpResponse

from tournament.access import permissions
from tournament.access.permissions import Capability
from tournament.pages.director.actions import page
from tournament.pages.director.context import TournamentContext, tournament_context
from tournament.pages.draws import by_secret, making, rounds
from tournament.pages.draws.page import shown

Deed = Callable[[HttpRequest, TournamentContext], HttpResponse]
DEEDS: Mapping[str, Deed] = {
    "draw": making.make,
    "release": making.release,
    "undo": making.undo,
    "length": making.change_length,
    "seed": making.seed,
    "commit": by_secret.commit,
    "close": by_secret.close,
    "reopen": by_secret.reopen,
    "dice": by_secret.throw,
    "give-up": by_secret.give_up,
    "pair": rounds.pair,
    "pair-free": rounds.pair_free,
    "take-back": rounds.take_back,
}


@page("GET", "POST")
def draw(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    context = tournament_context(request, event, tournament, Capability.DESK)
    if request.method != "POST":
        return shown(request, context)
    permissions.require(context.actor, context.event, Capability.DIRECT)
    deed = DEEDS.get(request.POST.get("do", ""))
    return shown(request, context) if deed is None else deed(request, context)
