"""Accounts of people who run events: their rights in the installation, invitations and activity."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournament.models.events import Event, Role


class Account(models.Model):
    """The installation's data about a user, beside Django's own row. Administrators are Django's superusers.

    `made_by` is the event that created the account for a helper. It may issue sign-in links for the account and close
    it. It is empty for accounts that the operator made, and becomes empty for good when the account gets a role in
    another event, owns an event, or is opened by the operator.
    `has_unread_activity`: another user changed the account, and its owner has not seen the activity page yet.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="account"
    )
    made_by = models.ForeignKey(
        Event, on_delete=models.SET_NULL, null=True, blank=True, related_name="made_accounts"
    )
    may_create_events = models.BooleanField(default=False)
    has_unread_activity = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(made_by__isnull=True) | Q(may_create_events=False),
                name="helper_accounts_create_no_events",
            ),
        ]


class Invitation(models.Model):
    """A role that is offered to an account. It takes effect when the account accepts it.

    `user` is empty when no account has this name, so that the event's pages look the same in both cases.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="invitations")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="invitations"
    )
    user_name = models.CharField(max_length=150)
    name_key = models.CharField(max_length=300)
    role = models.CharField(max_length=10, choices=Role.choices)
    made_at = models.DateTimeField()
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )

    class Meta:
        ordering = ["made_at"]
        constraints = [
            models.UniqueConstraint(fields=["event", "name_key"], name="one_invitation_for_a_name"),
            models.CheckConstraint(condition=Q(role__in=Role.values), name="invited_role_is_known"),
        ]


class AccountEventKind(models.TextChoices):
    """The kinds of lines in an account's activity log."""

    SIGNED_IN = "signed_in", _("Signed in")
    SIGNED_OUT = "signed_out", _("Signed out")
    LOCKED_OUT = "locked_out", _("Locked after too many failed sign-ins")
    WRONG_CODES = "wrong_codes", _("Wrong second-factor codes")
    SESSION_ENDED = "session_ended", _("Signed out of one browser")
    ENDED_EVERYWHERE = "ended_everywhere", _("Signed out everywhere")
    PASSWORD_CHANGED = "password_changed", _("Password changed")
    SECOND_FACTOR_ADDED = "second_factor_added", _("Second factor added")
    SECOND_FACTOR_REMOVED = "second_factor_removed", _("Second factor removed")
    TOKEN_MADE = "token_made", _("API token created")
    TOKEN_REVOKED = "token_revoked", _("API token revoked")
    LINK_MADE = "link_made", _("Sign-in link issued")
    ROLE_INVITED = "role_invited", _("Invited to a role")
    ROLE_ACCEPTED = "role_accepted", _("Role accepted")
    ROLE_DECLINED = "role_declined", _("Role declined")
    ROLE_CHANGED = "role_changed", _("Role changed")
    ROLE_TAKEN = "role_taken", _("Role removed")
    ACCOUNT_MADE = "account_made", _("Account created")
    ACCOUNT_CLOSED = "account_closed", _("Account closed")
    ACCOUNT_REOPENED = "account_reopened", _("Account reopened")
    EVENT_CREATED = "event_created", _("Event created")
    EVENT_DELETED = "event_deleted", _("Event moved to the bin")
    EVENTS_ALLOWED = "events_allowed", _("Right to create events given")
    EVENTS_FORBIDDEN = "events_forbidden", _("Right to create events removed")
    ADMINISTRATOR_ADDED = "administrator_added", _("Made administrator")
    ADMINISTRATOR_REMOVED = "administrator_removed", _("No longer administrator")


class AccountEvent(models.Model):
    """One line of an account's activity. `address` is shortened; `by` is the acting user if it was another one."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="account_events"
    )
    at = models.DateTimeField(db_index=True)
    kind = models.CharField(max_length=30)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    event = models.ForeignKey(Event, on_delete=models.SET_NULL, null=True, related_name="+")
    address = models.CharField(max_length=45, blank=True, default="")
    detail = models.CharField(max_length=120, blank=True, default="")

    class Meta:
        ordering = ["-at", "-id"]
        indexes = [models.Index(fields=["user", "-at"], name="account_activity")]
