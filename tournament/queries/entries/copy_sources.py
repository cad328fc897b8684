"""Lists the tournaments whose players the actor may copy into a tournament. Reads only."""

from django.db.models import Count, Q, QuerySet

from tournament.access import permissions
from tournament.access.actors import Actor
from tournament.access.permissions import CAPABILITIES, Capability
from tournament.models import Tournament

MOST_SOURCES = 100


def copy_sources(actor: Actor, tournament: Tournament) -> list[Tournament]:
    """Returns other tournaments with entries, those of the same event first, then the newest events.

    `entered` counts their players. Only events in which the actor works at the desk, because their entries have
    registered names.
    """
    rows = _other_tournaments(actor, tournament).select_related("event")
    counted = rows.annotate(entered=Count("entries", filter=Q(entries__number=1))).filter(entered__gt=0)
    same_event = counted.filter(event=tournament.event_id).order_by("created_at")
    others = counted.exclude(event=tournament.event_id)
    newest = others.order_by("-event__starts_on", "event__name", "created_at")
    return [*same_event, *newest[:MOST_SOURCES]]


def has_copy_source(actor: Actor, tournament: Tournament) -> bool:
    return _other_tournaments(actor, tournament).filter(entries__number=1).exists()


def _other_tournaments(actor: Actor, tournament: Tournament) -> QuerySet[Tournament]:
    roles = permissions.roles_by_event(actor)
    events = [event for event, role in roles.items() if Capability.DESK in CAPABILITIES.get(role, ())]
    rows = Tournament.objects.filter(event__in=events, deleted_at=None, event__deleted_at=None)
    return rows.exclude(pk=tournament.pk)
