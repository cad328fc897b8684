"""Pages that a screen in the hall opens by its link: the page, its slides for refresh, and their pictures.

They use no cookies and contain only public data. A revoked or unknown link gets a page that reloads automatically.
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
from tournament.queries.events.logos import find_logo
from tournament.queries.screens.deck import Deck, deck_stamp, load_deck
from tournament.runtime.errors import NotFound
from tournament.runtime.images import content_type
from tournament.screens.display_links import display_by_token
from tournament.screens.plan import Plan
from tournament.screens.slides import slide_of_event
from tournament.web.conditional import conditional_response, vary_by_channels
from tournament.web.downloads import logo_response
from tournament.web.edition import edition
from tournament.web.page_rate_limits import too_many_requests, wait_after_wrong_link

Rest = ParamSpec("Rest")


def screen_view(
    view: Callable[Concatenate[HttpRequest, DisplayLink, Rest], HttpResponse],
) -> Callable[..., HttpResponse]:
    """Decorates a view of a screen: loads the link of the token and sets the time zone of its event."""

    def answer(
        request: HttpRequest, link: DisplayLink, *args: Rest.args, **kwargs: Rest.kwargs
    ) -> HttpResponse:
        """A screen may still ask for a picture that was replaced. Its link is not wrong."""
        try:
            with timezone.override(link.event.time_zone):
                return view(request, link, *args, **kwargs)
        except NotFound:
            return _unknown(request)

    @wraps(view)
    def wrapper(request: HttpRequest, /, token: str, *args: Rest.args, **kwargs: Rest.kwargs) -> HttpResponse:
        try:
            link = display_by_token(token)
        except NotFound:
            seconds = wait_after_wrong_link(request)
            response = too_many_requests(request, seconds) if seconds else _unknown(request)
        else:
            response = answer(request, link, *args, **kwargs)
        response.headers["X-Robots-Tag"] = "noindex"
        return response

    return require_safe(wrapper)


def _unknown(request: HttpRequest) -> HttpResponse:
    return render(request, "screen/unknown.html", status=404)


@screen_view
def screen(request: HttpRequest, link: DisplayLink) -> HttpResponse:
    """The whole page with slide `?n=`. A script shows the next slides; without scripts the page loads the next one."""
    etag = _etag(link)
    deck = load_deck(link)
    number = _number(request.GET.get("n", "")) % len(deck.slides)
    context = {
        "event": link.event,
        "theme": Plan.from_json(link.plan).theme.value,
        "etag": etag,
        "current": deck.slides[number],
        "next": (number + 1) % len(deck.slides),
        "address": request.path,
        **_context(link, deck),
    }
    response = render(request, "screen/screen.html", context)
    response.headers["Cache-Control"] = "private, no-cache"
    return response


@screen_view
def screen_deck(request: HttpRequest, link: DisplayLink) -> HttpResponse:
    """All slides; 304 without loading them if nothing has changed."""

    def make() -> HttpResponse:
        deck = load_deck(link)
        response = render(request, "screen/deck.html", _context(link, deck))
        return vary_by_channels(response, deck.channels)

    return conditional_response(request, _etag(link), make)


@screen_view
def screen_picture(request: HttpRequest, link: DisplayLink, slide: uuid.UUID) -> HttpResponse:  # noqa: ARG001
    row = slide_of_event(link.event, slide)
    if not row.picture_size:
        raise NotFound
    picture = bytes(row.picture)
    headers = {
        "Cache-Control": "private, max-age=86400",
        "Content-Security-Policy": "default-src 'none'; sandbox",
    }
    return HttpResponse(picture, content_type=content_type(picture), headers=headers)


@screen_view
def screen_logo(request: HttpRequest, link: DisplayLink, logo: uuid.UUID) -> HttpResponse:  # noqa: ARG001
    return logo_response(find_logo(link.event, logo))


def _context(link: DisplayLink, deck: Deck) -> dict[str, Any]:
    """The page reloads when its edition changes. Another logo makes another edition."""
    return {"deck": deck, "edition": f"{edition()}{link.event.logo_id or ''}"}


def _etag(link: DisplayLink) -> str:
    return f'W/"{link.pk.hex[:8]}-{deck_stamp(link)}-{edition()}-{get_language()}"'


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 4 else 0
