"""Template filters that turn codes into labels: rounds, states, results, problems."""

from collections.abc import Mapping

from django import template
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from rules.problem import OFFERS, Problem
from rules.score import Game, Score
from tournament.draw.prizes import Share
from tournament.pages.cards.keys import kind_word
from tournament.queries.brackets import labels
from tournament.queries.brackets.bracket_view import Coming
from tournament.queries.brackets.labels import (
    RESULT_LABELS,
    bracket_title,
    coming_label,
    round_title,
    round_title_in,
    session_label,
)
from tournament.queries.standings.prizes import format_share
from tournament.queries.standings.tie_break_labels import TIE_BREAKS
from tournament.web.sentences import refusal_sentence

register = template.Library()

STATES: Mapping[str, Promise] = {
    "waiting": _("waiting"),
    "ready": _("to be played"),
    "called": _("called"),
    "playing": _("playing"),
    "reported": _("reported"),
    "disputed": _("at the desk"),
    "decided": _("decided"),
    "bye": _("bye"),
}
SEVERITIES: Mapping[str, Promise] = {"error": _("error"), "warning": _("warning"), "remark": _("remark")}
BADGES: Mapping[str, str] = {
    "ready": "open",
    "called": "in",
    "decided": "posted",
}


@register.filter
def round_name(code: str) -> str:
    """“Semifinals” for semifinals."""
    return round_title(code)


@register.filter
def round_name_in(code: str, bracket: str) -> str:
    """Like `round_name`, after the bracket's name unless it is the main bracket."""
    return round_title_in(code, bracket)


@register.filter
def length_phrase(played_to: labels.PlayedTo) -> str:
    """“to 7 points”, or “5 games” of stake play."""
    return labels.length_phrase(played_to)


@register.filter
def short_length(played_to: labels.PlayedTo) -> str:
    """“to 7”, or “5 games” of stake play."""
    return labels.short_length(played_to)


@register.filter
def length_figures(played_to: labels.PlayedTo) -> str:
    """“7”, or “5 games” of stake play."""
    return labels.length_figures(played_to)


@register.filter
def bracket_name(key: str) -> str:
    return bracket_title(key)


@register.filter
def coming_name(coming: Coming) -> str:
    """Returns the label of the source of an empty seat."""
    return coming_label(coming.outcome, coming.number, coming.bracket, coming.called)


@register.filter
def tie_break_name(code: str) -> Promise | str:
    return TIE_BREAKS.get(code, code)


@register.filter
def state_name(state: str) -> Promise | str:
    return STATES.get(state, state)


@register.filter
def prize_text(share: Share | None) -> str:
    return format_share(share)


@register.filter
def result_name(how: str) -> Promise | str:
    return RESULT_LABELS.get(how, how)


@register.filter
def badge_of(state: str) -> str:
    """Returns the CSS class of a state's badge."""
    return f"badge--{BADGES.get(state, state)}"


@register.filter
def win_name(game: Game) -> str:
    return kind_word(game)


@register.filter
def session_progress(score: Score) -> str:
    """“Game 3 of 5” of a session of stake play that is not over, else empty."""
    return session_label(score)


@register.filter
def problem_sentence(problem: Problem) -> str:
    return refusal_sentence(problem)


@register.filter
def offer_sentence(problem: Problem) -> str:
    """Returns the solution that the rules offer for a problem, else empty."""
    offer = OFFERS.get(problem.offer or "")
    return gettext(offer).format_map(problem.params) if offer else ""


@register.filter
def severity_badge(severity: str) -> str:
    """Returns the CSS class of a badge for the severity of a problem."""
    return {"error": "badge--disputed", "warning": "badge--reported"}.get(severity, "badge--open")


@register.filter
def severity_name(severity: str) -> Promise | str:
    return SEVERITIES.get(severity, severity)
