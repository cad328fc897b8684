"""Live parts of pages: sent with an ETag, and not built at all for whoever has the latest already."""

import uuid
from collections.abc import Callable, Iterable
from typing import TypeVar

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.http import parse_etags

LIVE_IDS = "X-Live-Ids"
Answer = TypeVar("Answer", bound=HttpResponse)


def fresh(request: HttpRequest, etag: str, make: Callable[[], HttpResponse]) -> HttpResponse:
    """What `make` makes, or 304 when the asker has what this ETag stands for."""
    has_it = etag in parse_etags(request.headers.get("If-None-Match", ""))
    response = HttpResponseNotModified() if has_it else make()
    response["ETag"] = etag
    patch_cache_control(response, private=True, no_cache=True)
    patch_vary_headers(response, ["Cookie", "Accept-Language"])
    return response


def telling_of(response: Answer, ids: Iterable[uuid.UUID]) -> Answer:
    """May be given to all strangers who ask the same, until one of these ids is announced as changed."""
    response[LIVE_IDS] = ",".join(map(str, ids))
    return response
