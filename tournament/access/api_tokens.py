"""Authenticates API tokens and checks their scope. Reads only."""

from django.utils import timezone

from tournament.access.actors import Actor
from tournament.models import ApiToken, Scope
from tournament.runtime.token_digest import digest


def actor_of_token(token: str) -> Actor | None:
    """Returns the actor of a valid token; None if it is unknown, revoked or expired, or its user is not active."""
    rows = ApiToken.objects.select_related("user").filter(
        digest=digest(token), revoked_at__isnull=True, expires_at__gt=timezone.now(), user__is_active=True
    )
    row = rows.first()
    return Actor(user=row.user, token=row) if row else None


def may_change(actor: Actor) -> bool:
    """False if the token has the scope `read`."""
    return actor.token is None or actor.token.scope == Scope.FULL
