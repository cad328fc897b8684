"""Whom a program acts for: the user of its API token, within the token's scope, event and time. Reads only."""

from django.utils import timezone

from tournament.access.actors import Actor
from tournament.models import ApiToken, Scope
from tournament.runtime.token_digest import digest


def actor_of_token(token: str) -> Actor | None:
    """The active user of this API token, limited to what the token is for; None when it is unknown or has ended."""
    found = ApiToken.objects.select_related("user").filter(
        digest=digest(token), revoked_at__isnull=True, expires_at__gt=timezone.now(), user__is_active=True
    )
    row = found.first()
    return Actor(user=row.user, token=row) if row else None


def may_change(actor: Actor) -> bool:
    """False for a program whose token is for reading only."""
    return actor.token is None or actor.token.scope == Scope.FULL
