"""Minutes late and clocks at the table: what the ruleset makes of them. Nobody here looks at a clock."""

from dataclasses import dataclass

from rules.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Lateness:
    """Penalty points for a late player, and whether they lose the match outright."""

    points: int
    match_lost: bool


@dataclass(frozen=True, slots=True)
class ClockSetting:
    """What to set a clock to: seconds on each side, and seconds a move before they run."""

    reserve_seconds: int
    move_seconds: int


def late_penalty(minutes: int, length: int | None, ruleset: Ruleset) -> Lateness:
    """PEN-1: what being this many minutes late costs in a match to `length` (None: stake play)."""
    ladder = ruleset.late_ladder
    if ladder is None or minutes < ladder.first_minutes:
        return Lateness(0, match_lost=False)
    further = (minutes - ladder.first_minutes) // ladder.each_minutes
    points = ladder.first_points + further * ladder.each_points
    lost = length is not None and points * 100 > length * ladder.lost_beyond_percent
    return Lateness(points, match_lost=lost)


def clock_setting(
    length: int, ruleset: Ruleset, *, points_scored: int = 0, doubles: bool = False
) -> ClockSetting | None:
    """TIME-1: how to set the clocks of a match; None where none are used.

    `points_scored` are those of both sides when clocks are introduced late; `doubles` is play in pairs.
    """
    clock = ruleset.clock
    if clock is None:
        return None
    each = clock.doubles_point_seconds if doubles else clock.point_seconds
    reserve = each * length - clock.late_start_seconds * points_scored
    return ClockSetting(max(0, reserve), clock.doubles_move_seconds if doubles else clock.move_seconds)
