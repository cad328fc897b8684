"""Which events there are, for everyone, and which of them somebody runs. Reads only."""

from dataclasses import dataclass

from django.db.models import Count, Q

from tournament.access import role_in_each
from tournament.actors import Actor
from tournament.models import Event


@dataclass(frozen=True, slots=True)
class EventLine:
    """An event in the list: `role` is the reader's own there, empty for everybody else."""

    event: Event
    tournaments: int
    entries: int
    role: str


def calendar(actor: Actor) -> list[EventLine]:
    """Every event, the latest first."""
    roles = role_in_each(actor)
    entered = Count("tournaments__entries", filter=Q(tournaments__entries__withdrawn_at__isnull=True))
    counted = Event.objects.annotate(of_tournaments=Count("tournaments", distinct=True), entered=entered)
    return [
        EventLine(event, event.of_tournaments, event.entered, roles.get(event.pk, ""))
        for event in counted.order_by("-starts_on", "name")
    ]
