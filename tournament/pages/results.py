"""The public page of a tournament's results: winners, places and prizes at the end, and the results of all matches."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from tournament.access import permissions
from tournament.live.channels import event_channel
from tournament.pages.director.context import staff_context
from tournament.queries.brackets.bracket_list import bracket_ids, released_bracket_ids
from tournament.queries.events.ends import TournamentEnd, TournamentResult, find_result
from tournament.queries.events.winner_pictures import winner_pictures
from tournament.queries.next_steps import find_next_step
from tournament.queries.standings.posted_results import ResultLine, result_lines
from tournament.runtime.name_search import sort_key
from tournament.web.conditional import vary_by_channels
from tournament.web.error_pages import render_refusals
from tournament.web.lists import search_list
from tournament.web.request import actor_of
from tournament.web.sorting import sort_table

COLUMNS: Mapping[str, Callable[[ResultLine], Any]] = {
    "round": lambda line: line.position,
    "winner": lambda line: (not line.has_winner, sort_key(line.first.name)),
    "loser": lambda line: sort_key(line.second.name),
    "time": lambda line: (line.posted_at is not None, line.posted_at),
}


@require_safe
@render_refusals
def results_page(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    """Shows no result of a draw that is not released."""
    actor = actor_of(request)
    tournament_row = permissions.tournament_for(actor, event, tournament)
    may_see = permissions.may_see_draw(actor, tournament_row)
    lines, order = sort_table(request, result_lines(tournament_row) if may_see else [], COLUMNS)
    result = find_result(tournament_row) if may_see else TournamentResult(TournamentEnd())
    pictures = {key: row for (_, key), row in winner_pictures([tournament_row]).items()} if may_see else {}
    context = {
        "event": tournament_row.event,
        "tournament": tournament_row,
        "result": result,
        "pictures": {"all": pictures.get("")},
        "sides": [(side, pictures.get(side.bracket)) for side in result.sides],
        "list_page": search_list(request, lines, lambda line: f"{line.first.name} {line.second.name}"),
        "order": order,
        "current_tab": "results",
        "listens": released_bracket_ids(tournament_row),
        "next_step": partial(find_next_step, tournament_row),
        **staff_context(request, tournament_row.event),
    }
    with timezone.override(tournament_row.event.time_zone):
        response = render(request, "public/results.html", context)
    return vary_by_channels(response, [event_channel(tournament_row.event_id), *bracket_ids(tournament_row)])
