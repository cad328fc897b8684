"""Limits how many bytes of game records and photos one event keeps in the database."""

from django.conf import settings
from django.db.models import Sum

from matches.models import GameRecord
from tournament.models import Event, EventLogo, Evidence, WinnerPicture
from tournament.refusals.limits import EVENT_STORAGE_FULL
from tournament.runtime.errors import Refused

MEGABYTE = 1_000_000
WARNING_SHARE = 0.8


def used_bytes(event: Event) -> int:
    """The size of all game records, photos and pictures of the event."""
    records = GameRecord.objects.filter(match__pairing__round__bracket__tournament__event=event)
    photos = Evidence.objects.filter(question__tournament__event=event)
    pictures = WinnerPicture.objects.filter(tournament__event=event)
    logos = EventLogo.objects.filter(event=event)
    return sum(rows.aggregate(total=Sum("size"))["total"] or 0 for rows in (records, photos, pictures, logos))


def refuse_beyond_limit(event: Event, more: int) -> None:
    """Raises Refused if `more` bytes would exceed the limit of the event."""
    if used_bytes(event) + more > settings.EVENT_STORAGE_MB * MEGABYTE:
        raise Refused(EVENT_STORAGE_FULL, most=settings.EVENT_STORAGE_MB)


def is_nearly_full(event: Event) -> bool:
    return used_bytes(event) > settings.EVENT_STORAGE_MB * MEGABYTE * WARNING_SHARE
