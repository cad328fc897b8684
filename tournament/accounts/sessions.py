"""Lists and ends sessions, and signs users out everywhere."""

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from tournament.accounts import activity
from tournament.live import subscriptions
from tournament.models import AccountEventKind, ApiToken, Session, SignInLink
from tournament.runtime.errors import NotFound

NAME_LENGTH = 16


def sessions_of(user: User) -> list[Session]:
    """Returns the user's open sessions, the most recently used first."""
    return list(Session.objects.filter(user=user, expire_date__gt=timezone.now()))


def session_name(session: Session) -> str:
    """Returns a name for addresses; it is not a credential."""
    return str(session.session_key)[:NAME_LENGTH]


@transaction.atomic
def end_session(user: User, name: str, by: User | None = None) -> None:
    """Signs the user out of one browser. Raises NotFound if the user has no session of this name."""
    named = [session.pk for session in sessions_of(user) if session_name(session) == name]
    if not named:
        raise NotFound
    Session.objects.filter(pk__in=named).delete()
    activity.record(user, AccountEventKind.SESSION_ENDED, by=by)
    subscriptions.close_streams_of_user(user)


@transaction.atomic
def sign_out_everywhere(
    user: User,
    except_key: str,
    kind: AccountEventKind = AccountEventKind.ENDED_EVERYWHERE,
    address: str = "",
    by: User | None = None,
) -> None:
    """Ends all sessions of the user except `except_key`, and revokes all API tokens and unused sign-in links.

    `kind` is the kind of the line in the activity log.
    """
    now = timezone.now()
    Session.objects.filter(user=user).exclude(session_key=except_key).delete()
    ApiToken.objects.filter(user=user, revoked_at__isnull=True).update(revoked_at=now)
    SignInLink.objects.filter(user=user, used_at__isnull=True).update(used_at=now)
    activity.record(user, kind, address=address, by=by)
    subscriptions.close_streams_of_user(user)
