"""How many points are played until a match ends, from any score: exact for a simple model of games.

The model: either side wins a game as often. Before the Crawford game a game is worth 1, 2 or 4 points with the
chances of GAME, a rough count of matches with a turned cube that we assume. In the Crawford game the cube is dead,
so it is worth 2 as often as gammons are won (`rules.equity`), after it the trailer doubles at once. Points beyond
the length of the match are not counted.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from rules.equity import GAMMON_RATE

GAME: Final = ((1, 0.49), (2, 0.36), (4, 0.15))
CRAWFORD: Final = ((1, 1 - GAMMON_RATE), (2, GAMMON_RATE))
DOUBLED: Final = ((2, 1 - GAMMON_RATE), (4, GAMMON_RATE))
LONGEST: Final = 25
"""Points away that are worked out; what is further is brought down to this in proportion."""


def points_left(away: int, other_away: int, *, is_crawford: bool = False) -> tuple[float, ...]:
    """The chance that 0, 1, 2 ... more points are played by both together until one has won."""
    away, other_away = max(0, away), max(0, other_away)
    most = max(away, other_away)
    if most <= LONGEST:
        return _left(*sorted((away, other_away)), is_crawford)
    near = [round(needs * LONGEST / most) for needs in (away, other_away)]
    short = _left(*sorted(max(1, needs) if most else 0 for needs in near), is_crawford)
    stretched = [0.0] * (1 + round((len(short) - 1) * most / LONGEST))
    for points, share in enumerate(short):
        stretched[round(points * most / LONGEST)] += share
    return tuple(stretched)


def points_of_a_match(length: int) -> float:
    """The points that both together play in a match to this length, on average."""
    return mean(points_left(length, length, is_crawford=length == 1))


def mean(shares: tuple[float, ...]) -> float:
    return sum(points * share for points, share in enumerate(shares))


@cache
def _left(away: int, other_away: int, is_crawford: bool) -> tuple[float, ...]:  # noqa: FBT001 - a cache key
    """`away` is the nearer to the end of the two."""
    if away <= 0:
        return (1.0,)
    found = [0.0] * (away + other_away)
    for won_by_leader in (True, False):
        own, others = (away, other_away) if won_by_leader else (other_away, away)
        for worth, share in _worths(away, is_crawford):
            points = min(worth, own)
            rest = sorted((own - points, others))
            for more, chance in enumerate(_left(*rest, away > 1 and 1 in rest)):
                found[points + more] += chance * share / 2
    while found[-1] == 0.0:
        found.pop()
    return tuple(found)


def _worths(nearest: int, is_crawford: bool) -> tuple[tuple[int, float], ...]:  # noqa: FBT001 - as above
    if nearest > 1:
        return GAME
    return CRAWFORD if is_crawford else DOUBLED
