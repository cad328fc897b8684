"""Penalties for being late and settings of game clocks, by the ruleset. No clock is read."""

from dataclasses import dataclass

from rules.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Lateness:
    """Penalty points for a late player, and whether they lose the match."""

    points: int
    match_lost: bool


@dataclass(frozen=True, slots=True)
class ClockSetting:
    """The setting of a clock: reserve of each side, and delay for each move."""

    reserve_seconds: int
    move_seconds: int


def late_penalty(minutes: int, length: int | None, ruleset: Ruleset) -> Lateness:
    """PEN-1: the penalty for being this many minutes late in a match to `length` (None: stake play)."""
    ladder = ruleset.late_ladder
    if ladder is None or minutes < ladder.first_minutes:
        return Lateness(0, match_lost=False)
    further_steps = (minutes - ladder.first_minutes) // ladder.each_minutes
    points = ladder.first_points + further_steps * ladder.each_points
    lost = length is not None and points * 100 > length * ladder.lost_beyond_percent
    return Lateness(points, match_lost=lost)


def clock_setting(
    length: int, ruleset: Ruleset, *, points_scored: int = 0, doubles: bool = False
) -> ClockSetting | None:
    """TIME-1: the clock setting of a match; None if the ruleset has no clocks.

    `points_scored` are of both sides when clocks are introduced late; `doubles` is play in pairs.
    """
    clock = ruleset.clock
    if clock is None:
        return None
    seconds_per_point = clock.doubles_point_seconds if doubles else clock.point_seconds
    reserve = seconds_per_point * length - clock.late_start_seconds * points_scored
    return ClockSetting(max(0, reserve), clock.doubles_move_seconds if doubles else clock.move_seconds)
