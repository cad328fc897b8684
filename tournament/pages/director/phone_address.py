"""The address of a page as a phone in the hall reaches it: what is printed and put into QR codes."""

from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest

from tournament.pages.addresses import is_this_computer, network_addresses

LOCAL_NAMES = {"localhost", "localhost.localdomain"}


def for_phones(request: HttpRequest, path: str) -> str:
    """PUBLIC_URL where there is one; else the host asked for, unless that name works on this computer only."""
    if settings.PUBLIC_URL:
        return f"{settings.PUBLIC_URL}{path}"
    host = urlsplit(f"//{request.get_host()}").hostname or ""
    if host not in LOCAL_NAMES and not is_loopback(host):
        return request.build_absolute_uri(path)
    reachable = network_addresses()
    if not reachable:
        return request.build_absolute_uri(path)
    return f"{request.scheme}://{reachable[0]}:{request.get_port()}{path}"


def is_loopback(host: str) -> bool:
    return is_this_computer(host) and host not in network_addresses()
