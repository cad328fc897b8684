"""Public pages of a tournament: the entry list, the standings and the rules."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from tournament.access import permissions
from tournament.brackets.clocks import tournament_ruleset
from tournament.brackets.lengths import stake_play
from tournament.draw.formats import Format
from tournament.draw.standings import Unplayed
from tournament.live.channels import event_channel
from tournament.models import Entry, Tournament
from tournament.pages.brackets.addresses import key_at
from tournament.pages.director.context import staff_context
from tournament.pages.rules.lengths import lengths_in_words
from tournament.pages.rules.texts import Play, cards_in_words, in_words
from tournament.pages.tournaments.ruleset_forms import translate_title
from tournament.places.certain import FINAL_RANKING
from tournament.queries.brackets.bracket_list import bracket_ids, released_bracket_ids
from tournament.queries.brackets.labels import bracket_slug
from tournament.queries.entries.names import list_entries
from tournament.queries.events.overview import EntryCounts, count_entries
from tournament.queries.money.prizes import public_prizes
from tournament.queries.standings.crosstables import crosstables, has_crosstables
from tournament.queries.standings.final_ranking import final_ranking, groups_of
from tournament.queries.standings.lines import StandingLine
from tournament.queries.standings.standings import Ranking, list_rankings
from tournament.runtime.errors import NotFound
from tournament.runtime.name_search import sort_key
from tournament.web.conditional import vary_by_channels
from tournament.web.error_pages import render_refusals
from tournament.web.lists import search_list
from tournament.web.request import actor_of
from tournament.web.sorting import sort_table

GROUPS = "groups"
"""The address of the page with all groups. No bracket has this key."""
ENTRY_COLUMNS: Mapping[str, Callable[[Entry], Any]] = {
    "name": lambda entry: sort_key(entry.player.name),
    "country": lambda entry: (not entry.player.country, entry.player.country),
    "club": lambda entry: (not entry.public_club, sort_key(entry.public_club)),
    "seed": lambda entry: (entry.seed is None, entry.seed),
}
STANDING_COLUMNS: Mapping[str, Callable[[StandingLine], Any]] = {
    "place": lambda line: (line.place_from, line.place_to),
    "name": lambda line: sort_key(line.name),
    "won": lambda line: (-line.won, line.lost),
    "lost": lambda line: (line.lost, -line.won),
    "points": lambda line: -line.points_difference,
}


@dataclass(frozen=True, slots=True)
class _Tab:
    """One list of places: a bracket, all groups, or the final ranking."""

    key: str
    address: str


@require_safe
@render_refusals
def entry_list(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    tournament_row = permissions.tournament_for(actor_of(request), event, tournament)
    entries, order = sort_table(request, list_entries(tournament_row), ENTRY_COLUMNS)
    context = {
        "event": tournament_row.event,
        "tournament": tournament_row,
        "list_page": search_list(
            request, entries, lambda entry: f"{entry.player.name} {entry.public_club} {entry.player.country}"
        ),
        "order": order,
        "counts": count_entries(tournament_row),
        "current_tab": "entries",
    }
    return vary_by_channels(
        render(request, "public/entry_list.html", context), [event_channel(tournament_row.event_id)]
    )


@require_safe
@render_refusals
def standings(request: HttpRequest, event: str, tournament: str, bracket: str = "") -> HttpResponse:
    """Shows places and records of one bracket, all groups, or the final ranking over groups and play-off.

    Before the release of the draw the page has no standings.
    """
    actor = actor_of(request)
    tournament_row = permissions.tournament_for(actor, event, tournament)
    is_visible = permissions.may_see_draw(actor, tournament_row)
    rankings = list_rankings(tournament_row) if is_visible else []
    if bracket and not rankings:
        raise NotFound
    tabs = _tabs(tournament_row, rankings)
    key = _requested_key(tournament_row, bracket, tabs) if rankings else ""
    ranking = _ranking_of(rankings, key)
    lines, order = sort_table(request, ranking.lines if ranking else (), STANDING_COLUMNS)
    tables = crosstables(tournament_row, rankings) if has_crosstables(tournament_row) else []
    context = {
        "event": tournament_row.event,
        "tournament": tournament_row,
        "list_page": search_list(request, lines, lambda line: f"{line.name} {line.club}"),
        "order": order,
        "lines": lines,
        "counts": _count_lines(lines),
        "ranking": ranking,
        "bye_rule": _winning_bye(tournament_row, lines),
        "crosstables": [table for table in tables if key in (table.key, GROUPS)],
        "key": key,
        "tabs": tabs,
        "current_tab": "standings",
        "public_prizes": public_prizes(tournament_row),
        "listens": released_bracket_ids(tournament_row) if rankings else [],
        **staff_context(request, tournament_row.event),
    }
    response = render(request, "public/standings.html", context)
    return vary_by_channels(response, [event_channel(tournament_row.event_id), *bracket_ids(tournament_row)])


def _winning_bye(tournament: Tournament, lines: Sequence[StandingLine]) -> Unplayed | None:
    """The worth of the byes in these lines, if they count as wins."""
    bye = Format.from_json(tournament.format).standings.counting.bye
    return bye if bye.wins and any(line.byes for line in lines) else None


def _count_lines(lines: Sequence[StandingLine]) -> EntryCounts:
    withdrawn = sum(line.is_withdrawn for line in lines)
    return EntryCounts(entered=len(lines) - withdrawn, withdrawn=withdrawn)


def _tabs(tournament: Tournament, rankings: Sequence[Ranking]) -> list[_Tab]:
    """The lists of places of a tournament; the first one has the address without a bracket."""
    slugs = [tournament.event.slug, tournament.slug]
    groups = [group.key for group in groups_of(rankings)]
    whole = final_ranking(rankings)
    keys = [
        *([FINAL_RANKING] if groups and whole is not None and whole.key == FINAL_RANKING else []),
        *([GROUPS] if groups else []),
        *(ranking.key for ranking in rankings if ranking.key not in groups),
    ]
    return [
        _Tab(
            key,
            reverse("side-standings", args=[*slugs, bracket_slug(key)])
            if at
            else reverse("standings", args=slugs),
        )
        for at, key in enumerate(keys)
    ]


def _requested_key(tournament: Tournament, bracket: str, tabs: Sequence[_Tab]) -> str:
    """Returns the key of a tab or of a single group. Raises NotFound."""
    if not bracket:
        return tabs[0].key
    matching = (tab.key for tab in tabs if bracket == bracket_slug(tab.key))
    return next(matching, None) or key_at(tournament, bracket)


def _ranking_of(rankings: Sequence[Ranking], key: str) -> Ranking | None:
    """Returns the list that ranks this bracket, or the final ranking; None for all groups."""
    if key == FINAL_RANKING:
        return final_ranking(rankings)
    return next((ranking for ranking in rankings if key in ranking.brackets), None)


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
        "play": play,
        "ruleset_title": translate_title(ruleset.title),
        "lengths": lengths_in_words(tournament_row),
        "sections": [*in_words(ruleset, play), *([cards_in_words()] if tournament_row.two_cards else [])],
        "current_tab": "rules",
    }
    return vary_by_channels(
        render(request, "public/rules.html", context), [event_channel(tournament_row.event_id)]
    )
