"""The chance to win a match from a score, by a recursion of our own. No table is kept and none was copied.

Two equal players. A share of all games won are gammons; the cube is worth something between a dead one and one
that is turned at the perfect moment. After Crawford the trailer doubles at once, and a leader who needs one
point drops where that costs nothing, which the two corrections stand for. Parameters: the gammon rate and the
corrections are the published ones; how live the cube is was chosen so that the table stays within a point
of Kazaross-XG2, the table that players use, for every score up to 25-away.
"""

from functools import cache

from rules.score import Score, Side

GAMMON_RATE = 0.26
FREE_DROP = {2: 0.015, 4: 0.004}
LIVE = 0.86
LONGEST = 64
"""Points away that are worked out; what is further is brought down to this in proportion."""

_EVEN = 0.5
_HALVINGS = 30


def chance(away: int, other_away: int, *, is_post_crawford: bool = False) -> float:
    """The chance, 0 to 1, of the player who needs `away` points against one who needs `other_away`.

    With one of them at a single point the next game is the Crawford game, unless `is_post_crawford`.
    """
    if away <= 0 or other_away <= 0:
        return 1.0 if away <= 0 else 0.0
    most = max(away, other_away)
    if most > LONGEST:
        away, other_away = (max(1, round(needs * LONGEST / most)) for needs in (away, other_away))
    if is_post_crawford and other_away == 1:
        return _post_crawford(away)
    if is_post_crawford and away == 1:
        return 1 - _post_crawford(other_away)
    return _before_crawford(away, other_away)


def chance_at(score: Score, side: Side) -> float | None:
    """The chance of this side at a score, for equal players; None in stake play, whose end no score tells."""
    away, other_away = score.away(side), score.away(side.other)
    if away is None or other_away is None:
        return None
    return chance(away, other_away, is_post_crawford=not score.is_crawford)


@cache
def _post_crawford(away: int) -> float:
    """The trailer, against a leader who needs one point: doubles at once, wins two points or four."""
    if away <= 0:
        return 1.0
    won = (1 - GAMMON_RATE) * _post_crawford(away - 2) + GAMMON_RATE * _post_crawford(away - 4)
    return _EVEN * won - FREE_DROP.get(away, 0.0)


@cache
def _before_crawford(away: int, other_away: int) -> float:
    """Neither cube nor Crawford game played yet; every score it asks for is nearer to the end."""
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
    """The start of a game with the cube in the middle, at even chances to win it."""
    lost, won = _outcomes(away, other_away, 1)
    dead = (lost + won) / 2
    cash = _cash_point(away, other_away, 1)
    other_cash = 1 - _cash_point(other_away, away, 1)
    low, high = _before_crawford(away, other_away - 1), _before_crawford(away - 1, other_away)
    live = low + (high - low) * (_EVEN - other_cash) / (cash - other_cash)
    return LIVE * live + (1 - LIVE) * dead


def _outcomes(away: int, other_away: int, cube: int) -> tuple[float, float]:
    """The chance in the match after losing and after winning a game played out at this cube."""
    lost = (1 - GAMMON_RATE) * _before_crawford(away, other_away - cube) + GAMMON_RATE * _before_crawford(
        away, other_away - 2 * cube
    )
    won = (1 - GAMMON_RATE) * _before_crawford(away - cube, other_away) + GAMMON_RATE * _before_crawford(
        away - 2 * cube, other_away
    )
    return lost, won


def _with_own_cube(away: int, other_away: int, cube: int, winning: float) -> float:
    """The chance in the match of the cube's owner, whose chance to win this game is `winning`."""
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
    return LIVE * live + (1 - LIVE) * dead


@cache
def _cash_point(away: int, other_away: int, cube: int) -> float:
    """The chance to win the game at which the other side may just as well drop as take a double from `cube`."""
    paid = _before_crawford(away - cube, other_away)
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if 1 - _with_own_cube(other_away, away, 2 * cube, 1 - middle) < paid:
            low = middle
        else:
            high = middle
    return min(high, 1 - 1e-9)
