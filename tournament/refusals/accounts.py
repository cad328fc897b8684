"""Refusals of accounts, roles, invitations and API tokens."""

from django.utils.translation import gettext_noop

from matches.refusals import Refusal

LAST_ADMINISTRATOR = Refusal(
    "last-administrator", gettext_noop("An installation needs an administrator. Add another one first.")
)
LAST_OWNER = Refusal("last-owner", gettext_noop("An event needs an owner. Make someone else owner first."))
SIGN_IN_LINK_USED = Refusal(
    "sign-in-link-used",
    gettext_noop(
        "This link was used before or has expired. Ask for a new one, or run “python3 manage.py director”."
    ),
)
TOKEN_TOO_LONG = Refusal(
    "token-too-long", gettext_noop("A token is valid for 1 to {days} days. Choose a number in this range.")
)
NO_ROLE_IN_EVENT = Refusal(
    "no-role-there", gettext_noop("You have no role in that event. Choose one of your own events.")
)
TOO_MANY_INVITATIONS = Refusal(
    "too-many-invitations", gettext_noop("Too many invitations are open. Withdraw some of them first.")
)
INVITATION_VOID = Refusal(
    "invitation-void",
    gettext_noop("The person who invited you no longer owns this event. Ask an owner for a new invitation."),
)
USER_NAME_TAKEN = Refusal(
    "name-taken",
    gettext_noop("The user name “{name}” is taken. Choose another name, or invite that account."),
)
NOT_ONLY_A_HELPER = Refusal(
    "own-account",
    gettext_noop(
        "This account is not only a helper of this event. "
        "Its owner signs in with a password, or asks an administrator."
    ),
)
NOT_CREATED_HERE = Refusal(
    "own-account",
    gettext_noop("This event did not create that account, so you cannot close it. Ask an administrator."),
)
