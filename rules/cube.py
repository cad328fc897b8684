"""The cube within one game: doubles and answers (CUBE-1 to CUBE-7, OPEN-4).

A cube is immutable: every action returns the next cube or raises RuleBroken. The caller passes the turn and the
roll as `Moment`.
"""

from dataclasses import dataclass, replace

from rules.problem import RuleBroken, problem
from rules.ruleset import LARGEST_CUBE, CubeTiming, FirstDouble, Ruleset
from rules.score.cube_use import may_double, no_cube_reason
from rules.score.entry import Ending, Game, Side
from rules.score.match_score import Score


@dataclass(frozen=True, slots=True)
class Moment:
    """The state of the game: the side to move, whether it has rolled, whether any dice were thrown yet."""

    turn: Side
    has_rolled: bool = False
    is_first_throw_made: bool = True


@dataclass(frozen=True, slots=True)
class Cube:
    """`value` is the stake agreed so far; `owner` None is the centre.

    `doubler` made the double that waits for an answer; `beavers` counts the redoubles in reply to it.
    """

    value: int = 1
    owner: Side | None = None
    doubler: Side | None = None
    beavers: int = 0
    automatic_doubles: int = 0

    @property
    def answering(self) -> Side | None:
        """The side that has to take, drop or beaver; None if there is no double."""
        if self.doubler is None or self.beavers % 2:
            return self.doubler
        return self.doubler.other


def initial_cube(ties: int, score: Score, ruleset: Ruleset) -> Cube:
    """SET-2, OPEN-4: the cube of a new game after this many tied opening rolls."""
    if not may_double(score, ruleset):
        return Cube()
    automatic = ties if ruleset.automatic_doubles is None else min(ties, ruleset.automatic_doubles)
    automatic = min(automatic, (ruleset.cube_limit or LARGEST_CUBE).bit_length() - 1)
    return Cube(value=1 << automatic, automatic_doubles=automatic)


def double(cube: Cube, by: Side, moment: Moment, score: Score, ruleset: Ruleset) -> Cube:
    """CUBE-1 to CUBE-4, CUBE-6: offers a double or redouble. Raises RuleBroken."""
    if cube.doubler is not None:
        raise RuleBroken(problem("cube_already_offered"))
    _refuse_turning(cube.value, by, score, ruleset)
    if cube.owner is by.other:
        raise RuleBroken(problem("cube_not_yours"))
    _refuse_moment(by, moment, ruleset)
    return replace(cube, doubler=by)


def take(cube: Cube, by: Side) -> Cube:
    """CUBE-4: accepts. The player first doubled owns the cube, with or without beavers (CUBE-7). Raises RuleBroken."""
    doubler = _require_answer_from(cube, by)
    return replace(cube, value=cube.value * 2, owner=doubler.other, doubler=None, beavers=0)


def drop(cube: Cube, by: Side) -> Game:
    """CUBE-5: refuses. The other side wins the stake before the double. Raises RuleBroken."""
    _require_answer_from(cube, by)
    return Game(
        winner=by.other,
        ending=Ending.DROPPED,
        cube=cube.value,
        automatic_doubles=cube.automatic_doubles,
    )


def beaver(cube: Cube, by: Side, score: Score, ruleset: Ruleset) -> Cube:
    """CUBE-7: accepts and redoubles at once; the other side may beaver next. Raises RuleBroken."""
    _require_answer_from(cube, by)
    if ruleset.beavers == 0:
        raise RuleBroken(problem("no_beavers"))
    if ruleset.beavers is not None and cube.beavers >= ruleset.beavers:
        raise RuleBroken(problem("too_many_beavers", most=ruleset.beavers))
    _refuse_turning(cube.value * 2, by, score, ruleset)
    return replace(cube, value=cube.value * 2, beavers=cube.beavers + 1)


def _require_answer_from(cube: Cube, by: Side) -> Side:
    if cube.doubler is None:
        raise RuleBroken(problem("no_double_to_answer"))
    if cube.answering is not by:
        raise RuleBroken(problem("not_yours_to_answer"))
    return cube.doubler


def _refuse_turning(value: int, by: Side, score: Score, ruleset: Ruleset) -> None:
    if by not in may_double(score, ruleset):
        raise RuleBroken(problem(f"no_double_in_{no_cube_reason(score, ruleset)}"))
    limit = ruleset.cube_limit
    if limit is not None and value * 2 > limit:
        raise RuleBroken(problem("double_above_limit", cube=value, limit=limit))


def _refuse_moment(by: Side, moment: Moment, ruleset: Ruleset) -> None:
    if ruleset.first_double is FirstDouble.AFTER_FIRST_THROW and not moment.is_first_throw_made:
        raise RuleBroken(problem("double_before_first_throw"))
    if ruleset.cube_timing is CubeTiming.ANY_TIME:
        return
    if moment.turn is not by:
        raise RuleBroken(problem("double_out_of_turn"))
    if moment.has_rolled:
        raise RuleBroken(problem("double_after_roll"))
