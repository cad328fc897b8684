"""Prepares the turns of a recorded game for drawing."""

from collections.abc import Collection

from rules.board.checking import check
from rules.board.moves import Play
from rules.board.stepping import Movement, resolve_hits
from rules.judge.match import AS_RECORDED, observe_games
from rules.judge.replay import ObservedAction
from rules.judge.verdict import Turn
from rules.record.model import CubeAction, Record, Resignation, Roll
from rules.ruleset import Ruleset


def turns(
    record: Record, ruleset: Ruleset, game: int, *, length: int | None = AS_RECORDED
) -> tuple[Turn, ...]:
    """Every turn of this game, counted from 1 as in the verdict; empty if there is no such game."""
    movement = Movement.of(ruleset)
    return tuple(
        _turn(number, observed, movement)
        for number, observed in observe_games(record, ruleset, (game,), length=length)
    )


def turns_with_problems(
    record: Record,
    ruleset: Ruleset,
    games: Collection[int],
    *,
    length: int | None = AS_RECORDED,
    agreed: int | None = None,
) -> tuple[Turn, ...]:
    """The turns of these games that have a problem. Judges the record again unless `games` is empty."""
    if not games:
        return ()
    movement = Movement.of(ruleset)
    observed = observe_games(
        record, ruleset, games, lambda glimpse: glimpse.problems, length=length, agreed=agreed
    )
    return tuple(_turn(number, glimpse, movement) for number, glimpse in observed)


def _turn(game: int, observed: ObservedAction, movement: Movement) -> Turn:
    action = observed.action
    is_roll = isinstance(action, Roll)
    play = _play(action, observed, movement) if isinstance(action, Roll) else None
    return Turn(
        game=game,
        move=observed.move,
        side=action.side,
        position=observed.position,
        dice=action.dice if isinstance(action, Roll) else None,
        play=play,
        cube=observed.cube.value,
        owner=observed.cube.owner,
        step="roll" if is_roll else _step(action),
        line=action.line,
        problems=tuple(observed.problems),
        score=observed.score,
    )


def _play(roll: Roll, observed: ObservedAction, movement: Movement) -> Play | None:
    """The play as it was applied; as written if it is impossible."""
    taken = observed.steps
    if not taken and roll.play:
        taken = check(observed.position, roll.dice, roll.play, movement).steps
    return resolve_hits(observed.position, taken) if taken else roll.play


def _step(action: CubeAction | Resignation | Roll) -> str:
    return action.step.value if isinstance(action, CubeAction) else "resign"
