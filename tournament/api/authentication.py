"""Authentication of API requests: a bearer token (a director's program or a player's phone), or a browser's cookies.

`request.user` is an `Actor`; `request.auth` is a tuple of all actors of the request, players first.
"""

from typing import Any

from django.contrib.auth.models import User
from django.utils.translation import gettext
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied, Throttled
from rest_framework.request import Request

from tournament.access import api_tokens
from tournament.access.actors import STRANGER, Actor
from tournament.access.phone_players import players_of_tokens
from tournament.accounts import links
from tournament.api.rate_limits import SAFE_METHODS, wait_after_wrong_token
from tournament.web.request import players_of, with_carried

Credentials = tuple[Any, Any]
MAX_TOKEN_LENGTH = 64


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer TOKEN`: an API token of a director, or the token of a personal link."""

    def authenticate(self, request: Request) -> Credentials | None:
        kind, _, token = request.headers.get("Authorization", "").partition(" ")
        if kind.lower() != "bearer":
            return None
        actors = _actors_of_token(token.strip())
        if not actors:
            seconds = wait_after_wrong_token(request)
            if seconds:
                raise Throttled(seconds)
            raise AuthenticationFailed(
                gettext(
                    "This token is unknown, expired, revoked or not approved. Make a new one, or ask the desk."
                )
            )
        _require_scope(actors[0], request)
        return actors[0], tuple(actors)

    def authenticate_header(self, request: Request) -> str:  # noqa: ARG002
        return "Bearer"


class CookieAuthentication(SessionAuthentication):
    """The session of a browser and the personal links in its cookie; a change needs the CSRF token."""

    def authenticate(self, request: Request) -> Credentials | None:
        user = request._request.user
        signed_in = [Actor(user=user)] if isinstance(user, User) else []
        players = players_of(request._request)
        if not signed_in and not players:
            return None
        self.enforce_csrf(request)
        return (signed_in or players)[0], (*players, *signed_in)


def actor_of(request: Request) -> Actor:
    """Returns the actor of the request; STRANGER without credentials."""
    actor = request.user if isinstance(request.user, Actor) else STRANGER
    return with_carried(actor, request._request)


def actors_of(request: Request) -> tuple[Actor, ...]:
    """Returns all actors of the request: the players of a phone, then the signed-in user."""
    return request.auth if isinstance(request.auth, tuple) else (STRANGER,)


def _actors_of_token(token: str) -> list[Actor]:
    if not 0 < len(token) <= MAX_TOKEN_LENGTH:
        return []
    players = players_of_tokens([token])
    program = None if players else api_tokens.actor_of_token(token)
    return players if program is None else [program]


def _require_scope(actor: Actor, request: Request) -> None:
    """Enforces the scope of a token; `access` enforces its event. Also records its use."""
    if request.method not in SAFE_METHODS and not api_tokens.may_change(actor):
        raise PermissionDenied(
            gettext("This token may only read. Use a token with the scope “full”."), "read-only-token"
        )
    if actor.token is not None:
        links.record_use(actor.token)
