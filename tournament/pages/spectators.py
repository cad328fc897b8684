"""For those who look on: find a player in any tournament of an event, follow some, and see what comes next for them."""

import uuid

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import conditional_page, require_POST, require_safe

from tournament import access
from tournament.errors import NotFound
from tournament.insiders import deeds
from tournament.pages.answers import answering, back_from
from tournament.pages.coming_from import pressed_here
from tournament.pages.finding import found_in
from tournament.pages.following import followed, keep_following, stop_following
from tournament.pages.fresh import telling_of
from tournament.pages.request import actor_of
from tournament.showing.followed import everybody_in, followed_in
from tournament.showing.path import entry_of

KEEPING = {"follow": keep_following, "unfollow": stop_following}


@require_safe
@answering
def find_player(request: HttpRequest, event: str) -> HttpResponse:
    """Everybody of a name, in whichever tournament."""
    found = access.event_for(actor_of(request), event)
    entries = found_in(request, everybody_in(found), lambda entry: f"{entry.player.name} {entry.public_club}")
    context = {"event": found, "found": entries, "followed": followed(request)}
    return telling_of(render(request, "public/find_player.html", context), [deeds(found.pk)])


@csrf_exempt
@pressed_here
@never_cache
@require_POST
@answering
def follow(request: HttpRequest, event: str, tournament: str, entry: uuid.UUID, action: str) -> HttpResponse:
    """Follows a player, or stops; then back to where that was pressed."""
    found = access.tournament_for(actor_of(request), event, tournament)
    known = entry_of(found, entry)
    if action not in KEEPING:
        raise NotFound
    response = redirect(back_from(request) or redirect("player-page", event, tournament, entry)["Location"])
    KEEPING[action](request, response, known.pk)
    return response


@conditional_page
@cache_control(private=True, no_cache=True)
@require_safe
@answering
def followed_fragment(request: HttpRequest, event: str) -> HttpResponse:
    """What the page of the event swaps in when something changed for those who are followed."""
    found = access.event_for(actor_of(request), event)
    context = {"event": found, "following": followed_in(found, followed(request))}
    return render(request, "public/followed_live.html", context)
