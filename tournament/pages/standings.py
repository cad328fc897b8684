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
from tournament.queries.brackets.bracket_list import bracket_ids, released_bracket_ids
from tournament.queries.entries.names import list_entries
from tournament.queries.events.overview import count_entries
from tournament.queries.standings.standings import list_rankings, ranking_keys
from tournament.runtime.errors import NotFound
from tournament.web.conditional import vary_by_channels
from tournament.web.lists import search_list
from tournament.web.refusals import render_refusals
from tournament.web.request import actor_of


@require_safe
@render_refusals
def entry_list(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    found = permissions.tournament_for(actor_of(request), event, tournament)
    entries = search_list(
        request, list_entries(found), lambda entry: f"{entry.player.name} {entry.public_club}"
    )
    counts = count_entries(found)
    context = {
        "event": found.event,
        "tournament": found,
        "found": entries,
        "counts": counts,
        "here": "entries",
    }
    return vary_by_channels(
        render(request, "public/entry_list.html", context), [event_channel(found.event_id)]
    )


@require_safe
@render_refusals
def standings(request: HttpRequest, event: str, tournament: str, bracket: str = "") -> HttpResponse:
    """Shows places and records of one bracket. Before the release of the draw the page has no standings."""
    actor = actor_of(request)
    found = permissions.tournament_for(actor, event, tournament)
    rankings = ranking_keys(found) if permissions.may_see_draw(actor, found) else []
    if bracket and not rankings:
        raise NotFound
    key = key_at(found, bracket) if bracket else next(iter(rankings), "")
    chosen = next(iter(list_rankings(found, key)), None) if rankings else None
    lines = chosen.lines if chosen else ()
    context = {
        "event": found.event,
        "tournament": found,
        "found": search_list(request, lines, lambda line: f"{line.name} {line.club}"),
        "lines": lines,
        "ranking": chosen,
        "key": chosen.key if chosen else "",
        "rankings": [(one, places_of(found, one, rankings[0]).standings) for one in rankings],
        "here": "standings",
        "listens": released_bracket_ids(found) if rankings else [],
    }
    response = render(request, "public/standings.html", context)
    return vary_by_channels(response, [event_channel(found.event_id), *bracket_ids(found)])


@require_safe
@render_refusals
def rules_page(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    found = permissions.tournament_for(actor_of(request), event, tournament)
    ruleset = tournament_ruleset(found)
    play = Play(
        is_stake_play=stake_play(found) is not None,
        for_a_time=found.minutes is not None,
        by_margin=Format.from_json(found.format).is_by_margin,
    )
    context = {
        "event": found.event,
        "tournament": found,
        "ruleset": ruleset,
        "lengths": lengths_in_words(found),
        "sections": [*in_words(ruleset, play), *([cards_in_words()] if found.two_cards else [])],
        "here": "rules",
    }
    return vary_by_channels(render(request, "public/rules.html", context), [event_channel(found.event_id)])
