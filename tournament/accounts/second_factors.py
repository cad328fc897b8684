"""Who has a second factor, who has to have one, and its reset. The secrets are kept by django-allauth."""

from collections.abc import Iterable

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction

from tournament.accounts import activity
from tournament.models import Account, AccountEventKind, Membership, Role

FACTORS = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)


def has_second_factor(user: User) -> bool:
    return bool(users_with_second_factor([user.pk]))


def users_with_second_factor(users: Iterable[int]) -> set[int]:
    """Those of these users, by id, who have a second factor."""
    found = Authenticator.objects.filter(user__in=list(users), type__in=FACTORS)
    return set(found.values_list("user_id", flat=True))


def is_second_factor_required(user: User) -> bool:
    """Whether REQUIRE_SECOND_FACTOR concerns this user: owners, directors, administrators, creators of events."""
    if not settings.REQUIRE_SECOND_FACTOR:
        return False
    directs = Membership.objects.filter(user=user, role__in=(Role.OWNER, Role.DIRECTOR))
    may_create = Account.objects.filter(user=user, may_create_events=True)
    return user.is_superuser or directs.exists() or may_create.exists()


@transaction.atomic
def reset_second_factor(user: User) -> bool:
    """Removes every second factor and recovery code; False when there was none."""
    removed, _ = Authenticator.objects.filter(user=user).delete()
    if removed:
        activity.record(user, AccountEventKind.SECOND_FACTOR_REMOVED, detail="reset")
    return bool(removed)
