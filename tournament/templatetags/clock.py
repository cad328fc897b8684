"""How the clock of a match is to be set, in words, from the ruleset that the match copied."""

from typing import Any

from django import template
from django.utils.translation import gettext as _

from matches.models import Match
from rules.clock import clock_setting
from rules.ruleset import Ruleset

register = template.Library()


@register.filter
def clock_words(match: Match | Any) -> str:
    """“14 min + 12 s a move”; empty where the match is played without clocks, or not to a length."""
    if not isinstance(match, Match) or match.length is None:
        return ""
    setting = clock_setting(match.length, Ruleset.from_json(match.ruleset))
    if setting is None:
        return ""
    minutes, seconds = divmod(setting.reserve_seconds, 60)
    reserve = f"{minutes}:{seconds:02}" if seconds else str(minutes)
    return _("{reserve} min + {move} s a move").format(reserve=reserve, move=setting.move_seconds)
