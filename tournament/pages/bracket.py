"""The bracket: as a page, as the fragment that live pages fetch, on a wall, on paper.

Whoever may not see a hidden draw gets a page that says when it will be there, and no names of pairings.
"""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import render
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.http import parse_etags
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from tournament import access
from tournament.access import Capability
from tournament.actors import Actor
from tournament.errors import NotFound
from tournament.models import Tournament
from tournament.pages.answers import answering
from tournament.pages.request import actor_of
from tournament.progression import current_draw
from tournament.showing.bracket import BracketShown, RoundShown, bracket_shown, stamp_of

WIDEST_TREE = 64


@dataclass(frozen=True, slots=True)
class Window:
    """The part of a bracket on the page: a tree of rounds, or one round too wide for a tree as a list."""

    rounds: tuple[RoundShown, ...]
    current: int
    is_tree: bool
    tabs: tuple[RoundShown, ...]

    @property
    def is_whole(self) -> bool:
        return len(self.rounds) == len(self.tabs)


def window_on(shown: BracketShown, wanted: int | None) -> Window:
    """The tree of the rounds that fit beside each other; a wider round only by itself, when it is wanted or on."""
    fitting = tuple(one for one in shown.rounds if len(one.pairings) <= WIDEST_TREE)
    numbers = {one.number for one in shown.rounds}
    current = wanted if wanted in numbers else shown.current_round
    wide = tuple(one for one in shown.rounds if one.number == current and one not in fitting)
    return Window(wide or fitting, current, is_tree=not wide, tabs=shown.rounds)


@require_safe
@answering
def bracket(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    actor = actor_of(request)
    found = access.tournament_for(actor, event, tournament)
    is_shown = _may_see(actor, found)
    context = _context(request, found, is_shown=is_shown)
    context["etag"] = _etag(found, is_shown=is_shown)
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
    is_shown = _may_see(actor, found)
    etag = _etag(found, is_shown=is_shown)
    if etag in parse_etags(request.headers.get("If-None-Match", "")):
        return _kept_fresh(HttpResponseNotModified(), etag)
    response = render(request, "public/bracket_live.html", _context(request, found, is_shown=is_shown))
    return _kept_fresh(response, etag)


@require_safe
@answering
def bracket_print(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    actor = actor_of(request)
    found = access.tournament_for(actor, event, tournament)
    if not _may_see(actor, found):
        raise NotFound
    shown = bracket_shown(found)
    context = {"tournament": found, "event": found.event, "bracket": shown, "sheets": _sheets(shown)}
    return render(request, "public/bracket_print.html", context)


def _sheets(shown: BracketShown) -> list[tuple[RoundShown, ...]]:
    """What fits on one sheet of paper each: rounds too wide for a tree by themselves, then the tree."""
    wide = [(one,) for one in shown.rounds if len(one.pairings) > WIDEST_TREE // 2]
    return [*wide, tuple(one for one in shown.rounds if len(one.pairings) <= WIDEST_TREE // 2)]


def _may_see(actor: Actor, tournament: Tournament) -> bool:
    draw = current_draw(tournament)
    if draw is not None and draw.is_released:
        return True
    return draw is not None and access.may(actor, tournament.event, Capability.DESK)


def _context(request: HttpRequest, tournament: Tournament, *, is_shown: bool) -> dict[str, Any]:
    context: dict[str, Any] = {"event": tournament.event, "tournament": tournament, "is_shown": is_shown}
    if is_shown:
        shown = bracket_shown(tournament)
        context["bracket"] = shown
        context["window"] = window_on(shown, _number(request.GET.get("round", "")))
    return context


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 4 else None


def _etag(tournament: Tournament, *, is_shown: bool) -> str:
    stamp = stamp_of(tournament) if is_shown else "hidden"
    return f'W/"{stamp}-{get_language()}"'


def _kept_fresh(response: HttpResponse, etag: str) -> HttpResponse:
    response["ETag"] = etag
    patch_cache_control(response, private=True, no_cache=True)
    patch_vary_headers(response, ["Cookie", "Accept-Language"])
    return response
