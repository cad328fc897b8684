"""Accounts: their origin, rights in the installation, closing and reopening.

`by` is the acting user; None for a command of the operator.
"""

from datetime import timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from matches.refusals import Refusal
from tournament.accounts import activity, sessions
from tournament.models import Account, AccountEvent, AccountEventKind, Event, SignInLink
from tournament.refusals.accounts import LAST_ADMINISTRATOR
from tournament.runtime.errors import Refused


@transaction.atomic
def detach(user: User) -> None:
    """Makes the account independent of the event that made it, and revokes unused sign-in links of that event."""
    if Account.objects.filter(user=user, made_by__isnull=False).update(made_by=None):
        revoke_sign_in_links(user)


def is_made_by(user: User, event: Event) -> bool:
    """True if the event made the account. Locks it, so that it stays dependent while a link is issued."""
    return Account.objects.select_for_update().filter(user=user, made_by=event).exists()


def check_limit(user: User, kind: AccountEventKind, most: int, refusal: Refusal) -> None:
    """Raises Refused if the user did this `most` times in 24 hours; 0 sets no limit."""
    since = timezone.now() - timedelta(hours=24)
    lines = AccountEvent.objects.filter(kind=kind, at__gt=since)
    if most and lines.filter(Q(by=user) | Q(user=user, by=None)).count() >= most:
        raise Refused(refusal, most=most)


@transaction.atomic
def close(user: User, by: User | None = None, event: Event | None = None) -> None:
    """Deactivates the account and revokes its sessions, tokens, unused sign-in links and live streams."""
    if user.is_superuser:
        _require_another_administrator(user)
    if not User.objects.filter(pk=user.pk, is_active=True).update(is_active=False):
        return
    sessions.sign_out_everywhere(user, except_key="")
    activity.record(user, AccountEventKind.ACCOUNT_CLOSED, by=by, event=event)


@transaction.atomic
def reopen(user: User, by: User | None = None) -> None:
    """Lets the account sign in again, by password or by a new link. Revoked sessions and tokens stay revoked."""
    if User.objects.filter(pk=user.pk, is_active=False).update(is_active=True):
        activity.record(user, AccountEventKind.ACCOUNT_REOPENED, by=by)


@transaction.atomic
def set_event_right(user: User, *, may_create: bool, by: User | None = None) -> None:
    """Gives or removes the right to create events. With the right the account is independent of any event."""
    if may_create:
        detach(user)
    Account.objects.update_or_create(user=user, defaults={"may_create_events": may_create})
    kind = AccountEventKind.EVENTS_ALLOWED if may_create else AccountEventKind.EVENTS_FORBIDDEN
    activity.record(user, kind, by=by)


@transaction.atomic
def set_administrator(user: User, *, is_administrator: bool, by: User | None = None) -> None:
    """Adds or removes an administrator of the installation. Raises Refused for the last one."""
    if is_administrator:
        detach(user)
    else:
        _require_another_administrator(user)
    User.objects.filter(pk=user.pk).update(is_superuser=is_administrator)
    added, removed = AccountEventKind.ADMINISTRATOR_ADDED, AccountEventKind.ADMINISTRATOR_REMOVED
    activity.record(user, added if is_administrator else removed, by=by)


def _require_another_administrator(user: User) -> None:
    others = User.objects.select_for_update().filter(is_superuser=True, is_active=True).exclude(pk=user.pk)
    if not others.order_by("pk").values_list("pk", flat=True):
        raise Refused(LAST_ADMINISTRATOR)


def revoke_sign_in_links(user: User) -> None:
    SignInLink.objects.filter(user=user, used_at__isnull=True).update(used_at=timezone.now())
