"""Keeps the session list of an account current: when a session was last used, and on which device it began.

What a signed-in user sees is kept by no store on the way.
"""

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
    """Middleware inside Django's own for sessions. Does nothing for a request that did not read its session."""

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
    """Browser and system in words, from what the browser says of itself."""
    browser = next((name for sign, name in BROWSERS if sign in user_agent), "")
    system = next((name for sign, name in SYSTEMS if sign in user_agent), "")
    if browser and system:
        return gettext("{browser} on {system}").format(browser=browser, system=system)
    return browser or system
