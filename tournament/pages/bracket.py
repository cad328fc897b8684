"""The bracket: as a page, as the fragment that live pages fetch, on a wall, on paper.

Whoever may not see a hidden draw gets a page that says when it will be there, and no names of pairings.
"""

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import render
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.http import parse_etags
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from tournament import access
from tournament.access import Capability
from tournament.errors import NotFound
from tournament.models import Tournament
from tournament.pages.answers import answering
from tournament.pages.request import actor_of
from tournament.pages.window import WIDEST_TREE, Wish, window_on
from tournament.showing.bracket import BracketShown, RoundShown, bracket_shown, stamp_of


@require_safe
@answering
def bracket(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    actor = actor_of(request)
    found = access.tournament_for(actor, event, tournament)
    may_see = access.may_see_draw(actor, found)
    context = _context(request, found, may_see=may_see)
    context["etag"] = _etag(found, may_see=may_see)
    context["here"] = "bracket"
    context["is_wall"] = "wall" in request.GET
    context["can_desk"] = access.may(actor, found.event, Capability.DESK)
    return render(request, "public/bracket.html", context)


@require_safe
@answering
def bracket_fragment(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    """What a live page swaps in; 304 without building it when nothing has changed."""
    actor = actor_of(request)
    found = access.tournament_for(actor, event, tournament)
    may_see = access.may_see_draw(actor, found)
    etag = _etag(found, may_see=may_see)
    if etag in parse_etags(request.headers.get("If-None-Match", "")):
        return _kept_fresh(HttpResponseNotModified(), etag)
    response = render(request, "public/bracket_live.html", _context(request, found, may_see=may_see))
    return _kept_fresh(response, etag)


@require_safe
@answering
def bracket_print(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    actor = actor_of(request)
    found = access.tournament_for(actor, event, tournament)
    shown = _drawn(found) if access.may_see_draw(actor, found) else None
    if shown is None:
        raise NotFound
    context = {"tournament": found, "event": found.event, "bracket": shown, "sheets": _sheets(shown)}
    return render(request, "public/bracket_print.html", context)


def _sheets(shown: BracketShown) -> list[tuple[RoundShown, ...]]:
    """What fits on one sheet of paper each: rounds too wide for a tree by themselves, then the tree."""
    wide = [(one,) for one in shown.rounds if len(one.pairings) > WIDEST_TREE // 2]
    return [*wide, tuple(one for one in shown.rounds if len(one.pairings) <= WIDEST_TREE // 2)]


def _context(request: HttpRequest, tournament: Tournament, *, may_see: bool) -> dict[str, Any]:
    shown = _drawn(tournament) if may_see else None
    context: dict[str, Any] = {"event": tournament.event, "tournament": tournament, "bracket": shown}
    if shown is not None:
        context["window"] = window_on(shown, _wish(request))
    return context


def _drawn(tournament: Tournament) -> BracketShown | None:
    """The bracket; None before the first draw, or when the draw was taken back."""
    try:
        shown = bracket_shown(tournament)
    except NotFound:
        return None
    return shown if shown.rounds else None


def _wish(request: HttpRequest) -> Wish:
    asked = request.GET
    return Wish(
        round=_number(asked.get("round", "")),
        part=_number(asked.get("part", "")),
        find=asked.get("find", ""),
        is_wall="wall" in asked,
    )


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 4 else None


def _etag(tournament: Tournament, *, may_see: bool) -> str:
    stamp = stamp_of(tournament) if may_see else "hidden"
    return f'W/"{stamp}-{get_language()}"'


def _kept_fresh(response: HttpResponse, etag: str) -> HttpResponse:
    response["ETag"] = etag
    patch_cache_control(response, private=True, no_cache=True)
    patch_vary_headers(response, ["Cookie", "Accept-Language"])
    return response
