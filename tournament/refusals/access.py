"""Refusals of permission, sign-in and links."""

from django.utils.translation import gettext_noop as _

from matches.refusals import Refusal

NOT_PERMITTED = Refusal("denied", _("You do not have permission to do this. Ask the director."))
SIGN_IN_FIRST = Refusal("sign-in-first", _("This needs permission. Sign in first, or send a token."))
NOT_FOUND = Refusal("not-found", _("Nothing was found here. Check the address, or sign in."))
NO_EVENT_RIGHT = Refusal(
    "no-event-right",
    _("Your account may not create events. Ask an administrator of this installation for the right."),
)
NOT_ADMINISTRATOR = Refusal(
    "not-administrator",
    _("Only administrators may open this page. Ask an administrator of this installation."),
)
SIGN_IN_NOT_RECENT = Refusal(
    "sign-in-not-recent", _("You signed in a while ago. Confirm your identity, then try again.")
)
PHONE_UNKNOWN = Refusal(
    "sign-in-first",
    _("This phone has no valid link. Scan the code on your slip again, or ask the desk."),
)
NOT_YOUR_MATCH = Refusal("not-found", _("This match is not yours, or it no longer exists. Ask at the desk."))
