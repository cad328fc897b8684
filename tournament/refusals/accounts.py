"""Refusals of accounts, roles, invitations and API tokens."""

from django.utils.translation import gettext_noop as _

from matches.refusals import Refusal

LAST_ADMINISTRATOR = Refusal(
    "last-administrator", _("An installation needs an administrator. Add another one first.")
)
LAST_OWNER = Refusal("last-owner", _("An event needs an owner. Make someone else owner first."))
SIGN_IN_LINK_USED = Refusal(
    "sign-in-link-used",
    _("This link was used before or has expired. Ask for a new one, or run “python3 manage.py director”."),
)
TOKEN_TOO_LONG = Refusal(
    "token-too-long", _("A token is valid for 1 to {days} days. Choose a number in this range.")
)
NO_ROLE_IN_EVENT = Refusal(
    "no-role-there", _("You have no role in that event. Choose one of your own events.")
)
TOO_MANY_INVITATIONS = Refusal(
    "too-many-invitations", _("Too many invitations are open. Withdraw some of them first.")
)
INVITATION_VOID = Refusal(
    "invitation-void",
    _("The person who invited you no longer owns this event. Ask an owner for a new invitation."),
)
USER_NAME_TAKEN = Refusal(
    "name-taken", _("The user name “{name}” is taken. Choose another name, or invite that account.")
)
NOT_ONLY_A_HELPER = Refusal(
    "own-account",
    _(
        "This account is not only a helper of this event. "
        "Its owner signs in with a password, or asks an administrator."
    ),
)
NOT_CREATED_HERE = Refusal(
    "own-account", _("This event did not create that account, so you cannot close it. Ask an administrator.")
)
