"""The overlay of one match, or of the match at one table, for a stream: a transparent page for streaming software.

It has the same visibility as the match's public page. The query parameters select its style. While the match is not
visible, the page is empty and reloads itself.
"""

import uuid
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from tournament.access import permissions
from tournament.access.actors import Actor
from tournament.live.channels import event_channel
from tournament.models import Event, Pairing
from tournament.queries.brackets.bracket_list import bracket_ids, released_bracket_ids
from tournament.queries.matches.match import match_stamp
from tournament.queries.matches.overlay import load_overlay
from tournament.queries.room.called import latest_pairing_at
from tournament.queries.room.tables import room_of_event, table_of_event
from tournament.runtime.errors import NotFound
from tournament.web.conditional import conditional_response, vary_by_channels
from tournament.web.request import keys_of

SIDES = ("top", "bottom")
THEMES = ("dark", "light", "plain")
SCALES = (50, 75, 100, 125, 150, 200, 250, 300)


@dataclass(frozen=True, slots=True)
class OverlayStyle:
    """`scale` in percent, one of SCALES. Unknown query parameters get their defaults."""

    side: str
    theme: str
    scale: int
    tells_chance: bool
    tells_flags: bool
    tells_clock: bool


@require_safe
def overlay(request: HttpRequest, event: str, tournament: str, match: uuid.UUID) -> HttpResponse:
    """Renders the same page for everybody, so that a signed-in director sees what the stream shows."""
    try:
        pairing = _load_pairing(request, event, tournament, match)
        etag = _etag(pairing)
        place = [event, tournament, match]
        live = {"live_url": reverse("overlay-fragment", args=place), "listens": [pairing.round.bracket_id]}
        return render(request, "overlay/overlay.html", _context(request, pairing) | live | {"etag": etag})
    except NotFound:
        return render(request, "overlay/not_found.html", status=404)


@require_safe
def overlay_fragment(request: HttpRequest, event: str, tournament: str, match: uuid.UUID) -> HttpResponse:
    """Returns the live part of the page, or 304 without rendering it if nothing has changed."""
    try:
        pairing = _load_pairing(request, event, tournament, match)
    except NotFound:
        return render(request, "overlay/not_found.html", status=404)

    def make() -> HttpResponse:
        response = render(request, "overlay/live.html", _context(request, pairing))
        return vary_by_channels(response, [pairing.round.bracket_id])

    return conditional_response(request, _etag(pairing), make)


@require_safe
def table_overlay(request: HttpRequest, event: str, table: int) -> HttpResponse:
    """Shows the match called last to this table. It stays on the page after its end, until the next call."""
    try:
        event_row, pairing = _pairing_at_table(request, event, table)
    except NotFound:
        return render(request, "overlay/not_found.html", status=404)
    context = _table_context(request, event_row, pairing) | {
        "live_url": reverse("table-overlay-fragment", args=[event_row.slug, table]),
        "etag": _table_etag(pairing),
    }
    return render(request, "overlay/overlay.html", context)


@require_safe
def table_overlay_fragment(request: HttpRequest, event: str, table: int) -> HttpResponse:
    try:
        event_row, pairing = _pairing_at_table(request, event, table)
    except NotFound:
        return render(request, "overlay/not_found.html", status=404)

    def make() -> HttpResponse:
        context = _table_context(request, event_row, pairing)
        response = render(request, "overlay/live.html", context)
        room = room_of_event(event_row)
        channels = [event_channel(event_row.pk), *([room.pk] if room else []), *bracket_ids(event_row)]
        return vary_by_channels(response, channels)

    return conditional_response(request, _table_etag(pairing), make)


def _pairing_at_table(request: HttpRequest, event: str, table: int) -> tuple[Event, Pairing | None]:
    """Returns None while no match at this table is public. Raises NotFound for an unknown event or table."""
    visitor = _visitor(request)
    event_row = permissions.event_for(visitor, event)
    called = latest_pairing_at(table_of_event(event_row, table))
    if called is None:
        return event_row, None
    tournament = called.round.bracket.tournament
    try:
        visible = permissions.tournament_for(visitor, event, tournament.slug)
        return event_row, permissions.visible_pairing(visitor, visible, called.match_id or uuid.UUID(int=0))
    except NotFound:
        return event_row, None


def _table_context(request: HttpRequest, event: Event, pairing: Pairing | None) -> dict[str, Any]:
    room = room_of_event(event)
    visible = permissions.visible_tournaments(_visitor(request), event)
    listens = [*([room.pk] if room else []), *released_bracket_ids(*visible)]
    context = _context(request, pairing) if pairing else {"look": _style(request)}
    return context | {"listens": listens}


def _table_etag(pairing: Pairing | None) -> str:
    return f'W/"t-{pairing.pk}-{match_stamp(pairing)}-{get_language()}"' if pairing else 'W/"t-empty"'


def _visitor(request: HttpRequest) -> Actor:
    """A stranger with the keys of the address."""
    return Actor(visibility_keys=tuple(keys_of(request)))


def _load_pairing(request: HttpRequest, event: str, tournament: str, match: uuid.UUID) -> Pairing:
    """Returns the pairing as a stranger with the keys of the address may see it. Raises NotFound before the release."""
    visitor = _visitor(request)
    return permissions.visible_pairing(visitor, permissions.tournament_for(visitor, event, tournament), match)


def _context(request: HttpRequest, pairing: Pairing) -> dict[str, Any]:
    if pairing.match is None:
        raise NotFound
    return {"overlay": load_overlay(pairing, pairing.match), "match": pairing.match, "look": _style(request)}


def _style(request: HttpRequest) -> OverlayStyle:
    parameters = request.GET
    return OverlayStyle(
        side=parameters.get("side", "") if parameters.get("side") in SIDES else "bottom",
        theme=parameters.get("theme", "") if parameters.get("theme") in THEMES else "dark",
        scale=_scale(parameters.get("scale", "")),
        tells_chance=parameters.get("chance") != "no",
        tells_flags=parameters.get("flags") != "no",
        tells_clock=parameters.get("clock") == "yes",
    )


def _scale(text: str) -> int:
    """Returns the scale nearest to the requested number; 100 if the text is not a number."""
    whole, _, part = text.partition(".")
    is_number = text.isascii() and whole.isdecimal() and (part.isdecimal() or not part) and len(text) < 6
    percent = 100 * float(text) if is_number else 100
    return min(SCALES, key=lambda scale: abs(scale - percent))


def _etag(pairing: Pairing) -> str:
    return f'W/"o-{match_stamp(pairing)}-{get_language()}"'
