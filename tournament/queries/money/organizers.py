"""Organizers among which the owner of an event chooses. Reads only."""

from tournament.access.actors import Actor
from tournament.models import Event, Organizer


def organizers_of(actor: Actor, event: Event) -> list[Organizer]:
    """Returns the organizers of the user, without the one of the event."""
    return [row for row in Organizer.objects.filter(owner=actor.user) if row.pk != event.organizer_id]
