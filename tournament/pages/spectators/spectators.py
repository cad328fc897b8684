"""Spectator pages: find players in all tournaments of an event, follow them, and see their next matches."""

import uuid

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import conditional_page, require_POST, require_safe

from tournament.access import permissions
from tournament.live.channels import event_channel
from tournament.pages.spectators.following import followed, start_following, stop_following
from tournament.queries.entries.followed import followed_players, list_event_entries
from tournament.queries.entries.path import find_entry
from tournament.runtime.errors import NotFound
from tournament.web.conditional import vary_by_channels
from tournament.web.error_pages import referring_page, render_refusals
from tournament.web.lists import search_list
from tournament.web.origin_check import check_origin
from tournament.web.request import actor_of

KEEPING = {"follow": start_following, "unfollow": stop_following}


@require_safe
@render_refusals
def find_player(request: HttpRequest, event: str) -> HttpResponse:
    """Searches the entries of all tournaments of the event by name."""
    event_row = permissions.event_for(actor_of(request), event)
    entries = search_list(
        request, list_event_entries(event_row), lambda entry: f"{entry.player.name} {entry.public_club}"
    )
    context = {"event": event_row, "list_page": entries, "followed": followed(request)}
    return vary_by_channels(
        render(request, "public/find_player.html", context), [event_channel(event_row.pk)]
    )


@csrf_exempt
@check_origin
@never_cache
@require_POST
@render_refusals
def follow(request: HttpRequest, event: str, tournament: str, entry: uuid.UUID, action: str) -> HttpResponse:
    """Starts or stops following a player, then redirects to the page with the button."""
    tournament_row = permissions.tournament_for(actor_of(request), event, tournament)
    entry_row = find_entry(tournament_row, entry)
    if action not in KEEPING:
        raise NotFound
    response = redirect(
        referring_page(request) or redirect("player-page", event, tournament, entry)["Location"]
    )
    KEEPING[action](request, response, entry_row.pk)
    return response


@conditional_page
@cache_control(private=True, no_cache=True)
@require_safe
@render_refusals
def followed_fragment(request: HttpRequest, event: str) -> HttpResponse:
    """Returns the live part of the event page, with the followed players."""
    event_row = permissions.event_for(actor_of(request), event)
    context = {"event": event_row, "following": followed_players(event_row, followed(request))}
    return render(request, "public/followed_live.html", context)
