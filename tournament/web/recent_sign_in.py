"""Requires a recent sign-in for changes that outlive a session: new tokens, a first password, second factors."""

from urllib.parse import urlencode

from django.http import HttpRequest
from django.urls import reverse

from tournament.accounts.session_store import SessionStore
from tournament.refusals.access import SIGN_IN_NOT_RECENT
from tournament.runtime.errors import Refused


def is_recent(request: HttpRequest) -> bool:
    """True if the user signed in or confirmed their identity within RECENT_SIGN_IN_MINUTES."""
    return isinstance(request.session, SessionStore) and request.session.is_confirmed()


def confirm(request: HttpRequest) -> None:
    """Records that the user has just confirmed their identity."""
    if isinstance(request.session, SessionStore):
        request.session.confirm()


def require(request: HttpRequest) -> None:
    """Raises Refused unless the sign-in is recent."""
    if not is_recent(request):
        raise Refused(SIGN_IN_NOT_RECENT)


def confirm_address(back: str) -> str:
    """Returns the address of the page that confirms the identity and returns to `back`."""
    return f"{reverse('confirm-identity')}?{urlencode({'next': back})}"
