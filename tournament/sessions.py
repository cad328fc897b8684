"""Ends whatever lets somebody in: for whoever lost a laptop, or signed in at a table in the hall and walked away."""

from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import transaction
from django.utils import timezone

from tournament import hearing
from tournament.models import ApiToken, SignInLink


@transaction.atomic
def end_everywhere(user: User, but: str) -> None:
    """Signs the user out of every browser except the one of the session `but`; tokens and unused links are void."""
    now = timezone.now()
    open_ones = Session.objects.filter(expire_date__gt=now).exclude(session_key=but)
    own = [one.pk for one in open_ones.iterator() if one.get_decoded().get(SESSION_KEY) == str(user.pk)]
    Session.objects.filter(pk__in=own).delete()
    ApiToken.objects.filter(user=user, revoked_at__isnull=True).update(revoked_at=now)
    SignInLink.objects.filter(user=user, used_at__isnull=True).update(used_at=now)
    hearing.hang_up_on_user(user)
