"""Refusals because a limit of the installation is reached."""

from django.utils.translation import gettext_noop as _

from matches.refusals import Refusal

TOO_MANY_NAMES = Refusal(
    "daily-limit",
    _(
        "Too many of the user names that you tried were taken. "
        "Try again tomorrow, or invite accounts instead."
    ),
)
TOO_MANY_ACCOUNTS = Refusal(
    "daily-limit", _("You created {most} accounts in 24 hours, which is the limit here. Try again tomorrow.")
)
TOO_MANY_EVENTS = Refusal(
    "daily-limit", _("You created {most} events in 24 hours, which is the limit here. Try again tomorrow.")
)
EVENT_STORAGE_FULL = Refusal(
    "event-storage-full",
    _(
        "The file was not saved: this event already stores {most} MB of game records and photos. "
        "Ask the operator to raise EVENT_STORAGE_MB."
    ),
)
STILL_UNDER_WAY = Refusal(
    "still-under-way",
    _("Your last request of this kind is still being processed. Wait until it is finished, then try again."),
)
