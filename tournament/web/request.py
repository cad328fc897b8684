"""The actors of a page request: a signed-in user, or the personal links in a phone's cookie.

A phone may carry several links (a parent with two children, a player in two divisions). The cookie holds their
tokens, newest first.
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
    """Returns the signed-in user, else the player of the phone's newest open link, else a stranger."""
    if isinstance(request.user, User):
        return Actor(user=request.user)
    return next(iter(players_of(request)), STRANGER)


def players_of(request: HttpRequest) -> list[Actor]:
    """Returns the players of the phone's open links, the newest link first."""
    return players_of_tokens(tokens_of(request))


def actors_of(request: HttpRequest) -> list[Actor]:
    """Returns all actors of the request: the players of the phone, then the signed-in user; else a stranger."""
    users = [Actor(user=request.user)] if isinstance(request.user, User) else []
    return [*players_of(request), *users] or [STRANGER]


def tokens_of(request: HttpRequest) -> list[str]:
    """Returns the tokens in the phone's cookie, newest first, valid or not."""
    tokens = request.COOKIES.get(COOKIE, "").split(".")
    return [token for token in tokens if 0 < len(token) <= MAX_TOKEN_LENGTH][:MAX_LINKS]


def store_token(request: HttpRequest, response: HttpResponse, token: str) -> None:
    """Puts the token first in the phone's cookie, which keeps the newest MAX_LINKS."""
    others = [other for other in tokens_of(request) if other != token]
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
