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
    asked = urlsplit(f"//{request.get_host()}")
    host, reachable = asked.hostname or "", network_addresses()
    works_here_only = host in LOCAL_NAMES or (is_this_computer(host) and host not in reachable)
    if not works_here_only or not reachable:
        return request.build_absolute_uri(path)
    port = f":{asked.port}" if asked.port else ""
    return f"{request.scheme}://{reachable[0]}{port}{path}"
