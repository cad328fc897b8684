"""All accounts and events of the installation, for its administrators. Reads only."""

from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db.models import Count, Prefetch, Q, QuerySet
from django.utils import timezone

from tournament.accounts import second_factors, sessions
from tournament.models import ApiToken, Event, Membership, Role, Session
from tournament.runtime.errors import NotFound


@dataclass(frozen=True, slots=True)
class AccountPage:
    """An account with its roles, tokens, sessions (each with its name for addresses) and rights.

    `made_by` is the slug of the event that made the account, if any.
    """

    user: User
    roles: list[Membership]
    tokens: list[ApiToken]
    sessions: list[tuple[str, Session]]
    may_create_events: bool
    made_by: str
    has_second_factor: bool


def accounts_of_installation(name: str = "") -> QuerySet[User]:
    """Returns users sorted by name, with the number of their roles."""
    users = User.objects.filter(username__icontains=name) if name else User.objects.all()
    return users.select_related("account__made_by").annotate(roles=Count("memberships")).order_by("username")


def account_page(user: User) -> AccountPage:
    account = getattr(user, "account", None)
    return AccountPage(
        user=user,
        roles=list(Membership.objects.filter(user=user).select_related("event")),
        tokens=list(
            ApiToken.objects.filter(user=user, revoked_at__isnull=True, expires_at__gt=timezone.now())
        ),
        sessions=[(sessions.session_name(session), session) for session in sessions.sessions_of(user)],
        may_create_events=user.is_superuser or (account is not None and account.may_create_events),
        made_by=account.made_by.slug if account is not None and account.made_by else "",
        has_second_factor=second_factors.has_second_factor(user),
    )


def user_by_id(user_id: int) -> User:
    """Raises NotFound."""
    user = User.objects.select_related("account__made_by").filter(pk=user_id).first()
    if user is None:
        raise NotFound
    return user


def events_of_installation(name: str = "") -> QuerySet[Event]:
    """Returns all events, the newest first, with their owners as `owners`."""
    wanted = Q(name__icontains=name) | Q(slug__icontains=name) if name else Q()
    owners = Membership.objects.filter(role=Role.OWNER).select_related("user")
    return (
        Event.objects.filter(wanted)
        .prefetch_related(Prefetch("memberships", queryset=owners, to_attr="owners"))
        .order_by("-created_at", "pk")
    )


def find_account(name: str) -> User | None:
    """Returns the account with exactly this name, active or closed."""
    return User.objects.filter(username=name).first()
