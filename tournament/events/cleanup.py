"""Removes expired sessions, links, tokens and old account activity, closes inactive events and empties the bin."""

from datetime import timedelta

from django.conf import settings
from django.core.cache import cache
from django.db.models import Q
from django.utils import timezone

from tournament.accounts import activity
from tournament.events import closing, logos, recycle_bin, winner_pictures
from tournament.models import ApiToken, Session, SignInLink

CLEANED_KEY = "cleaned"
RETENTION = timedelta(days=30)
"""Expired, used and revoked links and tokens are listed for this time."""


def clean_up_if_due() -> None:
    """Runs at most once in CLEAN_UP_HOURS on all nodes together. 0 switches it off."""
    seconds = round(settings.CLEAN_UP_HOURS * 3600)
    if seconds and cache.add(CLEANED_KEY, 1, timeout=seconds):
        clean_up()


def clean_up() -> None:
    """Idempotent."""
    now = timezone.now()
    Session.objects.filter(expire_date__lt=now).delete()
    SignInLink.objects.filter(Q(expires_at__lt=now - RETENTION) | Q(used_at__lt=now - RETENTION)).delete()
    ApiToken.objects.filter(Q(expires_at__lt=now - RETENTION) | Q(revoked_at__lt=now - RETENTION)).delete()
    activity.remove_old()
    closing.close_old()
    recycle_bin.remove_expired()
    winner_pictures.delete_expired()
    logos.delete_expired()
