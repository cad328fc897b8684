"""The chance to win a match in progress, from the score alone or from the score and both ratings.

Both are multiplied as odds: those of the match equity table for equal players, and those of the rating formula
for a match as long as the mean of the points that both players need. At an even score this is the rating
formula, between equals it is the table; near the end ratings count less. Board and cube are ignored.
"""

from math import inf

from rules.equity import chance
from rules.ratings import win_chance

RATING_RANGE = (800.0, 2800.0)
"""Ratings of the formula's scale; others are on another scale and are ignored."""


def winning_chance(
    away: int, other_away: int, *, is_crawford: bool, ratings: tuple[float, float] | None = None
) -> float:
    """The chance, 0 to 1, of the player who needs `away` points; `ratings` are theirs and the other's."""
    by_score = chance(away, other_away, is_post_crawford=not is_crawford)
    if ratings is None or by_score in (0.0, 1.0):
        return by_score
    length = max(1, round((away + other_away) / 2))
    odds = _odds(by_score) * _odds(win_chance(*ratings, length))
    return 1.0 if odds == inf else odds / (1 + odds)


def comparable_ratings(rating: float | None, other: float | None) -> tuple[float, float] | None:
    """Both ratings, if both are on the scale of the formula; otherwise None."""
    if rating is None or other is None:
        return None
    low, high = RATING_RANGE
    return (rating, other) if all(low <= value <= high for value in (rating, other)) else None


def _odds(chance_to_win: float) -> float:
    return inf if chance_to_win >= 1 else chance_to_win / (1 - chance_to_win)
