"""The bracket: as a page, as the fragment that live pages fetch, on a wall, on paper.

Whoever may not see a hidden draw gets a page that says when it will be there, and no names of pairings.
"""

import uuid
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from tournament.access import permissions, score_visibility
from tournament.access.permissions import Capability
from tournament.live.channels import event_channel
from tournament.models import Tournament
from tournament.pages.brackets.addresses import key_at, places_of
from tournament.pages.brackets.window import WIDEST_TREE, Window, Wish, window_on
from tournament.pages.spectators.following import followed
from tournament.queries.brackets.bracket import bracket_view, stamp_of
from tournament.queries.brackets.bracket_list import list_brackets
from tournament.queries.brackets.bracket_view import BracketView
from tournament.queries.draws.proofs import released_public_draw
from tournament.queries.entries.followed import followed_here
from tournament.queries.events.ends import End, end_of, first_places
from tournament.queries.seats import has_swapped_seats
from tournament.queries.standings.standings import standings_shown
from tournament.runtime.errors import NotFound
from tournament.web.conditional import Readers, conditional_response, vary_by_channels
from tournament.web.refusals import render_refusals
from tournament.web.request import actor_of

LINES_BELOW = 16


@require_safe
@render_refusals
def bracket(request: HttpRequest, event: str, tournament: str, bracket: str = "") -> HttpResponse:
    sight = _sight(request, event, tournament, bracket)
    context = _context(request, sight)
    context["etag"] = _etag(context["bracket"].stamp) if context["bracket"] else _etag_of(sight)
    context["here"] = "bracket"
    context["following"] = followed_here(sight.tournament, followed(request))
    context["can_desk"] = permissions.may(actor_of(request), sight.tournament.event, Capability.DESK)
    response = render(request, "public/bracket.html", context)
    return vary_by_channels(response, _told_of(sight, context))


@require_safe
@render_refusals
def bracket_fragment(request: HttpRequest, event: str, tournament: str, bracket: str = "") -> HttpResponse:
    """What a live page swaps in; 304 without building it when nothing has changed."""
    sight = _sight(request, event, tournament, bracket)

    def make() -> HttpResponse:
        context = _context(request, sight)
        response = render(request, "public/bracket_live.html", context)
        shown = context["bracket"].id if context["bracket"] else event_channel(sight.tournament.event_id)
        is_same = sight.may_see and sight.tournament.score_delay == 0
        return vary_by_channels(response, [shown], Readers.EVERYBODY if is_same else Readers.PLAYERS)

    return conditional_response(request, _etag_of(sight), make)


@require_safe
@render_refusals
def bracket_print(request: HttpRequest, event: str, tournament: str, bracket: str = "") -> HttpResponse:
    sight = _sight(request, event, tournament, bracket)
    shown = _drawn(sight)
    if shown is None:
        raise NotFound
    proof = released_public_draw(sight.tournament)
    context = _around(sight, shown) | {"sheets": _sheets(shown), "proof": proof}
    return vary_by_channels(render(request, "public/bracket_print.html", context), _told_of(sight, context))


@dataclass(frozen=True, slots=True)
class _Sight:
    """The bracket that is asked for, whether the visitor may see it, and running scores at once."""

    tournament: Tournament
    key: str
    may_see: bool
    live: bool = False


def _sight(request: HttpRequest, event: str, tournament: str, slug: str) -> _Sight:
    """Raises NotFound for a bracket beside the first that is not there, or not for this visitor to see."""
    actor = actor_of(request)
    found = permissions.tournament_for(actor, event, tournament)
    may_see = permissions.may_see_draw(actor, found)
    if not may_see:
        if slug:
            raise NotFound
        return _Sight(found, "", may_see=False)
    live = score_visibility.sees_live_scores(actor, found)
    return _Sight(found, key_at(found, slug), may_see=True, live=live)


def _told_of(sight: _Sight, context: dict[str, Any]) -> list[uuid.UUID]:
    """The event with all its deeds, and every bracket that the page names."""
    return [event_channel(sight.tournament.event_id), *(line.id for line, _ in context["neighbours"])]


def _sheets(shown: BracketView) -> list[Window]:
    """What fits on one sheet of paper each: rounds too wide for a tree by themselves, then the tree."""
    most = 0 if shown.is_table else WIDEST_TREE // 2
    alone = [Window((one,), one.number, is_tree=False) for one in shown.rounds if len(one.pairings) > most]
    tree = tuple(one for one in shown.rounds if len(one.pairings) <= most)
    return [*alone, Window(tree, tree[-1].number, is_tree=True)] if tree else alone


def _context(request: HttpRequest, sight: _Sight) -> dict[str, Any]:
    shown = _drawn(sight)
    context = _around(sight, shown) | {"is_wall": "wall" in request.GET}
    if shown is None:
        return context
    context["has_swapped_seats"] = has_swapped_seats(sight.tournament)
    if shown.is_table:
        lines = standings_shown(sight.tournament, sight.key)
        context |= {"lines": lines[:LINES_BELOW], "is_cut": len(lines) > LINES_BELOW}
    return context | {"window": window_on(shown, _wish(request))}


def _around(sight: _Sight, shown: BracketView | None) -> dict[str, Any]:
    """The bracket with its addresses, and with those of its neighbours where there are several."""
    found = sight.tournament
    brackets = list_brackets(found) if shown is not None else []
    first = key_at(found, "") if brackets else sight.key
    is_ending = any(line.is_over for line in brackets)
    end = end_of(found) if is_ending else End()
    return {
        "end": end,
        "has_own_winner": _has_own_winner(shown, end),
        "first_places": first_places(found) if end.is_over else [],
        "event": found.event,
        "tournament": found,
        "bracket": shown,
        "is_inside": sight.live and found.score_delay != 0,
        "places": places_of(found, sight.key or first, first),
        "neighbours": [(one, places_of(found, one.key, first).page) for one in brackets],
    }


def _has_own_winner(shown: BracketView | None, end: End) -> bool:
    """Whether the bracket has a winner other than the tournament's, who may be the same player."""
    if shown is None or shown.champion is None:
        return False
    return shown.champion.name != end.champion or shown.key in dict(end.winners)


def _drawn(sight: _Sight) -> BracketView | None:
    """The bracket; None before the first draw, when the draw was taken back, or hidden from this visitor."""
    if not sight.may_see:
        return None
    try:
        shown = bracket_view(sight.tournament, sight.key, live=sight.live)
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


def _etag_of(sight: _Sight) -> str:
    return _etag(stamp_of(sight.tournament, sight.key, live=sight.live) if sight.may_see else "hidden")


def _etag(stamp: str) -> str:
    return f'W/"{stamp}-{get_language()}"'
