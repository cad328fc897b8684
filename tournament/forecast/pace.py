"""Minutes a game: what is planned, how far events and matches stray from it, and what an event has shown.

Planned are 11 minutes for each point of a match's length, spread over the games that such a match has on average. A
match takes `minutes a game x games played x the event's factor x its own factor`. Both factors are lognormal with
mean 1, and single games vary besides. How wide these spreads are is assumed, and was set so that four of five
ends fall into their interval in events played by `tests.bench.forecast`, which knows nothing of this model. An
event's factor is learnt from its own matches and shrunk to 1 as a normal mean with known variances is. Cards tell
points, so games are reckoned from them.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from math import exp, log, sqrt
from typing import Final, NamedTuple

from tournament.forecast.games import games_of_a_match, points_a_game
from tournament.forecast.urgency import planned_minutes

EVENT_SPREAD: Final = 0.13
"""Standard deviation of the logarithm of an event's factor."""
MATCH_SPREAD: Final = 0.24
"""The same of a match's own factor."""
GAME_SPREAD: Final = 0.55
"""The same of the minutes of a single game; of n games it is this divided by the root of n."""
POINTS_SPREAD: Final = 0.75
"""The same where games were reckoned from points: a game of four points takes hardly longer than a game of one."""

GAME_UNDER_WAY: Final = 0.5
"""Games that the one under way stands for."""
QUICKEST: Final = 1.5
"""Minutes a point below which nobody plays: such a score was written down afterwards, and teaches nothing."""
SLOWEST: Final = 40.0


class PaceSample(NamedTuple):
    """What a match has shown: points of both sides in so many minutes; `is_over` when it has ended."""

    length: int
    points: int
    minutes: float
    is_over: bool = True

    @property
    def games(self) -> float:
        """Its games, reckoned from its points, with the part of one that is under way."""
        return self.points / points_a_game(self.length) + (0.0 if self.is_over else GAME_UNDER_WAY)

    @property
    def is_usable(self) -> bool:
        if self.points == 0:
            return False
        return QUICKEST * self.points < self.minutes < SLOWEST * (self.points + 1)


class Pace(NamedTuple):
    """The logarithm of an event's factor: its mean and standard deviation, from so many matches."""

    mean: float = -(EVENT_SPREAD**2) / 2
    deviation: float = EVENT_SPREAD
    matches: int = 0

    @property
    def factor(self) -> float:
        """How many times the planned minutes matches of this event take."""
        return exp(self.mean + self.deviation**2 / 2)


@cache
def minutes_a_game(length: int) -> float:
    """The planned minutes for each game of a match to this length."""
    return planned_minutes(length) / games_of_a_match(length)


def estimate_pace(samples: Iterable[PaceSample]) -> Pace:
    """The pace of an event that has shown this much; without a match it is the planned one."""
    weight, total, matches = 1 / EVENT_SPREAD**2, -0.5, 0
    for sample in samples:
        if sample.is_usable:
            variance = MATCH_SPREAD**2 + POINTS_SPREAD**2 / sample.games
            weight += 1 / variance
            total += (log_deviation(sample) + variance / 2) / variance
            matches += 1
    return Pace(total / weight, sqrt(1 / weight), matches)


def log_deviation(sample: PaceSample) -> float:
    """The logarithm of how many times the planned minutes its games took."""
    return log(sample.minutes / (minutes_a_game(sample.length) * sample.games))


class OwnPace(NamedTuple):
    """A match's factor and the event's together: `mean + share * the event's logarithm`, and what is left to chance."""

    mean: float
    share: float
    deviation: float


def own_pace(sample: PaceSample) -> OwnPace:
    """What the match itself has shown so far, weighed against the event's pace."""
    if sample.minutes <= 0:
        return OwnPace(-(MATCH_SPREAD**2) / 2, 1.0, MATCH_SPREAD)
    deviation = log_deviation(sample) if sample.points else max(0.0, log_deviation(sample))
    noise = POINTS_SPREAD**2 / sample.games
    is_silent = deviation == 0.0 and not sample.points
    weight = 0.0 if is_silent else MATCH_SPREAD**2 / (MATCH_SPREAD**2 + noise)
    mean = weight * (deviation + noise / 2) - (1 - weight) * MATCH_SPREAD**2 / 2
    return OwnPace(mean, 1 - weight, MATCH_SPREAD * sqrt(1 - weight))
