"""Addresses that phones in the room can reach, for printed papers and QR codes."""

from functools import lru_cache
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest

from tournament.access.visibility_keys import keys_of_address
from tournament.models import Event, Tournament
from tournament.pages.system.hall_https import base_address
from tournament.web.addresses import is_this_computer, listens_at, network_addresses
from tournament.web.request import KEY_PARAMETER

USUAL_PORTS = {"http": 80, "https": 443}
LOCAL_NAMES = {"localhost", "localhost.localdomain"}


def for_phones(request: HttpRequest, path: str) -> str:
    """Returns the path under `origin_for_phones`."""
    return f"{origin_for_phones(request)}{path}"


def secret_address(request: HttpRequest, place: Event | Tournament, path: str) -> str:
    """Returns an address that opens this page for everybody who has it. Without keys if the place is public."""
    keys = [(KEY_PARAMETER, key) for key in keys_of_address(place)]
    return for_phones(request, f"{path}?{urlencode(keys)}" if keys else path)


def for_staff(request: HttpRequest, path: str) -> str:
    """Returns an address for signing in: under STAFF_HTTPS if it is set."""
    return f"{settings.STAFF_HTTPS}{path}" if settings.STAFF_HTTPS else for_phones(request, path)


def origin_for_phones(request: HttpRequest) -> str:
    """Returns scheme, host and port without a path.

    The origin is PUBLIC_URL if it is set, else the origin of the request. A host that works only on this computer is
    replaced by the computer's first network address, if the program listens there.
    """
    if settings.PUBLIC_URL:
        return settings.PUBLIC_URL
    request_address = base_address(request)
    host, reachable = request_address.hostname or "", network_addresses()
    is_local_only = host in LOCAL_NAMES or (is_this_computer(host) and host not in reachable)
    number = request_address.port or USUAL_PORTS[request_address.scheme]
    if not is_local_only or not reachable or not _listens_at(reachable[0], number):
        return request_address.geturl()
    port = f":{request_address.port}" if request_address.port else ""
    return f"{request_address.scheme}://{reachable[0]}{port}"


@lru_cache(maxsize=16)
def _listens_at(address: str, port: int) -> bool:
    """Tried once for each address: the program listens at all its addresses before it answers a request."""
    return listens_at(address, port)
