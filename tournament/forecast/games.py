"""The number of games until a match ends, from any score: exact for a simple model of games.

The model: each side wins a game with probability 1/2. Before the Crawford game a game is worth 1, 2 or 4 points with
the probabilities of GAME, an assumed distribution for matches with a turned cube. In the Crawford game the cube is
dead, so a game is worth 2 as often as gammons are won (`rules.equity`). After it the trailer doubles at once. Points
beyond the match length do not count.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from rules.equity import GAMMON_RATE

GAME: Final = ((1, 0.49), (2, 0.36), (4, 0.15))
CRAWFORD: Final = ((1, 1 - GAMMON_RATE), (2, GAMMON_RATE))
DOUBLED: Final = ((2, 1 - GAMMON_RATE), (4, GAMMON_RATE))
LONGEST_EXACT: Final = 25
"""The largest number of points away that is computed exactly. Larger numbers are scaled down to it."""


def games_left(away: int, other_away: int, *, is_crawford: bool = False) -> tuple[float, ...]:
    """Returns the probabilities of 0, 1, 2 … more games until one side has won."""
    away, other_away = max(0, away), max(0, other_away)
    most = max(away, other_away)
    if most <= LONGEST_EXACT:
        return _games_distribution(*sorted((away, other_away)), is_crawford)
    scaled = [max(1, round(needs * LONGEST_EXACT / most)) if needs else 0 for needs in (away, other_away)]
    distribution = _games_distribution(*sorted(scaled), is_crawford)
    stretched = [0.0] * (1 + round((len(distribution) - 1) * most / LONGEST_EXACT))
    for games, share in enumerate(distribution):
        stretched[round(games * most / LONGEST_EXACT)] += share
    return tuple(stretched)


@cache
def games_of_a_match(length: int) -> float:
    """Returns the mean number of games of a match of this length."""
    shares = games_left(length, length, is_crawford=length == 1)
    return sum(games * share for games, share in enumerate(shares))


@cache
def length_of_session(games: int) -> int:
    """Returns the match length whose mean number of games is nearest to a session of stake play."""
    return min(range(1, 4 * games + 1), key=lambda length: abs(games_of_a_match(length) - games))


def points_a_game(length: int) -> float:
    """Returns the mean number of points of a game in a match of this length."""
    near = min(length, LONGEST_EXACT)
    return _expected_points(near, near, near == 1) / games_of_a_match(near)


@cache
def _games_distribution(away: int, other_away: int, is_crawford: bool) -> tuple[float, ...]:  # noqa: FBT001 - a cache key
    """`away` is the smaller of the two."""
    if away <= 0:
        return (1.0,)
    distribution = [0.0] * (away + other_away)
    for _, share, nearer, further, then_crawford in _game_outcomes(away, other_away, is_crawford):
        for more, chance in enumerate(_games_distribution(nearer, further, then_crawford)):
            distribution[1 + more] += chance * share
    while distribution[-1] == 0.0:
        distribution.pop()
    return tuple(distribution)


@cache
def _expected_points(away: int, other_away: int, is_crawford: bool) -> float:  # noqa: FBT001 - a cache key
    """Returns the mean number of points that both sides together will still win."""
    if away <= 0:
        return 0.0
    return sum(
        share * (points + _expected_points(nearer, further, then_crawford))
        for points, share, nearer, further, then_crawford in _game_outcomes(away, other_away, is_crawford)
    )


def _game_outcomes(
    away: int,
    other_away: int,
    is_crawford: bool,  # noqa: FBT001 - handed on
) -> list[tuple[int, float, int, int, bool]]:
    """Returns the outcomes of the next game: points, probability, both sides' needs afterwards, and whether Crawford is
    next.
    """
    outcomes = []
    for own, theirs in ((away, other_away), (other_away, away)):
        for worth, share in _game_values(away, is_crawford):
            points = min(worth, own)
            nearer, further = sorted((own - points, theirs))
            outcomes.append((points, share / 2, nearer, further, away > 1 and nearer == 1))
    return outcomes


def _game_values(nearest: int, is_crawford: bool) -> tuple[tuple[int, float], ...]:  # noqa: FBT001 - as above
    if nearest > 1:
        return GAME
    return CRAWFORD if is_crawford else DOUBLED
