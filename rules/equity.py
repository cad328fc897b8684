"""The chance to win a match from a score, by a recursion of our own; no published table is copied.

Both players are equal. A share of all wins are gammons. The cube's value lies between that of a dead cube and
that of a cube turned at the perfect moment. After Crawford the trailer doubles at once; two corrections cover
the free drop of a leader who needs one point. The gammon rate and the corrections are published values; the
liveness of the cube was chosen so that the result stays within one percentage point of Kazaross-XG2, the table
that players use, for every score up to 25-away.
"""

from functools import cache

GAMMON_RATE = 0.26
FREE_DROP = {2: 0.015, 4: 0.004}
CUBE_LIVENESS = 0.86
LARGEST_AWAY = 64
"""The largest number of points away that is computed; larger ones are scaled down in proportion."""

_EVEN = 0.5
_HALVINGS = 30


def chance(away: int, other_away: int, *, is_post_crawford: bool = False) -> float:
    """The chance, 0 to 1, of the player who needs `away` points against one who needs `other_away`.

    If one of them needs a single point the next game is the Crawford game, unless `is_post_crawford`.
    """
    if away <= 0 or other_away <= 0:
        return 1.0 if away <= 0 else 0.0
    longer = max(away, other_away)
    if longer > LARGEST_AWAY:
        away, other_away = (max(1, round(points * LARGEST_AWAY / longer)) for points in (away, other_away))
    if is_post_crawford and other_away == 1:
        return _post_crawford(away)
    if is_post_crawford and away == 1:
        return 1 - _post_crawford(other_away)
    return _before_crawford(away, other_away)


@cache
def _post_crawford(away: int) -> float:
    """The trailer's chance against a leader who needs one point.

    The trailer doubles at once and wins two points or four.
    """
    if away <= 0:
        return 1.0
    won = (1 - GAMMON_RATE) * _post_crawford(away - 2) + GAMMON_RATE * _post_crawford(away - 4)
    return _EVEN * won - FREE_DROP.get(away, 0.0)


@cache
def _before_crawford(away: int, other_away: int) -> float:
    """The chance before the Crawford game, at the start of a game. The recursion only uses later scores."""
    if away <= 0 or other_away <= 0:
        return 1.0 if away <= 0 else 0.0
    if away == other_away:
        return _EVEN
    if away == 1:
        return 1 - _before_crawford(other_away, 1)
    if other_away == 1:
        won = (1 - GAMMON_RATE) * _post_crawford(away - 1) + GAMMON_RATE * _post_crawford(away - 2)
        return _EVEN * won
    return _centred_cube(away, other_away)


def _centred_cube(away: int, other_away: int) -> float:
    """The chance at the start of a game with a centred cube, at even chances to win it."""
    lost, won = _outcomes(away, other_away, 1)
    dead = (lost + won) / 2
    cash = _cash_point(away, other_away, 1)
    other_cash = 1 - _cash_point(other_away, away, 1)
    low, high = _before_crawford(away, other_away - 1), _before_crawford(away - 1, other_away)
    live = low + (high - low) * (_EVEN - other_cash) / (cash - other_cash)
    return CUBE_LIVENESS * live + (1 - CUBE_LIVENESS) * dead


def _outcomes(away: int, other_away: int, cube: int) -> tuple[float, float]:
    """The chance in the match after losing and after winning a game that is played out at this cube."""
    lost = (1 - GAMMON_RATE) * _before_crawford(away, other_away - cube) + GAMMON_RATE * _before_crawford(
        away, other_away - 2 * cube
    )
    won = (1 - GAMMON_RATE) * _before_crawford(away - cube, other_away) + GAMMON_RATE * _before_crawford(
        away - 2 * cube, other_away
    )
    return lost, won


def _with_own_cube(away: int, other_away: int, cube: int, winning: float) -> float:
    """The chance in the match of the cube's owner, who wins this game with the chance `winning`."""
    lost, won = _outcomes(away, other_away, cube)
    dead = lost + (won - lost) * winning
    if away <= cube:
        return dead
    cash = _cash_point(away, other_away, cube)
    paid = _before_crawford(away - cube, other_away)
    if winning < cash:
        live = lost + (paid - lost) * winning / cash
    else:
        live = paid + max(0.0, won - paid) * (winning - cash) / (1 - cash)
    return CUBE_LIVENESS * live + (1 - CUBE_LIVENESS) * dead


@cache
def _cash_point(away: int, other_away: int, cube: int) -> float:
    """The chance to win the game at which drop and take of a double from `cube` are equal."""
    paid = _before_crawford(away - cube, other_away)
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if 1 - _with_own_cube(other_away, away, 2 * cube, 1 - middle) < paid:
            low = middle
        else:
            high = middle
    return min(high, 1 - 1e-9)
