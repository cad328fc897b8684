"""Lists the public events and the events in which a reader has a role. Reads only."""

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from tournament.access.actors import Actor
from tournament.access.draw_visibility import released_draws
from tournament.access.tournament_lists import is_current
from tournament.models import Draw, Entry, Event, Result, Role, Tournament, Visibility

LISTED = Q(is_listed=True, visibility=Visibility.PUBLIC)


@dataclass(frozen=True, slots=True)
class EventLine:
    """`role` is the reader's role in the event, or empty."""

    event: Event
    tournaments: int
    entries: int
    role: str


def all_events() -> QuerySet[Event]:
    """Returns all events in the order of their creation."""
    return Event.objects.order_by("created_at")


def find_event(slug: str) -> Event | None:
    return Event.objects.filter(slug=slug).first()


def visible_events(roles: Mapping[uuid.UUID, str]) -> QuerySet[Event]:
    """Returns the listed events and those in which the reader has a role."""
    return Event.objects.filter(LISTED | Q(pk__in=roles))


def tournaments_with_draw_state(visible: Iterable[Tournament]) -> QuerySet[Tournament]:
    """Returns these tournaments, each with `drawn` and `released`: the state of its current draw."""
    drawn = Draw.objects.filter(tournament=OuterRef("pk"), replaced_at__isnull=True)
    released = released_draws.filter(tournament=OuterRef("pk"))
    tournaments = Tournament.objects.filter(pk__in=[row.pk for row in visible]).select_related("event")
    return tournaments.annotate(drawn=Exists(drawn), released=Exists(released))


def has_results(tournaments: Iterable[Tournament]) -> bool:
    return Result.objects.filter(pairing__round__bracket__tournament__in=tournaments).exists()


def split_by_role(roles: Mapping[uuid.UUID, str]) -> tuple[QuerySet[Event], QuerySet[Event]]:
    """Returns the events in which the reader has a role, and all other listed events; newest first."""
    events = Event.objects.order_by("-starts_on", "name", "pk")
    return events.filter(pk__in=roles), events.filter(LISTED).exclude(pk__in=roles)


def owned_events(roles: Mapping[uuid.UUID, str]) -> QuerySet[Event]:
    """Returns the events in which the reader is an owner."""
    return Event.objects.filter(pk__in=[event for event, role in roles.items() if role == Role.OWNER])


def last_owned_event(actor: Actor) -> Event | None:
    """Returns the newest event of which the actor is an owner."""
    return Event.objects.filter(memberships__user=actor.user, memberships__role=Role.OWNER).first()


def own_past_tournaments(roles: Mapping[uuid.UUID, str], event: Event, most: int) -> list[Tournament]:
    """Returns the newest tournaments of other events that the reader directs; of equal names the newest.

    A tournament without players is unfinished and is left out.
    """
    directed = [pk for pk, role in roles.items() if role in (Role.OWNER, Role.DIRECTOR) and pk != event.pk]
    rows = Tournament.objects.filter(
        Exists(Entry.objects.filter(tournament=OuterRef("pk"))),
        event__in=directed,
        event__deleted_at__isnull=True,
        event__is_sample=False,
    )
    newest = rows.select_related("event").order_by("-created_at")[: most * most]
    by_name = {row.name: row for row in reversed(newest)}
    return sorted(by_name.values(), key=lambda row: row.created_at, reverse=True)[:most]


def event_lines(events: Iterable[Event], roles: Mapping[uuid.UUID, str]) -> list[EventLine]:
    """Returns one line per event, in the given order. Runs one statement."""
    listed_events = list(events)
    is_counted = is_current("tournaments")
    is_in = Q(tournaments__entries__withdrawn_at__isnull=True)
    entered = Count("tournaments__entries", filter=is_counted & is_in)
    counted = Event.objects.filter(pk__in=[event.pk for event in listed_events])
    counted = counted.annotate(
        of_tournaments=Count("tournaments", filter=is_counted, distinct=True), entered=entered
    )
    counts_by_event = {
        pk: (made, came) for pk, made, came in counted.values_list("pk", "of_tournaments", "entered")
    }
    return [EventLine(event, *counts_by_event[event.pk], roles.get(event.pk, "")) for event in listed_events]
