"""Minutes per game: the planned value, its spread over events and matches, and the pace of an event so far.

Planned are 11 minutes for each point of a match's length, spread over the games that such a match has on average. A
match takes `minutes per game x games played x the event's factor x its own factor`. Both factors are lognormal with
mean 1, and single games vary besides. The spreads are assumptions. They were set so that four of five ends fall into
their interval in events played by `tests.bench.forecast`, which does not use this model. An event's factor is
estimated from its own matches and shrunk to 1 like a normal mean with known variances. Score cards hold points, so
games are estimated from points.
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
"""The same for a match's own factor."""
GAME_SPREAD: Final = 0.55
"""The same for the minutes of a single game. For n games it is divided by the root of n."""
POINTS_SPREAD: Final = 0.75
"""The same if games are estimated from points: a game of four points takes hardly longer than a game of one."""

GAME_UNDER_WAY: Final = 0.5
"""The number of games that the game under way counts as."""
QUICKEST: Final = 1.5
"""Minutes per point below which a sample is not used: such a score was entered afterwards."""
SLOWEST: Final = 40.0


class PaceSample(NamedTuple):
    """Points of both sides in a number of minutes. `is_over` is True if the match has ended."""

    length: int
    points: int
    minutes: float
    is_over: bool = True

    @property
    def games(self) -> float:
        """The games estimated from the points, including a part for the game under way."""
        return self.points / points_a_game(self.length) + (0.0 if self.is_over else GAME_UNDER_WAY)

    @property
    def is_usable(self) -> bool:
        if self.points == 0:
            return False
        return QUICKEST * self.points < self.minutes < SLOWEST * (self.points + 1)


class Pace(NamedTuple):
    """Mean and standard deviation of the logarithm of an event's factor, from a number of matches."""

    mean: float = -(EVENT_SPREAD**2) / 2
    deviation: float = EVENT_SPREAD
    matches: int = 0

    @property
    def factor(self) -> float:
        """The expected ratio of real to planned minutes."""
        return exp(self.mean + self.deviation**2 / 2)


@cache
def minutes_a_game(length: int) -> float:
    """Returns the planned minutes for each game of a match of this length."""
    return planned_minutes(length) / games_of_a_match(length)


def estimate_pace(samples: Iterable[PaceSample]) -> Pace:
    """Returns the pace of an event with these samples; the planned pace if none is usable."""
    weight, total, matches = 1 / EVENT_SPREAD**2, -0.5, 0
    for sample in samples:
        if sample.is_usable:
            variance = MATCH_SPREAD**2 + POINTS_SPREAD**2 / sample.games
            weight += 1 / variance
            total += (log_deviation(sample) + variance / 2) / variance
            matches += 1
    return Pace(total / weight, sqrt(1 / weight), matches)


def log_deviation(sample: PaceSample) -> float:
    """Returns the logarithm of the ratio of real to planned minutes."""
    return log(sample.minutes / (minutes_a_game(sample.length) * sample.games))


class OwnPace(NamedTuple):
    """The factor of a match and its event: `mean + share * the event's logarithm`, with the remaining deviation."""

    mean: float
    share: float
    deviation: float


def own_pace(sample: PaceSample) -> OwnPace:
    """Returns the match's pace so far, weighted against the event's pace."""
    if sample.minutes <= 0:
        return OwnPace(-(MATCH_SPREAD**2) / 2, 1.0, MATCH_SPREAD)
    deviation = log_deviation(sample) if sample.points else max(0.0, log_deviation(sample))
    noise = POINTS_SPREAD**2 / sample.games
    is_silent = deviation == 0.0 and not sample.points
    weight = 0.0 if is_silent else MATCH_SPREAD**2 / (MATCH_SPREAD**2 + noise)
    mean = weight * (deviation + noise / 2) - (1 - weight) * MATCH_SPREAD**2 / 2
    return OwnPace(mean, 1 - weight, MATCH_SPREAD * sqrt(1 - weight))
