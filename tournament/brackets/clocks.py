"""The clock of a tournament's matches, and of a round where it differs. Reads only.

A match copies its ruleset when it opens, with the clock of its round in it, so whoever shows a match asks no round.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from rules.ruleset import Clock, Ruleset
from tournament.models import Round, Tournament
from tournament.runtime.errors import Refused

MOST_POINT_SECONDS, MOST_MOVE_SECONDS = 1800, 120


@dataclass(frozen=True, slots=True)
class RoundClock:
    """Seconds a point and seconds a move; both 0: no clocks."""

    point_seconds: int
    move_seconds: int


def round_clock(row: Round) -> RoundClock | None:
    """The round's own clock; None where the ruleset's holds."""
    if row.point_seconds is None or row.move_seconds is None:
        return None
    return RoundClock(row.point_seconds, row.move_seconds)


def tournament_ruleset(tournament: Tournament) -> Ruleset:
    """TIME-1: the tournament's ruleset, its clock as pairs have it where pairs play."""
    ruleset = Ruleset.from_json(tournament.ruleset)
    clock = ruleset.clock
    if clock is None or not tournament.doubles:
        return ruleset
    seconds = {"point_seconds": clock.doubles_point_seconds, "move_seconds": clock.doubles_move_seconds}
    return replace(ruleset, clock=replace(clock, **seconds))


def round_ruleset(row: Round, ruleset: Ruleset) -> Ruleset:
    """The ruleset that a match of this round copies, of a tournament where this one is usual."""
    own = round_clock(row)
    if own is None:
        return ruleset
    if own == RoundClock(0, 0):
        return replace(ruleset, clock=None)
    usual = ruleset.clock or Clock()
    seconds = {"point_seconds": own.point_seconds, "move_seconds": own.move_seconds}
    return replace(ruleset, clock=replace(usual, **seconds))


def validate_clock(clock: RoundClock | None) -> RoundClock | None:
    """The clock, if one can be set so; raises Refused otherwise."""
    if clock is None:
        return None
    if not (0 <= clock.point_seconds <= MOST_POINT_SECONDS and 0 <= clock.move_seconds <= MOST_MOVE_SECONDS):
        raise Refused(
            "clock-out-of-range",
            "A clock has 0 to {points} seconds a point and 0 to {moves} a move.",
            points=MOST_POINT_SECONDS,
            moves=MOST_MOVE_SECONDS,
        )
    return clock
