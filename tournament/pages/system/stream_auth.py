"""Authorizes streams and large uploads for the web server, which does not use the database itself.

The web server forwards the visitor's cookies or token, so a visitor learns only about their own credentials.
"""

from django.contrib.auth.models import User
from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournament.access.actors import Actor
from tournament.access.api_tokens import actor_of_token
from tournament.access.phone_players import players_of_tokens
from tournament.live import subscriptions
from tournament.web.request import MAX_TOKEN_LENGTH, players_of


@never_cache
@require_safe
def stream_auth(request: HttpRequest) -> JsonResponse:
    """Returns the visitor's credentials and, of the channels in `?bracket=` parameters, the allowed ones."""
    actors = _actors(request)
    channels = subscriptions.allowed_channels(actors, request.GET.getlist("bracket"))
    credentials = subscriptions.credentials(actors)
    return JsonResponse({"ways": credentials, "channels": channels, "seconds": _seconds_left(actors)})


def _seconds_left(actors: list[Actor]) -> float | None:
    """Returns the seconds until the API token expires; None without a token."""
    ends = [actor.token.expires_at for actor in actors if actor.token is not None]
    return (min(ends) - timezone.now()).total_seconds() if ends else None


def _actors(request: HttpRequest) -> list[Actor]:
    kind, _, value = request.headers.get("Authorization", "").partition(" ")
    token = value.strip()
    if kind.lower() == "bearer" and 0 < len(token) <= MAX_TOKEN_LENGTH:
        program = actor_of_token(token)
        return [program] if program else players_of_tokens([token])
    signed_in = [Actor(user=request.user)] if isinstance(request.user, User) else []
    return [*players_of(request), *signed_in]
