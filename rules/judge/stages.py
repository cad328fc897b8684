"""A game of a record as it can be drawn: turn by turn, what stood on the board and what was done."""

from rules.board.stepping import resolved
from rules.judge.match import AS_RECORDED, watched
from rules.judge.verdict import Stage
from rules.judge.walk import Glimpse
from rules.record.model import CubeAction, Record, Resignation, Roll
from rules.ruleset import Ruleset


def stages(
    record: Record, ruleset: Ruleset, game: int, *, length: int | None = AS_RECORDED
) -> tuple[Stage, ...]:
    """Every turn of the game of this number, counted from 1 as in the verdict; empty if there is none."""
    return tuple(_stage(game, seen) for seen in watched(record, ruleset, game, length))


def _stage(game: int, seen: Glimpse) -> Stage:
    action = seen.action
    is_roll = isinstance(action, Roll)
    play = None
    if isinstance(action, Roll):
        play = resolved(seen.position, seen.taken) if seen.taken else action.play
    return Stage(
        game=game,
        move=seen.move,
        side=action.side,
        position=seen.position,
        dice=action.dice if isinstance(action, Roll) else None,
        play=play,
        cube=seen.cube.value,
        owner=seen.cube.owner,
        step="roll" if is_roll else _step(action),
        line=action.line,
        problems=tuple(seen.problems),
        score=seen.score,
    )


def _step(action: CubeAction | Resignation | Roll) -> str:
    return action.step.value if isinstance(action, CubeAction) else "resign"
