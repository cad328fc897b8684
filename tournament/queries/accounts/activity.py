"""Roles offered to an account and lines of its activity, for pages. Reads only."""

from django.contrib.auth.models import User
from django.db.models import QuerySet

from tournament.models import AccountEvent, AccountEventKind, Invitation

KINDS = dict(AccountEventKind.choices)


def invitations_of(user: User | None) -> QuerySet[Invitation]:
    """Returns open invitations, the oldest first; none for a stranger."""
    if user is None:
        return Invitation.objects.none()
    return Invitation.objects.filter(user=user).select_related("event", "made_by")


def activity_of(user: User) -> QuerySet[AccountEvent]:
    """Returns the lines of an account, the newest first."""
    return AccountEvent.objects.filter(user=user).select_related("by", "event")


def kind_in_words(kind: str) -> str:
    return str(KINDS.get(kind, kind))
