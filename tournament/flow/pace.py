"""Minutes a point played: what is planned, how far events and matches stray from it, and what an event has shown.

Planned are 11 minutes for each point of a match's length, spread over the points that such a match has on average.
A match takes `minutes a point x points played x the event's factor x its own factor`. Both factors are lognormal with
mean 1, and single points vary besides. How wide these spreads are is assumed, on the wide side; an event's factor is
learnt from its own matches and shrunk to 1 as a normal mean with known variances is.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from math import exp, log, sqrt
from typing import Final, NamedTuple

from tournament.flow.points import points_of_a_match
from tournament.flow.urgency import planned

EVENTS: Final = 0.12
"""Standard deviation of the logarithm of an event's factor."""
MATCHES: Final = 0.22
"""The same of a match's own factor."""
POINTS: Final = 1.0
"""The same of the minutes of a single point; of n points it is this divided by the root of n. A game of four points
takes hardly longer than a game of one, so this is much."""

GAME_UNDER_WAY: Final = 1.0
"""Points that the game under way stands for, on average half of it."""
QUICKEST: Final = 1.5
"""Minutes a point below which nobody plays: such a score was written down afterwards, and teaches nothing."""
SLOWEST: Final = 40.0


class Seen(NamedTuple):
    """What a match has shown: points of both sides in so many minutes; `is_over` when it has ended."""

    length: int
    points: int
    minutes: float
    is_over: bool = True

    @property
    def counted(self) -> float:
        """Its points, with those that the game under way stands for."""
        return self.points + (0.0 if self.is_over else GAME_UNDER_WAY)

    @property
    def teaches(self) -> bool:
        if self.points == 0:
            return False
        return QUICKEST * self.points < self.minutes < SLOWEST * (self.points + GAME_UNDER_WAY)


class Pace(NamedTuple):
    """The logarithm of an event's factor: its mean and standard deviation, from so many matches."""

    mean: float = -(EVENTS**2) / 2
    deviation: float = EVENTS
    matches: int = 0

    @property
    def factor(self) -> float:
        """How many times the planned minutes matches of this event take."""
        return exp(self.mean + self.deviation**2 / 2)


@cache
def minutes_a_point(length: int) -> float:
    """The planned minutes for each point played of a match to this length."""
    return planned(length) / points_of_a_match(length)


def learnt(seen: Iterable[Seen]) -> Pace:
    """The pace of an event that has shown this much; without a match it is the planned one."""
    weight, total, matches = 1 / EVENTS**2, -0.5, 0
    for one in seen:
        if one.teaches:
            variance = MATCHES**2 + POINTS**2 / one.counted
            weight += 1 / variance
            total += (strayed(one) + variance / 2) / variance
            matches += 1
    return Pace(total / weight, sqrt(1 / weight), matches)


def strayed(one: Seen) -> float:
    """The logarithm of how many times the planned minutes these points took."""
    return log(one.minutes / (minutes_a_point(one.length) * one.counted))


class OwnPace(NamedTuple):
    """A match's factor and the event's together: `mean + share * the event's logarithm`, and what is left to chance."""

    mean: float
    share: float
    deviation: float


def own_pace(one: Seen) -> OwnPace:
    """What the match itself has shown so far, weighed against the event's pace."""
    if one.minutes <= 0:
        return OwnPace(-(MATCHES**2) / 2, 1.0, MATCHES)
    shown = strayed(one) if one.points else max(0.0, strayed(one))
    noise = POINTS**2 / one.counted
    is_silent = shown == 0.0 and not one.points
    weight = 0.0 if is_silent else MATCHES**2 / (MATCHES**2 + noise)
    mean = weight * (shown + noise / 2) - (1 - weight) * MATCHES**2 / 2
    return OwnPace(mean, 1 - weight, MATCHES * sqrt(1 - weight))
