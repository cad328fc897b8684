"""Data of a stream overlay: the public data of a match and each side's chance to win. Reads only."""

from dataclasses import dataclass

from matches.models import Match
from rules.winning import comparable_ratings, winning_chance
from tournament.models import Pairing
from tournament.queries.entries.flags import country_flag
from tournament.queries.matches.match import PublicMatch, PublicSide, load_public_match


@dataclass(frozen=True, slots=True)
class OverlaySide:
    """One player. `points` is None if the score is hidden, `percent` if there is no chance."""

    name: str
    country: str
    flag: str
    points: int | None
    is_winner: bool
    percent: int | None


@dataclass(frozen=True, slots=True)
class Overlay:
    """`uses_ratings`: the chances depend on score and ratings, else on the score only."""

    match: PublicMatch
    sides: tuple[OverlaySide, OverlaySide]
    uses_ratings: bool

    @property
    def has_chance(self) -> bool:
        return self.sides[0].percent is not None


def load_overlay(pairing: Pairing, match: Match) -> Overlay:
    """`pairing` is loaded with its round, bracket and both players, as by `access.visible_pairing`."""
    public_match = load_public_match(pairing, match)
    ratings = comparable_ratings(*(_rating(side) for side in public_match.sides))
    share = _chance(public_match, ratings)
    percents = (None, None) if share is None else (round(100 * share), 100 - round(100 * share))
    left, right = (
        _side(side, public_match, percent) for side, percent in zip(public_match.sides, percents, strict=True)
    )
    return Overlay(public_match, (left, right), ratings is not None)


def _chance(match: PublicMatch, ratings: tuple[float, float] | None) -> float | None:
    """Returns the left player's chance; None if the score is hidden, the match has no length, or it is over."""
    points = [_points(side, match) for side in match.sides]
    if match.length is None or match.state == "decided" or None in points:
        return None
    away, other_away = (max(0, match.length - (score or 0)) for score in points)
    return winning_chance(
        away, other_away, is_crawford=_is_crawford(match, away, other_away), ratings=ratings
    )


def _is_crawford(match: PublicMatch, away: int, other_away: int) -> bool:
    """True if the Crawford game is in play or still possible."""
    return match.is_crawford or min(away, other_away) > 1 or match.length == 1


def _points(side: PublicSide, match: PublicMatch) -> int | None:
    """Returns 0 for a match that has not begun."""
    return 0 if side.points is None and match.state == "ready" else side.points


def _side(side: PublicSide, match: PublicMatch, percent: int | None) -> OverlaySide:
    player = side.entry.player
    points = _points(side, match)
    return OverlaySide(
        side.entry.name, player.country, country_flag(player.country), points, side.is_winner, percent
    )


def _rating(side: PublicSide) -> float | None:
    rating = side.entry.player.rating
    return None if rating is None else float(rating)
