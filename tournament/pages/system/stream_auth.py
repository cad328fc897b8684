"""What lets a visitor in, and which channels of those inside they may follow: asked by the front before it answers.

The front has no database. It asks here with the visitor's own cookies or token: for a stream of those inside, and
before it takes in a large file. Nobody is told of anything but their own.
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
    """`?bracket=NAME` as often as there are names; what is not for this visitor is left out."""
    actors = _actors(request)
    channels = subscriptions.allowed_channels(actors, request.GET.getlist("bracket"))
    ways = subscriptions.credentials(actors)
    return JsonResponse({"ways": ways, "channels": channels, "seconds": _seconds_left(actors)})


def _seconds_left(actors: list[Actor]) -> float | None:
    """Until the end of the API token; None without one."""
    ends = [actor.token.expires_at for actor in actors if actor.token is not None]
    return (min(ends) - timezone.now()).total_seconds() if ends else None


def _actors(request: HttpRequest) -> list[Actor]:
    kind, _, told = request.headers.get("Authorization", "").partition(" ")
    token = told.strip()
    if kind.lower() == "bearer" and 0 < len(token) <= MAX_TOKEN_LENGTH:
        program = actor_of_token(token)
        return [program] if program else players_of_tokens([token])
    signed_in = [Actor(user=request.user)] if isinstance(request.user, User) else []
    return [*players_of(request), *signed_in]
