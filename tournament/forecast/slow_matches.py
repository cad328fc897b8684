"""Finds slow matches by the published limit: 5 minutes for each point played, exceeded by 5 minutes or more.

A match without a point is not judged before PATIENCE minutes, because one long first game takes that long. This limit
is ours.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from tournament.forecast.moment import pace_so_far
from tournament.forecast.open_matches import OpenMatch, Stage

MINUTES_A_POINT: Final = 5.0
EXCEEDED_BY: Final = 5.0
PATIENCE: Final = 20.0


class SlowMatch(NamedTuple):
    """A match that took `minutes` for the `points` of both sides, `behind` more than allowed."""

    key: Any
    minutes: float
    points: int
    behind: float


def find_slow_matches(matches: Iterable[OpenMatch[Any]], now: float) -> tuple[SlowMatch, ...]:
    """Returns the slow matches under way, the one furthest behind first."""
    playing = (
        (match.key, pace_so_far(match.status, now)) for match in matches if match.stage == Stage.PLAYING
    )
    judged = (
        SlowMatch(key, sample.minutes, sample.points, sample.minutes - MINUTES_A_POINT * sample.points)
        for key, sample in playing
        if sample.points or sample.minutes >= PATIENCE
    )
    return tuple(
        sorted((slow_match for slow_match in judged if slow_match.behind >= EXCEEDED_BY), key=_by_delay)
    )


def _by_delay(match: SlowMatch) -> float:
    return -match.behind
