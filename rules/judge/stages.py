"""A game of a record as it can be drawn: turn by turn, what stood on the board and what was done."""

from collections.abc import Collection

from rules.board.checking import check
from rules.board.moves import Play
from rules.board.stepping import Movement, resolve_hits
from rules.judge.match import AS_RECORDED, watched
from rules.judge.verdict import Stage
from rules.judge.walk import Glimpse
from rules.record.model import CubeAction, Record, Resignation, Roll
from rules.ruleset import Ruleset


def stages(
    record: Record, ruleset: Ruleset, game: int, *, length: int | None = AS_RECORDED
) -> tuple[Stage, ...]:
    """Every turn of the game of this number, counted from 1 as in the verdict; empty if there is none."""
    movement = Movement.of(ruleset)
    return tuple(
        _stage(number, seen, movement) for number, seen in watched(record, ruleset, (game,), length=length)
    )


def troubled_stages(
    record: Record,
    ruleset: Ruleset,
    games: Collection[int],
    *,
    length: int | None = AS_RECORDED,
    agreed: int | None = None,
) -> tuple[Stage, ...]:
    """The turns of these games that have a problem. Judges the record once more, unless `games` is empty."""
    if not games:
        return ()
    movement = Movement.of(ruleset)
    seen = watched(record, ruleset, games, lambda glimpse: glimpse.problems, length=length, agreed=agreed)
    return tuple(_stage(number, glimpse, movement) for number, glimpse in seen)


def _stage(game: int, seen: Glimpse, movement: Movement) -> Stage:
    action = seen.action
    is_roll = isinstance(action, Roll)
    play = _play(action, seen, movement) if isinstance(action, Roll) else None
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


def _play(roll: Roll, seen: Glimpse, movement: Movement) -> Play | None:
    """As it was carried out; as it is written where it cannot be."""
    taken = seen.taken
    if not taken and roll.play:
        taken = check(seen.position, roll.dice, roll.play, movement).steps
    return resolve_hits(seen.position, taken) if taken else roll.play


def _step(action: CubeAction | Resignation | Roll) -> str:
    return action.step.value if isinstance(action, CubeAction) else "resign"
