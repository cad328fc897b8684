"""Template filters for the clock settings of a match, from the ruleset stored with it."""

from typing import Any

from django import template
from django.utils.translation import gettext as _

from matches.models import Match
from rules.clock import clock_setting
from rules.ruleset import Ruleset

register = template.Library()


@register.filter
def clock_text(match: Match | Any) -> str:
    """“14:00 each + 12 s a move”; empty without clocks or without a length."""
    return _words(match, 0) if isinstance(match, Match) else ""


@register.filter
def current_clock_text(match: Match | Any) -> str:
    """The settings for clocks introduced now, after the points scored so far; empty at 0–0."""
    if not isinstance(match, Match) or not match.left_points + match.right_points:
        return ""
    return _words(match, match.left_points + match.right_points)


def _words(match: Match, points_scored: int) -> str:
    if match.length is None:
        return ""
    setting = clock_setting(match.length, Ruleset.from_json(match.ruleset), points_scored=points_scored)
    if setting is None:
        return ""
    minutes, seconds = divmod(setting.reserve_seconds, 60)
    return _("{reserve} each + {move} s a move").format(
        reserve=f"{minutes}:{seconds:02}", move=setting.move_seconds
    )
