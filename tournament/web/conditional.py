"""Live parts of pages: sent with an ETag, and not built at all for whoever has the latest already."""

import uuid
from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import TypeVar

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.http import parse_etags

LIVE_IDS, SHARED_WITH = "X-Live-Ids", "X-Shared-With"
Answer = TypeVar("Answer", bound=HttpResponse)


def conditional_response(request: HttpRequest, etag: str, make: Callable[[], HttpResponse]) -> HttpResponse:
    """What `make` makes, or 304 when the asker has what this ETag stands for."""
    has_it = etag in parse_etags(request.headers.get("If-None-Match", ""))
    response = HttpResponseNotModified() if has_it else make()
    response["ETag"] = etag
    patch_cache_control(response, private=True, no_cache=True)
    patch_vary_headers(response, ["Cookie", "Accept-Language"])
    return response


class Readers(StrEnum):
    """The readers for whom an answer is the same as for a stranger, each with those before it."""

    STRANGERS = "strangers"
    PLAYERS = "players"
    EVERYBODY = "everybody"


def vary_by_channels(
    response: Answer, ids: Iterable[uuid.UUID], readers: Readers = Readers.PLAYERS
) -> Answer:
    """May be given to all of these readers who ask the same, until one of these ids is announced as changed."""
    response[LIVE_IDS] = ",".join(map(str, ids))
    response[SHARED_WITH] = readers
    return response
