"""Accounts of people who run events: who made them, their rights in the installation, closing and reopening.

Callers without an acting user are commands of the operator.
"""

from datetime import timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from tournament.accounts import activity, sessions
from tournament.models import Account, AccountEvent, AccountEventKind, Event, SignInLink
from tournament.runtime.errors import Refused


@transaction.atomic
def detach(user: User) -> None:
    """Ends the hold of the event that made the account: it issues no more sign-in links, and unused ones are void."""
    if Account.objects.filter(user=user, made_by__isnull=False).update(made_by=None):
        revoke_sign_in_links(user)


def is_made_by(user: User, event: Event) -> bool:
    """Locks the account, so that it cannot become independent while a link is issued for it."""
    return Account.objects.select_for_update().filter(user=user, made_by=event).exists()


def check_limit(user: User, kind: AccountEventKind, most: int, template: str) -> None:
    """Raises Refused with this sentence when the user did this `most` times in 24 hours; 0 sets no limit."""
    since = timezone.now() - timedelta(hours=24)
    done = AccountEvent.objects.filter(kind=kind, at__gt=since)
    if most and done.filter(Q(by=user) | Q(user=user, by=None)).count() >= most:
        raise Refused("daily-limit", template, most=most)


@transaction.atomic
def close(user: User, by: User | None = None, event: Event | None = None) -> None:
    """Ends sessions, tokens, unused sign-in links and live streams, and lets the account sign in no more."""
    if user.is_superuser:
        _require_another_administrator(user)
    if not User.objects.filter(pk=user.pk, is_active=True).update(is_active=False):
        return
    sessions.sign_out_everywhere(user, except_key="")
    activity.record(user, AccountEventKind.ACCOUNT_CLOSED, by=by, event=event)


@transaction.atomic
def reopen(user: User, by: User | None = None) -> None:
    """The account can sign in again, by its password or by a new link. What ended stays ended."""
    if User.objects.filter(pk=user.pk, is_active=False).update(is_active=True):
        activity.record(user, AccountEventKind.ACCOUNT_REOPENED, by=by)


@transaction.atomic
def set_event_right(user: User, *, may_create: bool, by: User | None = None) -> None:
    """Gives or removes the right to create events. Who gets it is no event's helper any more."""
    if may_create:
        detach(user)
    Account.objects.update_or_create(user=user, defaults={"may_create_events": may_create})
    kind = AccountEventKind.EVENTS_ALLOWED if may_create else AccountEventKind.EVENTS_FORBIDDEN
    activity.record(user, kind, by=by)


@transaction.atomic
def set_administrator(user: User, *, is_administrator: bool, by: User | None = None) -> None:
    """Makes the account an administrator of the installation, or ends that. One administrator stays."""
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
        raise Refused("last-administrator", "An installation needs an administrator. Add another one first.")


def revoke_sign_in_links(user: User) -> None:
    """Unused one-time sign-in links work no longer."""
    SignInLink.objects.filter(user=user, used_at__isnull=True).update(used_at=timezone.now())
