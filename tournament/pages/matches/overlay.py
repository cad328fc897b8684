"""The overlay of one match for a stream: a transparent page that a program for streaming lays over its picture.

Public like the match's own page and no more; how it looks is said in its address. While there is nothing to see, it
is an empty page that looks again.
"""

import uuid
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from tournament.access import permissions
from tournament.access.actors import STRANGER
from tournament.models import Pairing
from tournament.queries.matches.match import match_stamp
from tournament.queries.matches.overlay import load_overlay
from tournament.runtime.errors import NotFound
from tournament.web.conditional import Readers, conditional_response, vary_by_channels

SIDES = ("top", "bottom")
THEMES = ("dark", "light", "plain")
SCALES = (50, 75, 100, 125, 150, 200, 250, 300)


@dataclass(frozen=True, slots=True)
class OverlayStyle:
    """`scale` in percent, one of SCALES. Whatever is not known in the address is as usual."""

    side: str
    theme: str
    scale: int
    tells_chance: bool
    tells_flags: bool


@require_safe
def overlay(request: HttpRequest, event: str, tournament: str, match: uuid.UUID) -> HttpResponse:
    """The page, for everybody alike: a director who is signed in sees what goes out."""
    try:
        pairing = _load_pairing(event, tournament, match)
        etag = _etag(pairing)
        return render(request, "overlay/overlay.html", _context(request, pairing) | {"etag": etag})
    except NotFound:
        return render(request, "overlay/not_found.html", status=404)


@require_safe
def overlay_fragment(request: HttpRequest, event: str, tournament: str, match: uuid.UUID) -> HttpResponse:
    """What the page swaps in; 304 without building it when nothing has changed."""
    try:
        pairing = _load_pairing(event, tournament, match)
    except NotFound:
        return render(request, "overlay/not_found.html", status=404)

    def make() -> HttpResponse:
        response = render(request, "overlay/live.html", _context(request, pairing))
        return vary_by_channels(response, [pairing.round.bracket_id], Readers.EVERYBODY)

    return conditional_response(request, _etag(pairing), make)


def _load_pairing(event: str, tournament: str, match: uuid.UUID) -> Pairing:
    """As a stranger finds it: of a draw that is not released nothing is to be seen."""
    return permissions.visible_pairing(
        STRANGER, permissions.tournament_for(STRANGER, event, tournament), match
    )


def _context(request: HttpRequest, pairing: Pairing) -> dict[str, Any]:
    if pairing.match is None:
        raise NotFound
    return {
        "overlay": load_overlay(pairing, pairing.match),
        "look": _style(request),
        "tournament": pairing.round.bracket.tournament,
    }


def _style(request: HttpRequest) -> OverlayStyle:
    parameters = request.GET
    return OverlayStyle(
        side=parameters.get("side", "") if parameters.get("side") in SIDES else "bottom",
        theme=parameters.get("theme", "") if parameters.get("theme") in THEMES else "dark",
        scale=_scale(parameters.get("scale", "")),
        tells_chance=parameters.get("chance") != "no",
        tells_flags=parameters.get("flags") != "no",
    )


def _scale(text: str) -> int:
    """The scale nearest to what is asked for, where that is a number."""
    whole, _, part = text.partition(".")
    is_number = text.isascii() and whole.isdecimal() and (part.isdecimal() or not part) and len(text) < 6
    percent = 100 * float(text) if is_number else 100
    return min(SCALES, key=lambda one: abs(one - percent))


def _etag(pairing: Pairing) -> str:
    return f'W/"o-{match_stamp(pairing)}-{get_language()}"'
