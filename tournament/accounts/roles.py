"""Roles in an event: invitations to existing accounts, and new accounts for helpers.

An event issues sign-in links only for accounts that it made itself and that never had a role elsewhere.
"""

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from tournament.access.actors import Actor
from tournament.access.permissions import require_user
from tournament.accounts import activity, directors, lifecycle, links
from tournament.live import journal, subscriptions
from tournament.live.journal import JournalEntry
from tournament.models import Account, AccountEventKind, Event, Invitation, Membership, Role
from tournament.refusals.accounts import (
    INVITATION_VOID,
    LAST_OWNER,
    NOT_CREATED_HERE,
    NOT_ONLY_A_HELPER,
    TOO_MANY_INVITATIONS,
    USER_NAME_TAKEN,
)
from tournament.refusals.limits import TOO_MANY_ACCOUNTS, TOO_MANY_NAMES
from tournament.runtime import rate_limiter
from tournament.runtime.errors import NotFound, Refused
from tournament.runtime.rate_limiter import Limit

MOST_INVITATIONS = 100
TAKEN_NAMES = Limit("user names that were taken, by account", 20, 24 * 3600)


@transaction.atomic
def set_role(event: Event, user_name: str, role: str, actor: Actor) -> bool:
    """Changes the role of a member, or invites a new one. Returns True if the role is in force."""
    user = directors.find_by_name(user_name)
    if user is not None and Membership.objects.filter(event=event, user=user).exists():
        change_role(event, user, role, actor)
        return True
    _invite(event, user, user_name, role, actor)
    return False


@transaction.atomic
def change_role(event: Event, user: User, role: str, actor: Actor) -> None:
    """Changes the role of a member. Raises Refused for the last owner, NotFound for a user without a role."""
    _require_another_owner(event, user, role)
    if not Membership.objects.filter(event=event, user=user).update(role=role):
        raise NotFound
    if role == Role.OWNER:
        lifecycle.detach(user)
    journal.write(event, actor, JournalEntry("give role", "user", user.pk, after={"role": role}))
    activity.record(user, AccountEventKind.ROLE_CHANGED, by=actor.user, event=event, detail=role)
    subscriptions.close_streams_of_user(user)


def _invite(event: Event, user: User | None, user_name: str, role: str, actor: Actor) -> None:
    """Acts alike for unknown names, so that invitations do not reveal which accounts exist."""
    key = user_name.strip().casefold()
    waiting = Invitation.objects.select_for_update().filter(event=event).exclude(name_key=key)
    if waiting.count() >= MOST_INVITATIONS:
        raise Refused(TOO_MANY_INVITATIONS)
    offer = {
        "user": user, "user_name": user_name.strip(), "role": role, "made_at": timezone.now(), "made_by": actor.user,
    }  # fmt: skip
    Invitation.objects.update_or_create(event=event, name_key=key, defaults=offer)
    journal.write(
        event, actor, JournalEntry("invite", "invitation", after={"name": user_name.strip(), "role": role})
    )
    if user is not None:
        activity.record(user, AccountEventKind.ROLE_INVITED, by=actor.user, event=event, detail=role)


@transaction.atomic
def accept(invitation: Invitation, actor: Actor) -> None:
    """Gives the role to the invited account.

    Raises NotFound if the invitation is gone or for another account, Refused if its maker no longer owns the event.
    """
    user = _take_invitation(invitation, actor)
    _refuse_of_former_owner(invitation)
    event, role = invitation.event, invitation.role
    _require_another_owner(event, user, role)
    if role == Role.OWNER or not lifecycle.is_made_by(user, event):
        lifecycle.detach(user)
    Membership.objects.update_or_create(event=event, user=user, defaults={"role": role})
    journal.write(event, actor, JournalEntry("accept role", "user", user.pk, after={"role": role}))
    activity.record(user, AccountEventKind.ROLE_ACCEPTED, event=event, detail=role)
    subscriptions.close_streams_of_user(user)


@transaction.atomic
def decline(invitation: Invitation, actor: Actor) -> None:
    """Declines the invitation. Raises NotFound like `accept`."""
    user = _take_invitation(invitation, actor)
    journal.write(invitation.event, actor, JournalEntry("decline role", "user", user.pk))
    activity.record(user, AccountEventKind.ROLE_DECLINED, event=invitation.event, detail=invitation.role)


def invitation_of(event: Event, user_name: str) -> Invitation | None:
    """Returns the open invitation for a name. Compares in Python, because PostgreSQL rejects a NUL in the name."""
    key = user_name.strip().casefold()
    return next((invitation for invitation in event.invitations.all() if invitation.name_key == key), None)


def _take_invitation(invitation: Invitation, actor: Actor) -> User:
    """Deletes the invitation and returns its user. Raises NotFound in the slower of two requests."""
    user = require_user(actor)
    invitations = Invitation.objects.filter(pk=invitation.pk, user=user, role=invitation.role)
    if not invitations.delete()[0]:
        raise NotFound
    return user


def _refuse_of_former_owner(invitation: Invitation) -> None:
    """Locks the maker's membership, so that it cannot be removed during the acceptance."""
    makers = Membership.objects.select_for_update(of=["self"]).filter(
        event=invitation.event, user=invitation.made_by_id, role=Role.OWNER, user__is_active=True
    )
    if not makers.exists():
        raise Refused(INVITATION_VOID)


@transaction.atomic
def withdraw(invitation: Invitation, actor: Actor) -> None:
    """Withdraws the invitation. Idempotent."""
    if Invitation.objects.filter(pk=invitation.pk).delete()[0]:
        before = {"name": invitation.user_name, "role": invitation.role}
        journal.write(
            invitation.event, actor, JournalEntry("withdraw invitation", "invitation", before=before)
        )


@transaction.atomic
def make_helper(event: Event, user_name: str, role: str, actor: Actor) -> str:
    """Creates an account without a password, with a role in the event. Returns the path of its sign-in link."""
    maker = require_user(actor)
    if rate_limiter.seconds_locked(TAKEN_NAMES, str(maker.pk)):
        raise Refused(TOO_MANY_NAMES)
    if directors.find_by_name(user_name) is not None or User.objects.filter(username=user_name).exists():
        rate_limiter.seconds_to_wait((TAKEN_NAMES, str(maker.pk)))
        raise Refused(USER_NAME_TAKEN, name=user_name)
    lifecycle.check_limit(maker, AccountEventKind.ACCOUNT_MADE, settings.ACCOUNTS_A_DAY, TOO_MANY_ACCOUNTS)
    user = User.objects.create_user(user_name)
    made_by = None if role == Role.OWNER else event
    Account.objects.create(user=user, made_by=made_by)
    Membership.objects.create(event=event, user=user, role=role)
    journal.write(event, actor, JournalEntry("make helper", "user", user.pk, after={"role": role}))
    activity.record(user, AccountEventKind.ACCOUNT_MADE, by=actor.user, event=event, detail=role)
    return links.make_sign_in_link(user)


@transaction.atomic
def reissue_sign_in_link(event: Event, user: User, actor: Actor) -> str:
    """Issues a sign-in link for an account that this event made and that has no password. Returns its path."""
    if not lifecycle.is_made_by(user, event) or user.has_usable_password() or user.is_superuser:
        raise Refused(NOT_ONLY_A_HELPER)
    journal.write(event, actor, JournalEntry("let in again", "user", user.pk))
    activity.record(user, AccountEventKind.LINK_MADE, by=actor.user, event=event)
    return links.make_sign_in_link(user)


@transaction.atomic
def remove_role(event: Event, user: User, actor: Actor) -> None:
    """Removes the role of a member. Raises Refused for the last owner."""
    _require_another_owner(event, user, "")
    if not Membership.objects.filter(event=event, user=user).delete()[0]:
        raise NotFound
    journal.write(event, actor, JournalEntry("take role", "user", user.pk))
    activity.record(user, AccountEventKind.ROLE_TAKEN, by=actor.user, event=event)
    subscriptions.close_streams_of_user(user)


@transaction.atomic
def close_helper(event: Event, user: User, actor: Actor) -> None:
    """Closes an account that this event made and that never had a role elsewhere."""
    if not lifecycle.is_made_by(user, event) or user.is_superuser:
        raise Refused(NOT_CREATED_HERE)
    Membership.objects.filter(event=event, user=user).delete()
    lifecycle.close(user, actor.user, event)
    journal.write(event, actor, JournalEntry("close account", "user", user.pk))


def _require_another_owner(event: Event, user: User, role: str) -> None:
    active = Membership.objects.filter(event=event, role=Role.OWNER, user__is_active=True)
    owners = list(active.select_for_update(of=["self"]))
    if role != Role.OWNER and [owner.user_id for owner in owners] == [user.pk]:
        raise Refused(LAST_OWNER)
