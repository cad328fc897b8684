"""Text boards of a turn with its action, and of the position of an ID."""

from rules.board.notation import format_play
from rules.board.position import Position
from rules.board.situation import Situation
from rules.judge import Turn
from rules.score import CrawfordStage, Score, Side
from rules.textboard import draw


def board_of(turn: Turn, names: tuple[str, str]) -> str:
    board = draw(
        turn.position,
        dice=turn.dice,
        cube=turn.cube,
        owner=turn.owner,
        on_roll=turn.side,
        names=names,
        score=turn.score,
    )
    return f"{board}\n{action_text(turn)}"


def action_text(turn: Turn) -> str:
    """The action of this turn in a few words."""
    if turn.dice is None:
        return f"{turn.step}s"
    dice = f"{turn.dice[0]}{turn.dice[1]}"
    return f"{dice}: {format_play(turn.play) if turn.play else 'no play'}"


def board_of_id(position: Position, situation: Situation | None) -> str:
    """The board as the player on roll sees it; `situation` is None if the ID has only a position."""
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
