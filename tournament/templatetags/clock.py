"""Template filters for the clock settings of a match, from the ruleset stored with it, and for planned times."""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django import template
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from matches.models import Match
from rules.clock import clock_setting
from rules.ruleset import Ruleset
from tournament.brackets.clocks import tournament_ruleset
from tournament.models import Event, Tournament

register = template.Library()


@register.filter
def clock_text(match: Match | Any) -> str:
    """“14:00 each + 12 s a move”; empty without clocks or without a length."""
    return _words(match, 0) if isinstance(match, Match) else ""


@register.filter
def clock_in_use(match: Match | Any, tournament: Tournament) -> str:
    """Like `clock_text`, but empty where the players decide whether they use a clock."""
    if not isinstance(match, Match):
        return ""
    has_own_clock = Ruleset.from_json(match.ruleset).clock != tournament_ruleset(tournament).clock
    return _words(match, 0) if tournament.uses_clocks or has_own_clock else ""


@register.filter
def current_clock_text(match: Match | Any) -> str:
    """The settings for clocks introduced now, after the points scored so far; empty at 0–0."""
    if not isinstance(match, Match) or not match.left_points + match.right_points:
        return ""
    return _words(match, match.left_points + match.right_points)


@register.filter
def planned_time(at: datetime, event: Event) -> str:
    """“14:30” on the first day of the event, “Sun 14:30” on another day; in the time zone of the event."""
    local = at.astimezone(ZoneInfo(event.time_zone))
    return date_format(local, "H:i" if local.date() == event.starts_on else "D H:i")


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
