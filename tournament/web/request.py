"""Who is asking: a signed-in user, or the personal links that a phone carries in one cookie.

A phone may carry several links (a parent with two children, a player in two divisions): the cookie holds their
tokens, newest first. Nothing here decides what anybody may do.
"""

from django.conf import settings
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse

from tournament.access.actors import STRANGER, Actor
from tournament.access.phone_players import players_of_tokens

COOKIE = "link"
COOKIE_SECONDS = 120 * 24 * 60 * 60
MAX_LINKS = 6
MAX_TOKEN_LENGTH = 64


def actor_of(request: HttpRequest) -> Actor:
    """The signed-in user, else the newest link of this phone that is open, else a stranger."""
    if isinstance(request.user, User):
        return Actor(user=request.user)
    return next(iter(players_of(request)), STRANGER)


def players_of(request: HttpRequest) -> list[Actor]:
    """The players whom this phone has open links of, the newest link first."""
    return players_of_tokens(tokens_of(request))


def tokens_of(request: HttpRequest) -> list[str]:
    """The tokens in the phone's cookie, newest first, whatever their state."""
    tokens = request.COOKIES.get(COOKIE, "").split(".")
    return [token for token in tokens if 0 < len(token) <= MAX_TOKEN_LENGTH][:MAX_LINKS]


def store_token(request: HttpRequest, response: HttpResponse, token: str) -> None:
    """Puts this token first in the phone's cookie; the oldest falls out when there are too many."""
    others = [known for known in tokens_of(request) if known != token]
    response.set_cookie(
        COOKIE,
        ".".join([token, *others][:MAX_LINKS]),
        max_age=COOKIE_SECONDS,
        httponly=True,
        samesite="Lax",
        secure=request.is_secure() and not settings.ALSO_PLAIN_HTTP,
    )


def delete_tokens(response: HttpResponse) -> None:
    response.delete_cookie(COOKIE, samesite="Lax")
