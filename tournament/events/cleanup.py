"""Removes ended sessions, sign-in links, tokens and old account activity, and closes events without any activity."""

from datetime import timedelta

from django.conf import settings
from django.core.cache import cache
from django.db.models import Q
from django.utils import timezone

from tournament.accounts import activity
from tournament.events import closing
from tournament.models import ApiToken, Session, SignInLink

CLEANED = "cleaned"
KEPT = timedelta(days=30)
"""Ended links and tokens stay in sight for so long."""


def clean_up_if_due() -> None:
    """Once in CLEAN_UP_HOURS, whichever node comes first; 0 removes nothing."""
    seconds = round(settings.CLEAN_UP_HOURS * 3600)
    if seconds and cache.add(CLEANED, 1, timeout=seconds):
        clean_up()


def clean_up() -> None:
    """Safe to repeat."""
    now = timezone.now()
    Session.objects.filter(expire_date__lt=now).delete()
    SignInLink.objects.filter(Q(expires_at__lt=now - KEPT) | Q(used_at__lt=now - KEPT)).delete()
    ApiToken.objects.filter(Q(expires_at__lt=now - KEPT) | Q(revoked_at__lt=now - KEPT)).delete()
    activity.remove_old()
    closing.close_old()
