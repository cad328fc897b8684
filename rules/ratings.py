"""The chance to win a match from two ratings, by the formula of FIBS."""

from math import sqrt

_SCALE = 2000


def win_chance(rating: float, other: float, length: int) -> float:
    """The chance, 0 to 1, of the player rated `rating` to win a match to `length` points.

    For a difference D in favour of the other: 1 / (10 ** (D * sqrt(length) / 2000) + 1).
    """
    advantage = (other - rating) * sqrt(length) / _SCALE
    return float(1 / (10 ** min(advantage, 300.0) + 1))
