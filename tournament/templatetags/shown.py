"""What codes are called on a page: rounds, states, ways in which a match was decided. Words only."""

from collections.abc import Mapping

from django import template
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from rules.problem import OFFERS, Problem
from rules.score import Game
from tournament.pages.answers import sentence_of
from tournament.pages.card_keys import kind_word
from tournament.showing.how_words import HOWS
from tournament.showing.round_words import ROUNDS

register = template.Library()

STATES: Mapping[str, Promise] = {
    "waiting": _("waiting"),
    "ready": _("to be played"),
    "playing": _("playing"),
    "reported": _("reported"),
    "disputed": _("at the desk"),
    "decided": _("decided"),
    "bye": _("bye"),
}
SEVERITIES: Mapping[str, Promise] = {"error": _("error"), "warning": _("warning"), "remark": _("remark")}
BADGES: Mapping[str, str] = {
    "ready": "open",
    "decided": "posted",
}


@register.filter
def round_word(code: str) -> Promise | str:
    """“Semifinals” for semifinals."""
    return {str(name): word for name, word in ROUNDS.items()}.get(str(code), str(code))


@register.filter
def state_word(state: str) -> Promise | str:
    return STATES.get(state, state)


@register.filter
def how_word(how: str) -> Promise | str:
    return HOWS.get(how, how)


@register.filter
def badge_of(state: str) -> str:
    """The badge that stands for a state."""
    return f"badge--{BADGES.get(state, state)}"


@register.filter
def game_word(game: Game) -> str:
    """How a game ended."""
    return kind_word(game)


@register.filter
def problem_sentence(problem: Problem) -> str:
    return sentence_of(problem)


@register.filter
def offer_sentence(problem: Problem) -> str:
    """The way out that the rules know; empty where there is none."""
    way_out = OFFERS.get(problem.offer or "")
    return gettext(way_out).format_map(problem.params) if way_out else ""


@register.filter
def severity_badge(severity: str) -> str:
    """The badge that stands for how grave a problem is."""
    return {"error": "badge--disputed", "warning": "badge--reported"}.get(severity, "badge--open")


@register.filter
def severity_word(severity: str) -> Promise | str:
    return SEVERITIES.get(severity, severity)
