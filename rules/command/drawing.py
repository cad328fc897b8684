"""Text boards: a stage of a game with what was done under it, and the position of an ID."""

from rules.board.notation import format_play
from rules.board.position import Position
from rules.board.situation import Situation
from rules.judge import Turn
from rules.score import CrawfordStage, Score, Side
from rules.textboard import draw


def board_of(stage: Turn, names: tuple[str, str]) -> str:
    board = draw(
        stage.position,
        dice=stage.dice,
        cube=stage.cube,
        owner=stage.owner,
        on_roll=stage.side,
        names=names,
        score=stage.score,
    )
    return f"{board}\n{said(stage)}"


def said(stage: Turn) -> str:
    """What was done at this stage, in a few words."""
    if stage.dice is None:
        return f"{stage.step}s"
    dice = f"{stage.dice[0]}{stage.dice[1]}"
    return f"{dice}: {format_play(stage.play) if stage.play else 'no play'}"


def board_of_id(position: Position, situation: Situation | None) -> str:
    """The board, seen by the player on roll; `situation` is None where the ID tells of nothing beside it."""
    if situation is None:
        return draw(position, on_roll=Side.LEFT)
    stage = CrawfordStage.TO_COME if situation.is_crawford else CrawfordStage.NEVER
    return draw(
        position,
        dice=situation.dice,
        cube=situation.cube,
        owner=situation.owner,
        on_roll=situation.on_roll,
        score=Score(*situation.score, situation.length, stage),
    )
