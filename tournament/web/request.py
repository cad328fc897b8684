"""The actors of a page request: a signed-in user, or the personal links in a phone's cookie.

A phone may carry several links (a parent with two children, a player in two divisions). The cookie holds their
tokens, newest first.
"""

from collections.abc import Callable
from dataclasses import replace
from http import HTTPStatus

from django.conf import settings
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from tournament.access.actors import STRANGER, Actor
from tournament.access.phone_players import players_of_tokens
from tournament.access.visibility_keys import KEY_PATTERN

COOKIE, KEY_COOKIE, KEY_PARAMETER = "link", "visibility", "key"
COOKIE_SECONDS = 120 * 24 * 60 * 60
MAX_LINKS = 6
MAX_KEYS = 12
MAX_TOKEN_LENGTH = 64


def actor_of(request: HttpRequest) -> Actor:
    """Returns the signed-in user, else the player of the phone's newest open link, else a stranger.

    Includes what the visitor carries: personal links, and keys of events that are visible by link.
    """
    if isinstance(request.user, User):
        return with_carried(Actor(user=request.user), request)
    return with_carried(next(iter(players_of(request)), STRANGER), request)


def with_carried(actor: Actor, request: HttpRequest) -> Actor:
    return replace(actor, link_tokens=tuple(tokens_of(request)), visibility_keys=tuple(keys_of(request)))


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


def keys_of(request: HttpRequest) -> list[str]:
    """Returns the keys of the address and of the browser's cookie, newest first, valid or not."""
    keys = [*request.GET.getlist(KEY_PARAMETER), *request.COOKIES.get(KEY_COOKIE, "").split(".")]
    return [key for key in dict.fromkeys(keys) if KEY_PATTERN.fullmatch(key)][:MAX_KEYS]


class StoresKeys:
    """Middleware: a page whose address has a key lets the browser open the other pages of the event too."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if KEY_PARAMETER in request.GET and response.status_code == HTTPStatus.OK and keys_of(request):
            _set_cookie(request, response, KEY_COOKIE, ".".join(keys_of(request)))
        return response


def store_token(request: HttpRequest, response: HttpResponse, token: str) -> None:
    """Puts the token first in the phone's cookie, which keeps the newest MAX_LINKS."""
    others = [other for other in tokens_of(request) if other != token]
    _set_cookie(request, response, COOKIE, ".".join([token, *others][:MAX_LINKS]))


def _set_cookie(request: HttpRequest, response: HttpResponseBase, name: str, value: str) -> None:
    response.set_cookie(
        name,
        value,
        max_age=COOKIE_SECONDS,
        httponly=True,
        samesite="Lax",
        secure=request.is_secure() and not settings.ALSO_PLAIN_HTTP,
    )


def delete_tokens(response: HttpResponse) -> None:
    response.delete_cookie(COOKIE, samesite="Lax")
