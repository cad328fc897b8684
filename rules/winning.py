"""The chance to win a match in its course: by the score alone, or by the score and both players' ratings.

The two are put together as odds: those of the match equity table for equal players, times those that the rating
formula gives for a match as long as what is left, which is the mean of the points that both still need. At an even
score this is the rating formula itself, between equals it is the table itself, and nearer to the end ratings weigh
less. What stands on the board and on the cube is not known here.
"""

from math import inf

from rules.equity import chance
from rules.ratings import win_chance

RATED = (800.0, 2800.0)
"""Between these lie ratings of the scale that the formula is for; others are of another scale and say nothing here."""


def winning_chance(
    away: int, other_away: int, *, is_crawford: bool, ratings: tuple[float, float] | None = None
) -> float:
    """The chance, 0 to 1, of the player who needs `away` points; `ratings` are theirs and the other's."""
    by_score = chance(away, other_away, is_post_crawford=not is_crawford)
    if ratings is None or by_score in (0.0, 1.0):
        return by_score
    left = max(1, round((away + other_away) / 2))
    odds = _odds(by_score) * _odds(win_chance(*ratings, left))
    return 1.0 if odds == inf else odds / (1 + odds)


def comparable(rating: float | None, other: float | None) -> tuple[float, float] | None:
    """Both ratings, where there are two and both are of the scale of the formula."""
    if rating is None or other is None:
        return None
    low, high = RATED
    return (rating, other) if all(low <= one <= high for one in (rating, other)) else None


def _odds(of: float) -> float:
    return inf if of >= 1 else of / (1 - of)
