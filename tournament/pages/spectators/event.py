"""The public page of an event: matches on now, results and winners of all its tournaments, and its live fragment.

The live part is the same for everybody who may see the same tournaments, so that all viewers share one response.
"""

import hashlib
import uuid
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from tournament.access import permissions
from tournament.access.permissions import Capability
from tournament.live.channels import event_channel
from tournament.models import Event, Tournament, Visibility
from tournament.pages.spectators.following import followed
from tournament.queries.brackets.bracket_list import bracket_ids, released_bracket_ids
from tournament.queries.entries.followed import followed_players
from tournament.queries.events.live_matches import live_matches
from tournament.queries.events.overview import Step, event_overview
from tournament.queries.events.winner_pictures import winner_pictures
from tournament.queries.room.tables import room_of_event
from tournament.queries.standings.leaders import find_leaders
from tournament.queries.standings.posted_results import latest_results
from tournament.web.conditional import Readers, conditional_response, vary_by_channels
from tournament.web.error_pages import render_refusals
from tournament.web.request import actor_of

MOST_RESULTS = 10
ORDER = {Step.PLAY: 0, Step.OVER: 2}
"""Tournaments in play come first, finished ones last."""


@dataclass(frozen=True, slots=True)
class _LivePart:
    """The rendered live part. `channels` publish all its changes."""

    html: SafeString
    etag: str
    channels: tuple[uuid.UUID, ...]


@require_safe
@render_refusals
def event_page(request: HttpRequest, event: str) -> HttpResponse:
    actor = actor_of(request)
    event_row = permissions.event_for(actor, event)
    visible = permissions.visible_tournaments(actor, event_row)
    tournaments = [row for row in visible if row.archived_at is None]
    live = _live_part(event_row, tournaments)
    context = {
        "event": event_row,
        "live": live,
        "archived": [row for row in visible if row.archived_at is not None],
        "has_tournaments": bool(tournaments),
        "following": followed_players(event_row, followed(request)),
        "can_desk": permissions.may(actor, event_row, Capability.DESK),
    }
    response = render(request, "public/event.html", context)
    return vary_by_channels(response, live.channels, _readers(event_row))


@require_safe
@render_refusals
def event_fragment(request: HttpRequest, event: str) -> HttpResponse:
    """The part that the live page replaces."""
    actor = actor_of(request)
    event_row = permissions.event_for(actor, event)
    visible = permissions.visible_tournaments(actor, event_row)
    live = _live_part(event_row, [row for row in visible if row.archived_at is None])
    return conditional_response(
        request,
        live.etag,
        lambda: vary_by_channels(HttpResponse(live.html), live.channels, _readers(event_row)),
    )


def _readers(event: Event) -> Readers:
    """Players see their own hidden tournaments."""
    has_hidden = event.tournaments.exclude(visibility=Visibility.PUBLIC).exists()
    return Readers.STRANGERS if has_hidden else Readers.PLAYERS


def _live_part(event: Event, tournaments: list[Tournament]) -> _LivePart:
    overview = event_overview(event, tournaments)
    playing = [row.tournament for row in overview.tournaments if row.step is Step.PLAY]
    room = room_of_event(event)
    room_channel = [room.pk] if room else []
    leaders = find_leaders(playing)
    pictures = winner_pictures([row.tournament for row in overview.tournaments if row.step is Step.OVER])
    context = {
        "event": event,
        "summaries": [
            (row, leaders.get(row.tournament.pk, ()), pictures.get((row.tournament.pk, "")))
            for row in sorted(overview.tournaments, key=lambda row: ORDER.get(row.step, 1))
        ],
        "live": live_matches(playing),
        "latest": [
            (line, _tournament_of(line.tournament_id, tournaments))
            for line in latest_results(tournaments, MOST_RESULTS)
        ],
        "schedule": sorted(
            (at, number, row.name) for row in tournaments for number, at in row.planned_times.items()
        ),
        "listens": [event.pk, *room_channel, *released_bracket_ids(*tournaments)],
    }
    with timezone.override(event.time_zone):
        html = render_to_string("public/event_live.html", context)
    digest = hashlib.sha256(html.encode()).hexdigest()[:20]
    channels = (event_channel(event.pk), *room_channel, *bracket_ids(event))
    return _LivePart(html, f'W/"{digest}-{get_language()}"', channels)


def _tournament_of(tournament_id: uuid.UUID, tournaments: list[Tournament]) -> Tournament:
    return next(row for row in tournaments if row.pk == tournament_id)
