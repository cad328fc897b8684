"""Closes and reopens events. Personal links and screen links of a closed event do not work."""

from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from tournament.access.actors import SYSTEM, Actor
from tournament.live import journal, subscriptions
from tournament.live.journal import JournalEntry
from tournament.models import Event, JournalLine, PersonalLink
from tournament.screens import display_links


@transaction.atomic
def close(event: Event, actor: Actor) -> None:
    """Stops all links of the event and closes their streams. Idempotent."""
    if Event.objects.filter(pk=event.pk, closed_at__isnull=True).update(closed_at=timezone.now()):
        journal.write(event, actor, JournalEntry("close event", "event", event.pk))
        subscriptions.close_streams_of_links(
            PersonalLink.objects.filter(entry__tournament__event=event, revoked_at=None)
        )
        display_links.publish_all(event)


@transaction.atomic
def reopen(event: Event, actor: Actor) -> None:
    """Links that were not revoked work again. Idempotent."""
    if Event.objects.filter(pk=event.pk, closed_at__isnull=False).update(closed_at=None):
        journal.write(event, actor, JournalEntry("reopen event", "event", event.pk))
        display_links.publish_all(event)


def close_old() -> None:
    """Closes events that began more than LINKS_LAST_DAYS ago and had no activity since. 0 closes none."""
    if not settings.LINKS_LAST_DAYS:
        return
    oldest = timezone.now() - timedelta(days=settings.LINKS_LAST_DAYS)
    recent_lines = JournalLine.objects.filter(event=OuterRef("pk"), at__gt=oldest)
    old_events = Event.objects.filter(
        closed_at__isnull=True, starts_on__lt=oldest.date(), created_at__lt=oldest
    )
    for event in old_events.exclude(Exists(recent_lines)):
        close(event, SYSTEM)
