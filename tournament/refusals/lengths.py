"""Refusals of match lengths, sessions and clocks."""

from django.utils.translation import gettext_noop as _

from matches.refusals import Refusal

NO_LENGTH = Refusal("no-length", _("A match needs a length. Enter at least one match length."))
LENGTH_OUT_OF_RANGE = Refusal(
    "length-out-of-range",
    _("A match to {length} points is not possible. Enter a length from {shortest} to {longest} points."),
)
GAMES_OR_MINUTES = Refusal(
    "games-or-minutes",
    _("A session of stake play ends by games or by minutes. Enter one of the two numbers."),
)
GAMES_OUT_OF_RANGE = Refusal(
    "games-out-of-range", _("A session cannot have {games} games. Enter 1 to {most}.")
)
SESSION_MINUTES_OUT_OF_RANGE = Refusal(
    "minutes-out-of-range", _("A session cannot take {minutes} minutes. Enter 1 to {most}.")
)
CLOCK_OUT_OF_RANGE = Refusal(
    "clock-out-of-range",
    _(
        "This clock is not possible. Enter 0 to {points} seconds for each point and 0 to {moves} for each move."
    ),
)
