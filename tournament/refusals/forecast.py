"""Refusals of “what if” forecasts."""

from django.utils.translation import gettext_noop as _

from matches.refusals import Refusal

LENGTH_GIVEN_TWICE = Refusal(
    "length-given-twice",
    _("Round {round} of {bracket} in {tournament} has two lengths. Enter one length."),
)
ROUND_NOT_OPEN = Refusal(
    "round-not-open",
    _(
        "Round {round} of {bracket} in {tournament} has begun, or does not exist. "
        "Choose one of the listed rounds."
    ),
)
