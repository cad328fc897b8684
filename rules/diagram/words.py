"""Describes a diagram in words for screen readers."""

from rules.board.moves import Play
from rules.board.notation import format_play
from rules.board.position import BAR, POINTS, Position
from rules.score import Score, Side

COLOURS = {Side.LEFT: "White", Side.RIGHT: "Black"}


def title(on_roll: Side, dice: tuple[int, int] | None, names: tuple[str, str]) -> str:
    """The title of the picture: the player and the dice."""
    mover = player_label(on_roll, names)
    return f"{mover} to play {dice[0]} and {dice[1]}" if dice else f"{mover} on roll"


def description(
    position: Position, on_roll: Side, cube: int, owner: Side | None, names: tuple[str, str]
) -> str:
    """Every checker, both pip counts and the cube."""
    mine = _side(player_label(on_roll, names), position.mine, position.pips[0], position.off[0])
    theirs = _side(player_label(on_roll.other, names), position.theirs, position.pips[1], position.off[1])
    return f"{mine} {theirs} {_cube(cube, owner, names)}"


def score_and_play(score: Score | None, names: tuple[str, str], play: Play) -> str:
    """A sentence for the score and one for the play of the arrows."""
    words = ""
    if score is not None:
        left, right = (f"{player_label(side, names)} has {score.points(side)}" for side in Side)
        words += f" {left}, {right}{f' of {score.length}' if score.length else ''} points."
    return f"{words} Arrows show {format_play(play)}." if play else words


def player_label(side: Side, names: tuple[str, str]) -> str:
    """The colour of a side, with the player's name if there is one."""
    name = names[0] if side is Side.LEFT else names[1]
    return f"{COLOURS[side]} ({name})" if name else COLOURS[side]


def _side(name: str, counts: bytes, pips: int, off: int) -> str:
    places = [f"{counts[BAR]} on the bar"] if counts[BAR] else []
    places += [f"{counts[point]} on the {point}-point" for point in range(POINTS, 0, -1) if counts[point]]
    places += [f"{off} off"] if off else []
    return f"{name} has {', '.join(places)}; {pips} pips."


def _cube(cube: int, owner: Side | None, names: tuple[str, str]) -> str:
    if owner is None:
        return f"The cube is at {cube} in the centre."
    return f"The cube is at {cube}, owned by {player_label(owner, names)}."
