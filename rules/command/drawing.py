"""A stage of a game as a text board with what was done under it."""

from rules.board.notation import format_play
from rules.judge import Stage
from rules.textboard import draw


def board_of(stage: Stage, names: tuple[str, str]) -> str:
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


def said(stage: Stage) -> str:
    """What was done at this stage, in a few words."""
    if stage.dice is None:
        return f"{stage.step}s"
    dice = f"{stage.dice[0]}{stage.dice[1]}"
    return f"{dice}: {format_play(stage.play) if stage.play else 'no play'}"
