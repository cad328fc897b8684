"""Records the last use and the device of sessions, and forbids shared caching of pages for signed-in users."""

from collections.abc import Callable

from django.contrib.auth import SESSION_KEY
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext

from tournament.accounts.session_store import DEVICE, SessionStore

SYSTEMS = (
    ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"),
    ("CrOS", "ChromeOS"), ("Mac OS", "macOS"), ("Linux", "Linux"),
)  # fmt: skip
BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("Firefox/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)


class SessionUse:
    """Middleware, inside Django's session middleware. Does nothing if the request did not read its session."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        session = request.session
        if isinstance(session, SessionStore) and session.accessed and SESSION_KEY in session:
            if session.modified and DEVICE not in session:
                session[DEVICE] = device(request.headers.get("User-Agent", ""))
            session.touch()
            response.headers.setdefault("Cache-Control", "private, no-store")
        return response


def device(user_agent: str) -> str:
    """Returns browser and system in words, from the User-Agent header."""
    browser = next((name for sign, name in BROWSERS if sign in user_agent), "")
    system = next((name for sign, name in SYSTEMS if sign in user_agent), "")
    if browser and system:
        return gettext("{browser} on {system}").format(browser=browser, system=system)
    return browser or system
