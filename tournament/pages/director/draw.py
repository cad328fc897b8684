"""The draw page: GET shows everything about the draw, POST does what its button says."""

from collections.abc import Callable, Mapping

from django.http import HttpRequest, HttpResponse

from tournament import access
from tournament.access import Capability
from tournament.pages.director import draw_by_secret, draw_making, draw_rounds
from tournament.pages.director.doing import page
from tournament.pages.director.draw_page import shown
from tournament.pages.director.place import TournamentPlace, at_tournament

Deed = Callable[[HttpRequest, TournamentPlace], HttpResponse]
DEEDS: Mapping[str, Deed] = {
    "draw": draw_making.make,
    "release": draw_making.release,
    "undo": draw_making.undo,
    "length": draw_making.change_length,
    "seed": draw_making.seed,
    "commit": draw_by_secret.commit,
    "close": draw_by_secret.close,
    "reopen": draw_by_secret.reopen,
    "dice": draw_by_secret.throw,
    "give-up": draw_by_secret.give_up,
    "pair": draw_rounds.pair,
    "pair-free": draw_rounds.pair_free,
    "take-back": draw_rounds.take_back,
}


@page("GET", "POST")
def draw(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    place = at_tournament(request, event, tournament, Capability.DESK)
    if request.method != "POST":
        return shown(request, place)
    access.require(place.actor, place.event, Capability.DIRECT)
    deed = DEEDS.get(request.POST.get("do", ""))
    return shown(request, place) if deed is None else deed(request, place)
