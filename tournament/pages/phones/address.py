"""The address of a page as a phone in the hall reaches it: what is printed and put into QR codes."""

from django.conf import settings
from django.http import HttpRequest

from tournament.pages.system.hall_https import base_address
from tournament.web.addresses import is_this_computer, network_addresses

LOCAL_NAMES = {"localhost", "localhost.localdomain"}


def for_phones(request: HttpRequest, path: str) -> str:
    """PUBLIC_URL where there is one; else the way in use, unless its host works on this computer only."""
    return f"{origin_for_phones(request)}{path}"


def for_staff(request: HttpRequest, path: str) -> str:
    """The address for signing in: over HTTPS where accounts use nothing else."""
    return f"{settings.STAFF_HTTPS}{path}" if settings.STAFF_HTTPS else for_phones(request, path)


def origin_for_phones(request: HttpRequest) -> str:
    """What stands before the path: asked once where many addresses are printed."""
    if settings.PUBLIC_URL:
        return settings.PUBLIC_URL
    used = base_address(request)
    host, reachable = used.hostname or "", network_addresses()
    works_here_only = host in LOCAL_NAMES or (is_this_computer(host) and host not in reachable)
    if not works_here_only or not reachable:
        return used.geturl()
    port = f":{used.port}" if used.port else ""
    return f"{used.scheme}://{reachable[0]}{port}"
