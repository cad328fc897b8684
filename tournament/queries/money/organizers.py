"""Organizers of events: those that an owner chooses from, and their events. Reads only."""

from tournament.access import permissions
from tournament.access.actors import Actor
from tournament.access.permissions import Capability
from tournament.models import Event, Organizer


def organizers_of(actor: Actor, event: Event) -> list[Organizer]:
    """Returns the organizers of the user, without the one of the event."""
    return [row for row in Organizer.objects.filter(owner=actor.user) if row.pk != event.organizer_id]


def events_of_year(event: Event, year: int, actor: Actor) -> list[Event]:
    """Returns the events of an event's organizer that begin in the year, by day, if the actor may see their money."""
    rows = Event.objects.filter(organizer=event.organizer_id, starts_on__year=year)
    rows = rows.order_by("starts_on", "name")
    return [row for row in rows if permissions.may(actor, row, Capability.MONEY)]
