"""Refusals of the setup of events and tournaments."""

from django.utils.translation import gettext_noop as _

from matches.refusals import Refusal

DATE_FAR_AWAY = Refusal(
    "date-far-away", _("The first day must be between {first} and {last}. Check the year.")
)
LAST_DAY_IMPOSSIBLE = Refusal(
    "last-day-impossible",
    _("The last day must be the first day or up to {most} days later. Check both days."),
)
NO_SUCH_PLACES = Refusal(
    "no-such-places",
    _(
        "“{bracket}” has no list of places, so it has no prizes. Enter prizes for one of these brackets: {brackets}."
    ),
)
TIMES_OUT_OF_ORDER = Refusal(
    "times-out-of-order", _("Round {number} starts before round {before}. Change one of the two times.")
)
RULES_FIXED = Refusal(
    "already-drawn",
    _("The rules are fixed, because the draw is made. Change match lengths by round on the draw page."),
)
LOGO_REPLACED = Refusal(
    "logo-replaced", _("The logo was replaced in the meantime. Load the page again, then remove the new one.")
)
