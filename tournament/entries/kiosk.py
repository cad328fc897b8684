"""The kiosk of an event, a tablet at the door where players check themselves in: its link, and its check-ins.

The token is returned only when the link is created. The database stores its digest.
"""

import uuid
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from tournament.access.actors import Actor
from tournament.access.tournament_lists import is_current
from tournament.accounts.links import new_token
from tournament.entries import attendance
from tournament.live import journal
from tournament.live.journal import JournalEntry
from tournament.models import Entry, Event, KioskLink
from tournament.refusals.entries import CHECK_IN_STAYS
from tournament.runtime.errors import NotFound, Refused
from tournament.runtime.event_lock import lock_event
from tournament.runtime.token_digest import digest

UNDO_TIME = timedelta(seconds=60)
LONGEST_TOKEN = 64


def kiosk_by_token(token: str) -> KioskLink:
    """Returns the link with its event. Raises NotFound if it is revoked, or the event is closed or in the bin."""
    links = KioskLink.objects.select_related("event").filter(
        digest=digest(token), revoked_at__isnull=True, event__closed_at__isnull=True, event__deleted_at=None
    )
    link = links.first() if len(token) <= LONGEST_TOKEN else None
    if link is None:
        raise NotFound
    return link


def kiosk_of_event(event: Event) -> KioskLink | None:
    """Returns the open link; None while the kiosk is off."""
    return KioskLink.objects.filter(event=event, revoked_at__isnull=True).first()


@transaction.atomic
def turn_on(event: Event, actor: Actor) -> str:
    """Creates the link of the kiosk and returns its token. A former link stops working."""
    lock_event(event.pk)
    _revoke(event)
    token = new_token()
    link = KioskLink.objects.create(event=event, digest=digest(token), made_at=timezone.now())
    journal.write(event, actor, JournalEntry("turn kiosk on", "kiosk", link.pk))
    return token


@transaction.atomic
def turn_off(event: Event, actor: Actor) -> None:
    """Revokes the link. Idempotent."""
    if _revoke(event):
        journal.write(event, actor, JournalEntry("turn kiosk off", "event", event.pk))


def _revoke(event: Event) -> int:
    links = KioskLink.objects.filter(event=event, revoked_at__isnull=True)
    return links.update(revoked_at=timezone.now())


def entries_at_kiosk(event: Event) -> QuerySet[Entry]:
    """The entries that can be checked in: not withdrawn, in tournaments that do not start on a later day."""
    zone = ZoneInfo(event.time_zone)
    tomorrow = timezone.localdate(timezone=zone) + timedelta(days=1)
    midnight = datetime.combine(tomorrow, time.min, zone)
    starts = Q(tournament__starts_at__isnull=True) | Q(tournament__starts_at__lt=midnight)
    entries = Entry.objects.filter(
        starts, is_current("tournament"), tournament__event=event, withdrawn_at__isnull=True
    )
    return entries.select_related("player", "tournament__event")


def entry_at_kiosk(event: Event, entry_id: uuid.UUID) -> Entry:
    """Raises NotFound for an entry that is not among `entries_at_kiosk`."""
    entry = entries_at_kiosk(event).filter(pk=entry_id).first()
    if entry is None:
        raise NotFound
    return entry


def check_in(event: Event, entry_id: uuid.UUID) -> Entry:
    """Idempotent. Raises NotFound like `entry_at_kiosk`."""
    entry = entry_at_kiosk(event, entry_id)
    attendance.check_in_at_kiosk(entry, present=True)
    return entry


def undo_check_in(event: Event, entry_id: uuid.UUID) -> None:
    """Raises Refused later than UNDO_TIME after the check-in, NotFound like `entry_at_kiosk`."""
    entry = entry_at_kiosk(event, entry_id)
    if entry.checked_in_at is None:
        return
    if not may_undo(entry):
        raise Refused(CHECK_IN_STAYS)
    attendance.check_in_at_kiosk(entry, present=False)


def may_undo(entry: Entry) -> bool:
    return entry.checked_in_at is not None and timezone.now() - entry.checked_in_at < UNDO_TIME
