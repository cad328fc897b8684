"""API tokens of a user, for pages and the API. Reads only."""

from django.contrib.auth.models import User
from django.db.models import QuerySet

from tournament.access import permissions
from tournament.access.actors import Actor
from tournament.models import ApiToken, Event
from tournament.runtime.errors import NotFound


def tokens_of(user: User) -> QuerySet[ApiToken]:
    """Returns all tokens of the user, expired and revoked ones included."""
    return ApiToken.objects.select_related("event").filter(user=user)


def token_of(user_id: int, token_id: int) -> ApiToken:
    """Raises NotFound if the user has no such token."""
    token = ApiToken.objects.select_related("user").filter(pk=token_id, user=user_id).first()
    if token is None:
        raise NotFound
    return token


def events_of(actor: Actor) -> QuerySet[Event]:
    """Returns the events in which the actor has a role."""
    return Event.objects.filter(pk__in=permissions.roles_by_event(actor))
