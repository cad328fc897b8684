"""Lists the events and tournaments in the bin that an actor may restore. Reads only."""

import uuid

from django.db.models import QuerySet

from tournament.access.actors import Actor
from tournament.models import Event, Role, Tournament
from tournament.runtime.errors import NotFound


def deleted_events(actor: Actor) -> QuerySet[Event]:
    """Returns the deleted events that the actor owns, last deleted first."""
    rows = Event.with_deleted.filter(memberships__user=actor.user, memberships__role=Role.OWNER)
    return rows.filter(deleted_at__isnull=False).order_by("-deleted_at")


def deleted_tournaments(actor: Actor) -> QuerySet[Tournament]:
    """Returns the deleted tournaments of events that the actor directs, last deleted first."""
    rows = Tournament.with_deleted.filter(
        event__memberships__user=actor.user, event__memberships__role__in=(Role.OWNER, Role.DIRECTOR)
    )
    kept = rows.filter(deleted_at__isnull=False, event__deleted_at__isnull=True)
    return kept.select_related("event").order_by("-deleted_at")


def may_restore(actor: Actor) -> bool:
    """True if something of the actor is in the bin."""
    return deleted_events(actor).exists() or deleted_tournaments(actor).exists()


def deleted_event(actor: Actor, pk: uuid.UUID) -> Event:
    """Raises NotFound."""
    event = deleted_events(actor).filter(pk=pk).first()
    if event is None:
        raise NotFound
    return event


def deleted_tournament(actor: Actor, pk: uuid.UUID) -> Tournament:
    """Raises NotFound."""
    tournament = deleted_tournaments(actor).filter(pk=pk).first()
    if tournament is None:
        raise NotFound
    return tournament
