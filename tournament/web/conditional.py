"""Conditional and shared responses of pages: ETags, and headers for the response cache of the web server."""

import uuid
from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import TypeVar

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.http.response import HttpResponseBase
from django.middleware.http import ConditionalGetMiddleware
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.http import parse_etags

LIVE_IDS, SHARED_WITH = "X-Live-Ids", "X-Shared-With"
Answer = TypeVar("Answer", bound=HttpResponse)


def conditional_response(request: HttpRequest, etag: str, make: Callable[[], HttpResponse]) -> HttpResponse:
    """Returns the response of `make`, or 304 without calling it if the client has this ETag."""
    is_current = etag in parse_etags(request.headers.get("If-None-Match", ""))
    response = HttpResponseNotModified() if is_current else make()
    response["ETag"] = etag
    patch_cache_control(response, private=True, no_cache=True)
    patch_vary_headers(response, ["Cookie", "Accept-Language"])
    return response


class Readers(StrEnum):
    """The visitors without an account who get the same response: without a link only, or players too."""

    STRANGERS = "strangers"
    PLAYERS = "players"


def vary_by_channels(
    response: Answer, channels: Iterable[uuid.UUID], readers: Readers = Readers.PLAYERS
) -> Answer:
    """Lets the web server share the response among these readers until a change on one of the channels."""
    response[LIVE_IDS] = ",".join(map(str, channels))
    response[SHARED_WITH] = readers
    return response


class SharedPages(ConditionalGetMiddleware):
    """Gives shared responses an ETag and the headers for browsers. A visitor with a session gets none of them."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if LIVE_IDS not in response or settings.SESSION_COOKIE_NAME in request.COOKIES:
            return response
        response["Cache-Control"] = "no-cache, private"
        patch_vary_headers(response, ["Accept", "Cookie", "Accept-Language"])
        response = super().process_response(request, response)
        if response.get("ETag", "").startswith('"'):
            response["ETag"] = f"W/{response['ETag']}"  # compressed or not, it is the same page
        return response
