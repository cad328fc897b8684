"""Live parts of pages: sent with an ETag, and not built at all for whoever has the latest already."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.http import parse_etags


def fresh(request: HttpRequest, etag: str, make: Callable[[], HttpResponse]) -> HttpResponse:
    """What `make` makes, or 304 when the asker has what this ETag stands for."""
    has_it = etag in parse_etags(request.headers.get("If-None-Match", ""))
    response = HttpResponseNotModified() if has_it else make()
    response["ETag"] = etag
    patch_cache_control(response, private=True, no_cache=True)
    patch_vary_headers(response, ["Cookie", "Accept-Language"])
    return response
