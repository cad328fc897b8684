"""The pages of a player's phone: the personal link and the player's matches."""

import uuid

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import conditional_page, require_POST, require_safe

from tournament.access import permissions, score_visibility
from tournament.access.actors import Actor
from tournament.accounts import links
from tournament.live import channels
from tournament.live.channels import event_channel
from tournament.pages.spectators.following import followed
from tournament.queries.brackets.bracket_list import bracket_ids
from tournament.queries.entries.path import Path, find_entry, load_path
from tournament.queries.entries.path_state import PathState
from tournament.queries.events.ends import final_places, mark_finished
from tournament.queries.jackpots import has_jackpot
from tournament.queries.money.player_statement import has_money
from tournament.queries.money.settlements import matches_with_proposals
from tournament.queries.standings.standings import standings_of_path
from tournament.web.conditional import Readers, vary_by_channels
from tournament.web.error_pages import render_refusals
from tournament.web.page_rate_limits import too_many_requests, wait_after_wrong_link
from tournament.web.request import actor_of, actors_of, delete_tokens, players_of, store_token, tokens_of
from tournament.web.unknown_phones import unknown_phone

ENDED = (PathState.OUT, PathState.CHAMPION, PathState.BRACKET_WON, PathState.FINISHED)
"""The entry plays no further match, so that its places are final, or will be when others have played."""


@never_cache
@require_safe
@render_refusals
def personal_link(request: HttpRequest, token: str) -> HttpResponse:
    """Moves the token from the address to the phone's cookie, so that the browser history does not show it."""
    link = permissions.open_link(token)
    if link is None:
        seconds = wait_after_wrong_link(request)
        return too_many_requests(request, seconds) if seconds else unknown_phone(request, [token], 404)
    links.record_connection([link])
    response = redirect("my-matches")
    store_token(request, response, token)
    return response


@never_cache
@require_safe
@render_refusals
def my_matches(request: HttpRequest) -> HttpResponse:
    """Lists the upcoming matches of each player of this phone, then the finished matches."""
    return _matches(request, "player/my_matches.html")


@conditional_page
@cache_control(private=True, no_cache=True)
@require_safe
@render_refusals
def my_matches_fragment(request: HttpRequest) -> HttpResponse:
    """Returns the live part of the page. The phone requests it after a change in a bracket of its players."""
    return _matches(request, "player/my_matches_live.html")


@require_safe
@render_refusals
def player_page(request: HttpRequest, event: str, tournament: str, entry: uuid.UUID) -> HttpResponse:
    """Shows a player's path through the draw. Public."""
    tournament_row = permissions.tournament_for(actor_of(request), event, tournament)
    entry_row = find_entry(tournament_row, entry)
    live = score_visibility.sees_live_scores(actors_of(request), tournament_row, {entry_row.pk})
    path = mark_finished(load_path(entry_row, live=live))
    context = {
        "event": tournament_row.event,
        "tournament": tournament_row,
        "path": path,
        "current_tab": "entries",
        "is_followed": path.entry.pk in followed(request),
    }
    response = render(request, "public/player.html", context | {"standings": standings_of_path(path)})
    is_private = score_visibility.are_scores_private(tournament_row)
    readers = Readers.STRANGERS if is_private else Readers.PLAYERS
    return vary_by_channels(
        response, [event_channel(tournament_row.event_id), *bracket_ids(tournament_row)], readers
    )


@never_cache
@require_POST
def forget_phone(request: HttpRequest) -> HttpResponse:  # noqa: ARG001
    """Deletes the links of a lent phone from its cookie."""
    response = redirect("home")
    delete_tokens(response)
    return response


def _matches(request: HttpRequest, template: str) -> HttpResponse:
    players = players_of(request)
    links.record_connection(player.link for player in players if player.link)
    paths = [path for player in players if (path := _path(player)) is not None]
    if not paths:
        return _nobody_yet(request)
    matches = [meeting.match_id for path in paths for meeting in path.upcoming if meeting.match_id]
    private_channels = [channels.private_channel(match) for match in matches]
    brackets = [*(bracket for path in paths for bracket in path.brackets), *private_channels]
    can_settle = any(path.tournament.has_money for path in paths)
    context = {
        "days": [(path, final_places(path.entry) if path.state in ENDED else []) for path in paths],
        "brackets": brackets,
        "can_be_called": any(path.state not in (*ENDED, PathState.WITHDRAWN) for path in paths),
        "has_money": has_money([path.entry.player_id for path in paths]),
        "proposed": matches_with_proposals(matches, [path.entry.pk for path in paths]) if can_settle else (),
        "has_jackpot": has_jackpot([path.tournament for path in paths]),
    }
    return render(request, template, context)


def _nobody_yet(request: HttpRequest) -> HttpResponse:
    """Sends a phone that waits for approval to its waiting page. Other phones get the advice to scan a code."""
    waiting = next((link for link in permissions.any_links(tokens_of(request)) if link.is_waiting), None)
    if waiting is not None:
        return redirect("poster-wait", waiting.entry.tournament.event.slug)
    return unknown_phone(request, tokens_of(request), 403)


def _path(player: Actor) -> Path | None:
    if player.entry is None:
        return None
    return mark_finished(load_path(player.entry, live=True, for_phone=True))
