"""Rate limits of pages and the response of a client that exceeds one.

A valid link is never limited, however many wrong ones came from the same address, because a whole hall shares one.
"""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tournament.runtime import rate_limiter
from tournament.runtime.networks import network_of
from tournament.runtime.rate_limiter import Limit

WRONG_LINKS = Limit("wrong links", 60)
LINK_REQUESTS = Limit("phones at the poster", 120)
LINK_REQUESTS_FOR_ENTRY = Limit("phones for one name", 5, 600)
FILE_DOWNLOADS = Limit("files", 120)


def client_network(request: HttpRequest) -> str:
    """Returns the network of the client. Behind a proxy the web server has set REMOTE_ADDR from its headers."""
    return network_of(str(request.META.get("REMOTE_ADDR", "")))


def wait_after_wrong_link(request: HttpRequest) -> int:
    """Counts a wrong link. Returns the seconds to wait after too many from one network, else 0."""
    return rate_limiter.seconds_to_wait((WRONG_LINKS, client_network(request)))


def too_many_requests(request: HttpRequest, seconds: int) -> HttpResponse:
    response = render(request, "errors/too_many_requests.html", {"minutes": -(-seconds // 60)}, status=429)
    response.headers["Retry-After"] = str(seconds)
    response.headers["Cache-Control"] = "no-store"
    return response
