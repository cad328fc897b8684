"""The bracket as a page, as the fragment that live pages fetch, for a wall screen, and for print.

Visitors who may not see a hidden draw get a page that says when it will be there, without names.
"""

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from tournament.access import permissions, score_visibility
from tournament.live.channels import event_channel
from tournament.models import Tournament
from tournament.pages.brackets.addresses import key_at, places_of
from tournament.pages.brackets.window import WIDEST_TREE, ViewOptions, Window, sheet_window, window_on
from tournament.pages.director.context import staff_context
from tournament.pages.spectators.following import followed
from tournament.queries.brackets.bracket import bracket_view, bracket_views, stamp_of
from tournament.queries.brackets.bracket_list import BracketLine, list_brackets
from tournament.queries.brackets.bracket_view import BracketView
from tournament.queries.draws.proofs import released_public_draw
from tournament.queries.entries.followed import followed_entries
from tournament.queries.events.ends import TournamentEnd, find_end, top_places
from tournament.queries.seats import has_swapped_seats
from tournament.queries.standings.standings import standing_lines
from tournament.runtime.errors import NotFound
from tournament.web.conditional import conditional_response, vary_by_channels
from tournament.web.error_pages import render_refusals
from tournament.web.request import actor_of

LINES_BELOW = 16


@require_safe
@render_refusals
def bracket(request: HttpRequest, event: str, tournament: str, bracket: str = "") -> HttpResponse:
    requested = _bracket_request(request, event, tournament, bracket)
    decided = _stamp_of_decided(requested.tournament)
    context = _page_variables(request, requested)
    view = context["bracket"]
    context["etag"] = _etag(f"{view.stamp}-{decided}") if view else _etag_of(requested)
    context["current_tab"] = "bracket"
    context["following"] = followed_entries(requested.tournament, followed(request))
    context |= staff_context(request, requested.tournament.event)
    response = render(request, "public/bracket.html", context)
    return vary_by_channels(response, _channels(requested, context))


@require_safe
@render_refusals
def bracket_fragment(request: HttpRequest, event: str, tournament: str, bracket: str = "") -> HttpResponse:
    """The part that a live page replaces. Answers 304 without rendering it if nothing has changed."""
    requested = _bracket_request(request, event, tournament, bracket)

    def make() -> HttpResponse:
        context = _page_variables(request, requested)
        response = render(request, "public/bracket_live.html", context)
        channels = [line.id for line, _ in context["neighbours"]]
        return vary_by_channels(response, channels or [event_channel(requested.tournament.event_id)])

    return conditional_response(request, _etag_of(requested), make)


@require_safe
@render_refusals
def bracket_print(request: HttpRequest, event: str, tournament: str, bracket: str = "") -> HttpResponse:
    requested = _bracket_request(request, event, tournament, bracket)
    view = _visible_view(requested)
    if view is None:
        raise NotFound
    proof = released_public_draw(requested.tournament)
    context = _variables(requested, view) | {"sheets": _sheets(view), "proof": proof}
    return vary_by_channels(
        render(request, "public/bracket_print.html", context), _channels(requested, context)
    )


@require_safe
@render_refusals
def bracket_sheet(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    """Every bracket that is a tree, on one sheet."""
    requested = _bracket_request(request, event, tournament, "")
    if not requested.may_see:
        raise NotFound
    views = [view for view in bracket_views(requested.tournament, live=requested.live) if not view.is_table]
    if not views:
        raise NotFound
    context = _variables(requested, views[0])
    addresses = {line.key: address for line, address in context["neighbours"]}
    context["sheets"] = [(view, sheet_window(view), addresses[view.key]) for view in views]
    context["current_tab"] = "bracket"
    context |= staff_context(request, requested.tournament.event)
    response = render(request, "public/bracket_sheet.html", context)
    return vary_by_channels(response, _channels(requested, context))


@dataclass(frozen=True, slots=True)
class _BracketRequest:
    """The requested bracket, and whether the visitor may see it and its live scores."""

    tournament: Tournament
    key: str
    may_see: bool
    live: bool = False


def _bracket_request(request: HttpRequest, event: str, tournament: str, slug: str) -> _BracketRequest:
    """Raises NotFound for an unknown bracket, and for any but the default bracket while the draw is hidden."""
    actor = actor_of(request)
    tournament_row = permissions.tournament_for(actor, event, tournament)
    may_see = permissions.may_see_draw(actor, tournament_row)
    if not may_see:
        if slug:
            raise NotFound
        return _BracketRequest(tournament_row, "", may_see=False)
    live = score_visibility.sees_live_scores([actor], tournament_row)
    return _BracketRequest(tournament_row, key_at(tournament_row, slug), may_see=True, live=live)


def _channels(requested: _BracketRequest, context: dict[str, Any]) -> list[uuid.UUID]:
    """The channels of the page: the event and every bracket that the page names."""
    return [event_channel(requested.tournament.event_id), *(line.id for line, _ in context["neighbours"])]


def _sheets(view: BracketView) -> list[Window]:
    """The sheets of paper: each round that is too wide for a tree, then the tree."""
    tree_limit = 0 if view.is_table else WIDEST_TREE // 2
    wide_rounds = [
        Window((row,), row.number, is_tree=False) for row in view.rounds if len(row.pairings) > tree_limit
    ]
    tree = tuple(row for row in view.rounds if len(row.pairings) <= tree_limit)
    return [*wide_rounds, Window(tree, tree[-1].number, is_tree=True)] if tree else wide_rounds


def _page_variables(request: HttpRequest, requested: _BracketRequest) -> dict[str, Any]:
    view = _visible_view(requested)
    context = _variables(requested, view) | {"is_wall": "wall" in request.GET}
    if view is None:
        return context
    context["has_swapped_seats"] = has_swapped_seats(requested.tournament)
    if view.is_table:
        lines = standing_lines(requested.tournament, requested.key)
        context |= {"lines": lines[:LINES_BELOW], "is_cut": len(lines) > LINES_BELOW}
    return context | {"window": window_on(view, _view_options(request))}


def _variables(requested: _BracketRequest, view: BracketView | None) -> dict[str, Any]:
    """Template variables of the bracket, its URLs and the other brackets."""
    tournament = requested.tournament
    brackets = list_brackets(tournament) if view is not None else []
    first = key_at(tournament, "") if brackets else requested.key
    is_ending = any(line.is_over for line in brackets)
    end = find_end(tournament) if is_ending else TournamentEnd()
    return {
        "end": end,
        "other_channels": _other_channels(view, brackets, end),
        "has_own_winner": _has_own_winner(view, end),
        "first_places": top_places(tournament) if end.is_over else [],
        "event": tournament.event,
        "tournament": tournament,
        "bracket": view,
        "is_inside": requested.live and (_is_hidden(view) or score_visibility.are_scores_private(tournament)),
        "places": places_of(tournament, requested.key or first, first),
        "has_sheet": sum(not line.is_table for line in brackets) > 1,
        "neighbours": [(line, places_of(tournament, line.key, first).page) for line in brackets],
    }


def _other_channels(
    view: BracketView | None, brackets: Iterable[BracketLine], end: TournamentEnd
) -> list[uuid.UUID]:
    """The other brackets of the tournament while the page names winners, which may change with any of them."""
    if view is None or not (end.champion or end.winners or end.is_over):
        return []
    return [line.id for line in brackets if line.id != view.id]


def _is_hidden(view: BracketView | None) -> bool:
    return view is not None and not view.is_released


def _has_own_winner(view: BracketView | None, end: TournamentEnd) -> bool:
    """True if the bracket has a winner whom `end` does not name."""
    if view is None or view.champion is None:
        return False
    return view.champion.name != end.champion and view.key not in dict(end.winners)


def _visible_view(requested: _BracketRequest) -> BracketView | None:
    """The bracket; None without a draw, and if the draw is hidden from this visitor."""
    if not requested.may_see:
        return None
    try:
        view = bracket_view(requested.tournament, requested.key, live=requested.live)
    except NotFound:
        return None
    return view if view.rounds else None


def _view_options(request: HttpRequest) -> ViewOptions:
    parameters = request.GET
    return ViewOptions(
        round=_number(parameters.get("round", "")),
        part=_number(parameters.get("part", "")),
        find=parameters.get("find", ""),
        is_wall="wall" in parameters,
    )


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 4 else None


def _etag_of(requested: _BracketRequest) -> str:
    """Changes with the bracket, and with the other brackets whose winners the page names."""
    if not requested.may_see:
        return _etag("hidden")
    stamp = stamp_of(requested.tournament, requested.key, live=requested.live)
    return _etag(f"{stamp}-{_stamp_of_decided(requested.tournament)}")


def _stamp_of_decided(tournament: Tournament) -> str:
    """Changes with every bracket that is decided: the page may name its winner."""
    return ".".join(str(line.version) if line.is_over else "" for line in list_brackets(tournament))


def _etag(stamp: str) -> str:
    return f'W/"{stamp}-{get_language()}"'
