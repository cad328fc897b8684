"""Under which names the product answers: those of ALLOWED_HOSTS, except to whoever watches over a node.

A container's health check asks for 127.0.0.1, Prometheus for the node's own address, which nobody can know beforehand.
What these are told leads nowhere and says the same under every name.
"""

from django.http import HttpRequest, HttpResponsePermanentRedirect
from django.middleware.common import CommonMiddleware

ASKED_BY_ADDRESS = frozenset({"/healthz", "/readyz", "/metrics"})


class Names(CommonMiddleware):
    """Django's own, which refuses other names."""

    def process_request(self, request: HttpRequest) -> HttpResponsePermanentRedirect | None:
        return None if request.path_info in ASKED_BY_ADDRESS else super().process_request(request)
