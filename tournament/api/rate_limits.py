"""Rate limits of the API, per user or personal link, because a whole hall shares one address.

Requests without credentials are counted per client network.
"""

from typing import TYPE_CHECKING

from django.conf import settings
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from tournament.access.actors import Actor
from tournament.runtime import rate_limiter
from tournament.runtime.networks import network_of
from tournament.runtime.rate_limiter import Limit

if TYPE_CHECKING:
    from rest_framework.views import APIView

MOST = settings.API_REQUESTS_A_MINUTE
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
WRONG_TOKENS = Limit("wrong tokens", MOST // 50)


class RequestThrottle(BaseThrottle):
    """Two limits: one for all requests, one for changes."""

    all_requests = Limit("requests", MOST)
    changes = Limit("changes", MOST // 2)
    _seconds = 0

    def allow_request(self, request: Request, view: "APIView") -> bool:  # noqa: ARG002
        client = _client_key(request)
        limits = [(self.all_requests, client)]
        if request.method not in SAFE_METHODS:
            limits.append((self.changes, client))
        self._seconds = rate_limiter.seconds_to_wait(*limits)
        return not self._seconds

    def wait(self) -> float:
        return self._seconds


def _client_key(request: Request) -> str:
    actor = request.user
    if not isinstance(actor, Actor):
        return f"address-{_client_network(request)}"
    if actor.link:
        return f"link-{actor.link.pk}"
    return f"user-{actor.user.pk if actor.user else 0}"


def wait_after_wrong_token(request: Request) -> int:
    """Counts a wrong token. Returns the seconds to wait after too many from one client network, else 0."""
    return rate_limiter.seconds_to_wait((WRONG_TOKENS, _client_network(request)))


def _client_network(request: Request) -> str:
    return network_of(str(request.META.get("REMOTE_ADDR", "")))
