"""Stores, removes and restores the logo of an event."""

import uuid
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from tournament.access.actors import Actor
from tournament.live import journal
from tournament.live.journal import JournalEntry
from tournament.models import Event, EventLogo
from tournament.refusals.events import LOGO_REPLACED
from tournament.runtime import storage_quota
from tournament.runtime.errors import NotFound, Refused
from tournament.runtime.event_lock import lock_event
from tournament.runtime.images import redraw_picture
from tournament.screens.display_links import publish_changes

RETENTION = timedelta(days=30)
MAX_SIDE = 800
"""Pixels. Enough for a printed poster."""


def store_logo(event: Event, file: bytes, actor: Actor) -> EventLogo:
    """Replaces the logo. The earlier one can be restored.

    Raises Refused if the file is no picture, and if the event is full.
    """
    picture = redraw_picture(file, MAX_SIDE)
    with transaction.atomic():
        locked_event = lock_event(event.pk)
        storage_quota.refuse_beyond_limit(locked_event, len(picture))
        _remove_current(locked_event)
        logo = EventLogo.objects.create(
            event=locked_event,
            picture=picture,
            size=len(picture),
            uploaded_by=actor.user,
            uploaded_at=timezone.now(),
        )
        _show(locked_event, logo, "add logo", actor)
    return logo


@transaction.atomic
def remove_logo(event: Event, logo_id: uuid.UUID, actor: Actor) -> None:
    """Hides the logo for 30 days, then the cleanup deletes it. Idempotent.

    Raises NotFound for a logo of another event, and Refused if another logo replaced this one.
    """
    locked_event = lock_event(event.pk)
    if not EventLogo.objects.filter(event=locked_event, pk=logo_id).exists():
        raise NotFound
    if locked_event.logo_id not in (logo_id, None):
        raise Refused(LOGO_REPLACED)
    if locked_event.logo_id is not None:
        _remove_current(locked_event)
        _show(locked_event, None, "remove logo", actor)


@transaction.atomic
def restore_logo(event: Event, logo_id: uuid.UUID, actor: Actor) -> None:
    """Shows a removed logo again, in place of a later one. Idempotent. Raises NotFound."""
    locked_event = lock_event(event.pk)
    logo = EventLogo.objects.defer("picture").filter(event=locked_event, pk=logo_id).first()
    if logo is None:
        raise NotFound
    if locked_event.logo_id != logo.pk:
        _remove_current(locked_event)
        logo.removed_at = None
        logo.save(update_fields=["removed_at"])
        _show(locked_event, logo, "restore logo", actor)


def delete_expired() -> None:
    """Deletes logos that were removed 30 days ago. Idempotent."""
    expired = EventLogo.objects.filter(removed_at__lt=timezone.now() - RETENTION)
    for event_id in sorted(set(expired.values_list("event_id", flat=True))):
        with transaction.atomic():
            lock_event(event_id)
            expired.filter(event=event_id).delete()


def _remove_current(event: Event) -> None:
    EventLogo.objects.filter(event=event, removed_at__isnull=True).update(removed_at=timezone.now())


def _show(event: Event, logo: EventLogo | None, verb: str, actor: Actor) -> None:
    before = event.logo_id
    event.logo = logo
    event.save(update_fields=["logo"])
    journal.write(event, actor, JournalEntry(verb, "logo", logo.pk if logo else before))
    publish_changes(event.pk)
