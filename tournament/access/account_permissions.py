"""Permissions of an account outside single events. Reads only."""

from django.contrib.auth.models import User

from tournament.access.actors import Actor
from tournament.access.permissions import require_user
from tournament.models import Account, Invitation
from tournament.refusals.access import NO_EVENT_RIGHT, NOT_ADMINISTRATOR
from tournament.runtime.errors import Denied, NotFound


def may_create_events(actor: Actor) -> bool:
    """True for administrators and for accounts with the right to create events."""
    if actor.user is None:
        return False
    return is_administrator(actor) or Account.objects.filter(user=actor.user, may_create_events=True).exists()


def needs_password(actor: Actor) -> bool:
    """True if the signed-in user needs the server's terminal to sign in again: the account has no password, and no
    event made it.
    """
    if actor.user is None or actor.user.has_usable_password():
        return False
    return not Account.objects.filter(user=actor.user, made_by__isnull=False).exists()


def require_event_right(actor: Actor) -> User:
    """Raises Denied unless the signed-in user may create events."""
    user = require_user(actor)
    if not may_create_events(actor):
        raise Denied(NO_EVENT_RIGHT, is_known=True)
    return user


def is_administrator(actor: Actor) -> bool:
    """Administrators of the installation are Django's superusers. A token for one event administers nothing."""
    if actor.only_event is not None:
        return False
    return actor.user is not None and actor.user.is_active and actor.user.is_superuser


def require_administrator(actor: Actor) -> User:
    """Raises Denied unless the signed-in user administers the installation."""
    user = require_user(actor)
    if not is_administrator(actor):
        raise Denied(NOT_ADMINISTRATOR, is_known=True)
    return user


def invitation_for(actor: Actor, pk: int) -> Invitation:
    """Returns an open invitation of the signed-in user. Raises Denied for a stranger, else NotFound."""
    invitation = Invitation.objects.select_related("event").filter(pk=pk, user=require_user(actor)).first()
    if invitation is None:
        raise NotFound
    return invitation
