"""Second factors of accounts: presence, requirement and reset. django-allauth stores the secrets."""

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
    """Returns the ids among these that have a second factor."""
    rows = Authenticator.objects.filter(user__in=list(users), type__in=FACTORS)
    return set(rows.values_list("user_id", flat=True))


def is_last_second_factor(authenticator: Authenticator) -> bool:
    """True if the user has no other second factor; recovery codes do not count."""
    others = Authenticator.objects.filter(user=authenticator.user).exclude(pk=authenticator.pk)
    return not others.exclude(type=Authenticator.Type.RECOVERY_CODES).exists()


def is_second_factor_required(user: User) -> bool:
    """True if REQUIRE_SECOND_FACTOR applies: to owners, directors, administrators and creators of events."""
    if not settings.REQUIRE_SECOND_FACTOR:
        return False
    directs = Membership.objects.filter(user=user, role__in=(Role.OWNER, Role.DIRECTOR))
    may_create = Account.objects.filter(user=user, may_create_events=True)
    return user.is_superuser or directs.exists() or may_create.exists()


@transaction.atomic
def reset_second_factor(user: User) -> bool:
    """Removes every second factor and recovery code. Returns False if there was none."""
    removed, _ = Authenticator.objects.filter(user=user).delete()
    if removed:
        activity.record(user, AccountEventKind.SECOND_FACTOR_REMOVED, detail="reset")
    return bool(removed)
