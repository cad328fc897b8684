"""Public pages of a tournament: the entry list, the standings and the rules."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournament.access import permissions
from tournament.brackets.clocks import tournament_ruleset
from tournament.brackets.lengths import stake_play
from tournament.draw.formats import Format
from tournament.live.channels import event_channel
from tournament.pages.brackets.addresses import key_at, places_of
from tournament.pages.rules.lengths import lengths_in_words
from tournament.pages.rules.texts import Play, cards_in_words, in_words
from tournament.pages.tournaments.ruleset_forms import translate_title
from tournament.queries.brackets.bracket_list import bracket_ids, released_bracket_ids
from tournament.queries.entries.names import list_entries
from tournament.queries.events.overview import count_entries
from tournament.queries.standings.standings import list_rankings, ranking_keys
from tournament.runtime.errors import NotFound
from tournament.web.conditional import vary_by_channels
from tournament.web.error_pages import render_refusals
from tournament.web.lists import search_list
from tournament.web.request import actor_of


@require_safe
@render_refusals
def entry_list(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    tournament_row = permissions.tournament_for(actor_of(request), event, tournament)
    entries = search_list(
        request, list_entries(tournament_row), lambda entry: f"{entry.player.name} {entry.public_club}"
    )
    counts = count_entries(tournament_row)
    context = {
        "event": tournament_row.event,
        "tournament": tournament_row,
        "list_page": entries,
        "counts": counts,
        "current_tab": "entries",
    }
    return vary_by_channels(
        render(request, "public/entry_list.html", context), [event_channel(tournament_row.event_id)]
    )


@require_safe
@render_refusals
def standings(request: HttpRequest, event: str, tournament: str, bracket: str = "") -> HttpResponse:
    """Shows places and records of one bracket. Before the release of the draw the page has no standings."""
    actor = actor_of(request)
    tournament_row = permissions.tournament_for(actor, event, tournament)
    rankings = ranking_keys(tournament_row) if permissions.may_see_draw(actor, tournament_row) else []
    if bracket and not rankings:
        raise NotFound
    key = key_at(tournament_row, bracket) if bracket else next(iter(rankings), "")
    ranking = next(iter(list_rankings(tournament_row, key)), None) if rankings else None
    lines = ranking.lines if ranking else ()
    context = {
        "event": tournament_row.event,
        "tournament": tournament_row,
        "list_page": search_list(request, lines, lambda line: f"{line.name} {line.club}"),
        "lines": lines,
        "ranking": ranking,
        "key": ranking.key if ranking else "",
        "rankings": [
            (ranking_key, places_of(tournament_row, ranking_key, rankings[0]).standings)
            for ranking_key in rankings
        ],
        "current_tab": "standings",
        "listens": released_bracket_ids(tournament_row) if rankings else [],
    }
    response = render(request, "public/standings.html", context)
    return vary_by_channels(response, [event_channel(tournament_row.event_id), *bracket_ids(tournament_row)])


@require_safe
@render_refusals
def rules_page(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    tournament_row = permissions.tournament_for(actor_of(request), event, tournament)
    ruleset = tournament_ruleset(tournament_row)
    play = Play(
        is_stake_play=stake_play(tournament_row) is not None,
        for_a_time=tournament_row.minutes is not None,
        by_margin=Format.from_json(tournament_row.format).is_by_margin,
    )
    context = {
        "event": tournament_row.event,
        "tournament": tournament_row,
        "ruleset_title": translate_title(ruleset.title),
        "lengths": lengths_in_words(tournament_row),
        "sections": [*in_words(ruleset, play), *([cards_in_words()] if tournament_row.two_cards else [])],
        "current_tab": "rules",
    }
    return vary_by_channels(
        render(request, "public/rules.html", context), [event_channel(tournament_row.event_id)]
    )
