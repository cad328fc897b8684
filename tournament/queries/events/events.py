"""Which events there are, for everyone, and which of them somebody runs. Reads only."""

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet

from tournament.models import Event


@dataclass(frozen=True, slots=True)
class EventLine:
    """An event in the list: `role` is the reader's own there, empty for everybody else."""

    event: Event
    tournaments: int
    entries: int
    role: str


def own_and_others(roles: Mapping[uuid.UUID, str]) -> tuple[QuerySet[Event], QuerySet[Event]]:
    """The events in which the reader has a role, and all others that are listed; the latest first."""
    events = Event.objects.order_by("-starts_on", "name", "pk")
    return events.filter(pk__in=roles), events.filter(is_listed=True).exclude(pk__in=roles)


def calendar(events: Iterable[Event], roles: Mapping[uuid.UUID, str]) -> list[EventLine]:
    """These events as lines, in their order; in one statement."""
    shown = list(events)
    entered = Count("tournaments__entries", filter=Q(tournaments__entries__withdrawn_at__isnull=True))
    counted = Event.objects.filter(pk__in=[one.pk for one in shown])
    counted = counted.annotate(of_tournaments=Count("tournaments", distinct=True), entered=entered)
    found = {pk: (made, came) for pk, made, came in counted.values_list("pk", "of_tournaments", "entered")}
    return [EventLine(one, *found[one.pk], roles.get(one.pk, "")) for one in shown]
