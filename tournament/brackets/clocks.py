"""The clock of a tournament and of a round that has its own. Reads only.

A match copies its ruleset with the clock of its round when it opens.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from rules.ruleset import Clock, Ruleset
from tournament.models import Round, Tournament
from tournament.refusals.lengths import CLOCK_OUT_OF_RANGE
from tournament.runtime.errors import Refused

MOST_POINT_SECONDS, MOST_MOVE_SECONDS = 1800, 120


@dataclass(frozen=True, slots=True)
class RoundClock:
    """Seconds per point and per move; both 0: no clocks."""

    point_seconds: int
    move_seconds: int


def round_clock(row: Round) -> RoundClock | None:
    """The round's own clock; None if the clock of the ruleset applies."""
    if row.point_seconds is None or row.move_seconds is None:
        return None
    return RoundClock(row.point_seconds, row.move_seconds)


def tournament_ruleset(tournament: Tournament) -> Ruleset:
    """TIME-1: the tournament's ruleset, with the clock for doubles if doubles are played."""
    ruleset = Ruleset.from_json(tournament.ruleset)
    clock = ruleset.clock
    if clock is None or not tournament.doubles:
        return ruleset
    seconds = {"point_seconds": clock.doubles_point_seconds, "move_seconds": clock.doubles_move_seconds}
    return replace(ruleset, clock=replace(clock, **seconds))


def round_ruleset(row: Round, ruleset: Ruleset) -> Ruleset:
    """The ruleset for matches of this round, from the ruleset of the tournament."""
    own = round_clock(row)
    if own is None:
        return ruleset
    if own == RoundClock(0, 0):
        return replace(ruleset, clock=None)
    usual = ruleset.clock or Clock()
    seconds = {"point_seconds": own.point_seconds, "move_seconds": own.move_seconds}
    return replace(ruleset, clock=replace(usual, **seconds))


def validate_clock(clock: RoundClock | None) -> RoundClock | None:
    """Returns the clock; raises Refused if it is out of range."""
    if clock is None:
        return None
    if not (0 <= clock.point_seconds <= MOST_POINT_SECONDS and 0 <= clock.move_seconds <= MOST_MOVE_SECONDS):
        raise Refused(CLOCK_OUT_OF_RANGE, points=MOST_POINT_SECONDS, moves=MOST_MOVE_SECONDS)
    return clock
