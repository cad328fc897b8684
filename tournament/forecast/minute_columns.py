"""Columns of random numbers, one for each trial, drawn by stratified sampling so that few trials suffice.

The caller passes in the source of randomness.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import chain, islice
from math import exp, sqrt
from statistics import NormalDist
from typing import Final, Protocol

from tournament.forecast.games import games_left
from tournament.forecast.pace import GAME_SPREAD, OwnPace, Pace, PaceSample, minutes_a_game, own_pace

Column = list[float]

PLAYED_SHARE: Final = 0.8
"""The largest part of the game under way that can be over. An observer meets long games more often than short ones."""

POOL: Final = 1000


class RandomSource(Protocol):
    """A source of uniform numbers from 0 up to 1, such as `random.Random(seed)`."""

    def random(self) -> float: ...


@cache
def _normal(trials: int) -> tuple[float, ...]:
    normal = NormalDist()
    return tuple(normal.inv_cdf((number + 0.5) / trials) for number in range(trials))


def shuffle_column(column: Sequence[float], chance: RandomSource) -> Column:
    keys = [chance.random() for _ in column]
    return [column[number] for number in sorted(range(len(column)), key=keys.__getitem__)]


class MinuteColumns:
    """Minutes of matches, one column of trials each. The event's factor is drawn once for all its matches.

    Matches that have not begun share one column per length, and each starts at a random place in it. The column is long
    even for few trials: the end of a large event is that of its longest matches, which a short column lacks.
    """

    def __init__(self, pace: Pace, chance: RandomSource, trials: int) -> None:
        self.chance, self.trials = chance, trials
        self.event = [pace.mean + pace.deviation * z for z in self.normal(trials)]
        self.factors = [exp(log) for log in self.event]
        self.pools: dict[int, Column] = {}

    def normal(self, count: int) -> Column:
        return shuffle_column(_normal(count), self.chance)

    def uniform(self) -> Column:
        return [self.chance.random() for _ in range(self.trials)]

    def match(self, length: int) -> Column:
        """Returns the minutes of a match that has not begun."""
        pool = self.pools.get(length)
        if pool is None:
            pool = self.pools[length] = self._full_column(length)
        first = int(self.chance.random() * len(pool))
        rolled = islice(chain(pool[first : first + self.trials], pool), self.trials)
        return [minutes * factor for minutes, factor in zip(rolled, self.factors, strict=True)]

    def remaining(self, sample: PaceSample, left: int, right: int, is_crawford: bool) -> Column:  # noqa: FBT001
        """Returns the remaining minutes of a match under way at this score."""
        shares = games_left(sample.length - left, sample.length - right, is_crawford=is_crawford)
        over = PLAYED_SHARE * min(1.0, sample.minutes / minutes_a_game(sample.length))
        games = [
            max(0.0, games - over * part)
            for games, part in zip(self._draw_games(shares, self.trials), self.uniform(), strict=True)
        ]
        return self._minutes(sample.length, games, own_pace(sample), self.event)

    def _full_column(self, length: int) -> Column:
        count = max(POOL, self.trials)
        games = self._draw_games(games_left(length, length, is_crawford=length == 1), count)
        pace = own_pace(PaceSample(length, 0, 0.0, is_over=False))
        return self._minutes(length, games, pace, [0.0] * count)

    def _draw_games(self, shares: Sequence[float], count: int) -> Column:
        """Returns `count` numbers of games, stratified by their probabilities."""
        column: Column = []
        reached = 0.0
        for games, share in enumerate(shares):
            reached += share
            column += [float(games)] * (round(reached * count) - len(column))
        return shuffle_column(column, self.chance)

    def _minutes(self, length: int, games: Column, own: OwnPace, event: Column) -> Column:
        a_game, mean, share, own_spread = minutes_a_game(length), own.mean, own.share, own.deviation**2
        single = GAME_SPREAD**2
        return [
            a_game
            * played
            * exp(
                mean
                + share * log
                + z * sqrt(own_spread + single / (played + 0.5))
                - single / (2 * played + 1)
            )
            for played, log, z in zip(games, event, self.normal(len(games)), strict=True)
        ]
