"""Decides under which host names the product answers: ALLOWED_HOSTS, and in a hall without a name its addresses.

Refusing other names protects against DNS rebinding, where a page elsewhere reads this server under its own name.
Health checks and Prometheus ask by an address that is not known beforehand: their paths answer under every name.
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
    """Answers 400 to other names."""

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
