"""The chance of the left player to win a match, from its running score and both ratings."""

from fractions import Fraction

from matches.models import Match
from rules.winning import comparable_ratings, winning_chance
from tournament.models import Entry

EVEN = Fraction(1, 2)
STEPS = 1000
"""Chances are rounded to this denominator, so that amounts are computed with integers."""


def chance_of_left(left: Entry, right: Entry, match: Match | None, length: int | None) -> Fraction:
    """Stake play, which has no length, is even. Both players are loaded."""
    points = (0, 0)
    is_crawford = True
    if match is not None:
        points = (match.left_points, match.right_points)
        points = points if match.left == left.pk else points[::-1]
        length = match.length
    if length is None:
        return EVEN
    away, other_away = (max(0, length - scored) for scored in points)
    is_crawford = (match is not None and match.is_crawford) or min(away, other_away) > 1 or length == 1
    ratings = comparable_ratings(_rating(left), _rating(right))
    chance = winning_chance(away, other_away, is_crawford=is_crawford, ratings=ratings)
    return Fraction(round(chance * STEPS), STEPS)


def _rating(entry: Entry) -> float | None:
    return None if entry.player.rating is None else float(entry.player.rating)
