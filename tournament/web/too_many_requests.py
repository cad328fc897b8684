"""Pages for whoever tries too often: passwords, links that open nothing, files without end.

Whoever has a good link is never kept waiting, however many wrong ones came from the same address: a hall has one.
"""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tournament.runtime import rate_limits
from tournament.runtime.networks import network_of
from tournament.runtime.rate_limits import Limit

WRONG_LINKS = Limit("wrong links", 60)
LINK_REQUESTS = Limit("phones at the poster", 120)
LINK_REQUESTS_FOR_ENTRY = Limit("phones for one name", 5, 600)
FILE_DOWNLOADS = Limit("files", 120)


def client_network(request: HttpRequest) -> str:
    """Of whoever asks; where a proxy stands before us, the server has read it from what that proxy says."""
    return network_of(str(request.META.get("REMOTE_ADDR", "")))


def wait_after_wrong_link(request: HttpRequest) -> int:
    """Counts a link that opens nothing; the seconds to wait when there were too many from this address."""
    return rate_limits.seconds_to_wait((WRONG_LINKS, client_network(request)))


def too_many_requests(request: HttpRequest, seconds: int) -> HttpResponse:
    response = render(request, "errors/too_many_requests.html", {"minutes": -(-seconds // 60)}, status=429)
    response.headers["Retry-After"] = str(seconds)
    response.headers["Cache-Control"] = "no-store"
    return response
