"""What a screen in the hall opens by its link: the page, the slides that it fetches again, and their pictures.

No cookie is asked for or set, and nothing here is more than a stranger may see. A link that is revoked or unknown is
answered by one sentence, on a page that looks again by itself.
"""

import uuid
from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from tournament.models import DisplayLink
from tournament.queries.screens.making import deck_of, deck_stamp
from tournament.queries.screens.shown import Deck
from tournament.runtime.errors import NotFound
from tournament.runtime.images import content_type
from tournament.screens.display_links import open_display
from tournament.screens.plan import Plan
from tournament.screens.slides import slide_in
from tournament.web.conditional import Readers, conditional_response, vary_by_channels
from tournament.web.edition import edition
from tournament.web.too_many_requests import too_many_requests, wait_after_wrong_link

Rest = ParamSpec("Rest")


def for_a_screen(
    view: Callable[Concatenate[HttpRequest, DisplayLink, Rest], HttpResponse],
) -> Callable[..., HttpResponse]:
    """The link of this token, and the clocks of its event."""

    @wraps(view)
    def found(request: HttpRequest, /, token: str, *args: Rest.args, **kwargs: Rest.kwargs) -> HttpResponse:
        try:
            link = open_display(token)
            with timezone.override(link.event.time_zone):
                response = view(request, link, *args, **kwargs)
        except NotFound:
            seconds = wait_after_wrong_link(request)
            unknown = render(request, "screen/unknown.html", status=404)
            response = too_many_requests(request, seconds) if seconds else unknown
        response.headers["X-Robots-Tag"] = "noindex"
        return response

    return require_safe(found)


@for_a_screen
def screen(request: HttpRequest, link: DisplayLink) -> HttpResponse:
    """The whole page with one slide shown, `?n=`: by script it goes on by itself, without it by loading the next."""
    etag = _etag(link)
    deck = deck_of(link)
    number = _number(request.GET.get("n", "")) % len(deck.slides)
    context = {
        "event": link.event,
        "theme": Plan.from_json(link.plan).theme.value,
        "etag": etag,
        "shown": deck.slides[number],
        "next": (number + 1) % len(deck.slides),
        "address": request.path,
        **_context(deck),
    }
    response = render(request, "screen/screen.html", context)
    response.headers["Cache-Control"] = "private, no-cache"
    return response


@for_a_screen
def screen_deck(request: HttpRequest, link: DisplayLink) -> HttpResponse:
    """Every slide; 304 without making them when nothing has changed."""

    def make() -> HttpResponse:
        deck = deck_of(link)
        response = render(request, "screen/deck.html", _context(deck))
        return vary_by_channels(response, deck.listens, Readers.EVERYBODY)

    return conditional_response(request, _etag(link), make)


@for_a_screen
def screen_picture(request: HttpRequest, link: DisplayLink, slide: uuid.UUID) -> HttpResponse:  # noqa: ARG001
    found = slide_in(link.event, slide)
    if not found.picture_size:
        raise NotFound
    picture = bytes(found.picture)
    headers = {
        "Cache-Control": "private, max-age=86400",
        "Content-Security-Policy": "default-src 'none'; sandbox",
    }
    return HttpResponse(picture, content_type=content_type(picture), headers=headers)


def _context(deck: Deck) -> dict[str, Any]:
    return {"deck": deck, "edition": edition()}


def _etag(link: DisplayLink) -> str:
    return f'W/"{link.pk.hex[:8]}-{deck_stamp(link)}-{edition()}-{get_language()}"'


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 4 else 0
