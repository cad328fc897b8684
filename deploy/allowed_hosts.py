"""Checks the Host header: ALLOWED_HOSTS, and IP addresses where a laptop in a hall has no name.

Refusing other names protects against DNS rebinding, where a foreign page reads this server under its own name.
Health checks and Prometheus use addresses that are unknown in advance, so their paths accept any host.
"""

from ipaddress import ip_address
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponsePermanentRedirect
from django.middleware.common import CommonMiddleware
from django.utils.http import is_same_domain

PATHS_FOR_ANY_HOST = frozenset({"/healthz", "/readyz", "/metrics"})
ANY_HOST = "*"


class AllowedHostsMiddleware(CommonMiddleware):
    """Answers 400 if the host is not allowed."""

    def process_request(self, request: HttpRequest) -> HttpResponsePermanentRedirect | None:
        if request.path_info in PATHS_FOR_ANY_HOST:
            return None
        host = request.get_host()
        if settings.ADDRESSES_AND_NAMES and not _is_expected(urlsplit(f"//{host}").hostname or ""):
            raise DisallowedHost(f"Invalid HTTP_HOST header: {host!r}.")
        return super().process_request(request)


def _is_expected(host: str) -> bool:
    name = host.removesuffix(".")
    patterns = [*settings.ALLOWED_HOSTS, urlsplit(settings.HALL_HTTPS).hostname or ""]
    return is_address(name) or any(
        is_same_domain(name, pattern) for pattern in patterns if pattern != ANY_HOST
    )


def is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
