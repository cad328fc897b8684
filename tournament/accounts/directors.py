"""Creates and finds accounts of directors. Memberships give them their permissions in events."""

from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.db import transaction

from tournament.accounts import activity, lifecycle, sessions
from tournament.models import Account, AccountEventKind, Role

FIRST_NAME = "director"


def get_director(name: str = FIRST_NAME) -> User:
    """Returns the account of this name from `open_account`."""
    return open_account(name)[0]


@transaction.atomic
def open_account(name: str) -> tuple[User, bool]:
    """Returns the account, active and with the right to create events, and True if it is new.

    The first account becomes administrator. No event issues sign-in links for the account any more.
    """
    is_first = not User.objects.exists()
    user, is_new = User.objects.get_or_create(username=name)
    if is_new:
        user.set_unusable_password()
        user.save()
        activity.record(user, AccountEventKind.ACCOUNT_MADE)
    lifecycle.reopen(user)
    if not Account.objects.filter(user=user, may_create_events=True).exists():
        lifecycle.set_event_right(user, may_create=True)
    if is_first:
        lifecycle.set_administrator(user, is_administrator=True)
    user.refresh_from_db()
    return user, is_new


def find_by_name(name: str) -> User | None:
    """Returns the active account of this name, ignoring case. Compares in Python: SQLite folds ASCII only."""
    wanted = name.strip().casefold()
    accounts = User.objects.filter(is_active=True).order_by("pk")
    return next((user for user in accounts if user.username.casefold() == wanted), None)


@transaction.atomic
def set_password(user: User, password: str) -> None:
    """Sets the password and revokes all sessions, tokens and unused links. Raises ValidationError if it is weak."""
    validate_password(password, user)
    user.set_password(password)
    user.save(update_fields=["password"])
    sessions.sign_out_everywhere(user, "", AccountEventKind.PASSWORD_CHANGED)


def last_owner() -> User | None:
    """Returns the active owner of an event who signed in last."""
    owners = User.objects.filter(is_active=True, memberships__role=Role.OWNER, last_login__isnull=False)
    return owners.order_by("-last_login").first()


def is_first_start() -> bool:
    """True if nobody has ever signed in."""
    return not User.objects.filter(last_login__isnull=False).exists()
