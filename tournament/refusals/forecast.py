"""Refusals of “what if” forecasts."""

from django.utils.translation import gettext_noop

from matches.refusals import Refusal

LENGTH_GIVEN_TWICE = Refusal(
    "length-given-twice",
    gettext_noop("Round {round} of {bracket} in {tournament} is given a length twice. Give one length."),
)
ROUND_NOT_OPEN = Refusal(
    "round-not-open",
    gettext_noop(
        "Round {round} of {bracket} in {tournament} has begun, or does not exist. "
        "Choose one of the listed rounds."
    ),
)
