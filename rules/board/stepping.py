"""Steps of one checker with one die (MOVE-1, MOVE-2, BAR-1, OFF-1 to OFF-7).

This module does not know how many dice have to be played. `take_step` changes the counts in place.
"""

from typing import NamedTuple, Self

from rules.board.moves import Move, Play
from rules.board.position import BAR, HOME, OFF, POINTS, Position
from rules.ruleset import CHECKERS, BearOff, DiceObligation, Ruleset

Step = tuple[int, int]
Counts = bytes | bytearray

_OUTSIDE_HOME = slice(HOME + 1, BAR + 1)


class Movement(NamedTuple):
    """The fields of a ruleset that matter for moving checkers."""

    dice_obligation: DiceObligation = DiceObligation.ALL_THEN_LARGER
    bear_off: BearOff = BearOff.HIGHEST_ONLY
    hit_checker_first: bool = False

    @classmethod
    def of(cls, ruleset: Ruleset) -> Self:
        return cls(ruleset.dice_obligation, ruleset.bear_off, ruleset.hit_checker_first)

    @property
    def is_plain(self) -> bool:
        """Without OFF-6 and OFF-7 every play can be played from the back to the front."""
        return self.bear_off is BearOff.HIGHEST_ONLY and not self.hit_checker_first


PLAIN = Movement()


def steps(mine: Counts, theirs: Counts, die: int, movement: Movement = PLAIN) -> list[Step]:
    """Every step that this die allows, from the back to the front."""
    if mine[BAR]:
        return [(BAR, BAR - die)] if theirs[die] < 2 else []
    is_home = not any(mine[_OUTSIDE_HOME])
    lowest_start = HOME + 1 if not is_home and movement.hit_checker_first and sum(mine) < CHECKERS else 1
    allowed = [
        (start, start - die)
        for start in range(POINTS, max(die, lowest_start - 1), -1)
        if mine[start] and theirs[BAR - start + die] < 2
    ]
    if is_home:
        allowed += _bear_off_steps(mine, die, movement)
    return allowed


def _bear_off_steps(mine: Counts, die: int, movement: Movement) -> list[Step]:
    """OFF-2 to OFF-4, OFF-6: the checkers that may bear off with this die when all are home."""
    if mine[die]:
        return [(die, OFF)]
    lower = [(start, OFF) for start in range(die - 1, 0, -1) if mine[start]]
    if any(mine[die + 1 : HOME + 1]):
        return lower if movement.bear_off is BearOff.LOWER_ALLOWED else []
    return lower[:1]


def take_step(mine: bytearray, theirs: bytearray, step: Step) -> bool:
    """Moves the checker and sends a single opposing checker to the bar (HIT-1). True if it hit."""
    start, end = step
    mine[start] -= 1
    if end == OFF:
        return False
    mine[end] += 1
    if theirs[BAR - end] != 1:
        return False
    theirs[BAR - end] = 0
    theirs[BAR] += 1
    return True


def resolve_hits(position: Position, taken: tuple[Step, ...]) -> Play:
    """The play of these steps, with its hits marked."""
    mine, theirs = bytearray(position.mine), bytearray(position.theirs)
    return tuple(Move(start, end, take_step(mine, theirs, (start, end))) for start, end in taken)
