"""Data of a stream overlay: the public data of a match and each side's chance to win. Reads only."""

from dataclasses import dataclass

from matches.models import Match
from rules.winning import comparable_ratings, winning_chance
from tournament.models import Pairing
from tournament.queries.entries.flags import country_flag
from tournament.queries.matches.match import PublicMatch, PublicSide, load_public_match


@dataclass(frozen=True, slots=True)
class OverlaySide:
    """One player. `points` is None while nothing of the score may be seen, `percent` where no chance is told."""

    name: str
    country: str
    flag: str
    points: int | None
    is_winner: bool
    percent: int | None


@dataclass(frozen=True, slots=True)
class Overlay:
    """`uses_ratings`: the chances come from the score and from ratings, else from the score alone."""

    match: PublicMatch
    sides: tuple[OverlaySide, OverlaySide]
    uses_ratings: bool

    @property
    def has_chance(self) -> bool:
        return self.sides[0].percent is not None


def load_overlay(pairing: Pairing, match: Match) -> Overlay:
    """`pairing` comes with its round, bracket and both players, as `access.visible_pairing` finds it."""
    shown = load_public_match(pairing, match)
    ratings = comparable_ratings(*(_rating(side) for side in shown.sides))
    share = _chance(shown, ratings)
    percents = (None, None) if share is None else (round(100 * share), 100 - round(100 * share))
    left, right = (_side(side, shown, percent) for side, percent in zip(shown.sides, percents, strict=True))
    return Overlay(shown, (left, right), ratings is not None)


def _chance(shown: PublicMatch, ratings: tuple[float, float] | None) -> float | None:
    """Of the left player; None where the score is not seen, where there is no length, and when it is over."""
    points = [_points(side, shown) for side in shown.sides]
    if shown.length is None or shown.state == "decided" or None in points:
        return None
    away, other_away = (max(0, shown.length - (one or 0)) for one in points)
    return winning_chance(
        away, other_away, is_crawford=_is_crawford(shown, away, other_away), ratings=ratings
    )


def _is_crawford(shown: PublicMatch, away: int, other_away: int) -> bool:
    """Whether the Crawford game is still to come or is being played."""
    return shown.is_crawford or min(away, other_away) > 1 or shown.length == 1


def _points(side: PublicSide, shown: PublicMatch) -> int | None:
    """A match that has not begun stands at nothing."""
    return 0 if side.points is None and shown.state == "ready" else side.points


def _side(side: PublicSide, shown: PublicMatch, percent: int | None) -> OverlaySide:
    player = side.entry.player
    points = _points(side, shown)
    return OverlaySide(
        side.entry.name, player.country, country_flag(player.country), points, side.is_winner, percent
    )


def _rating(side: PublicSide) -> float | None:
    rating = side.entry.player.rating
    return None if rating is None else float(rating)
