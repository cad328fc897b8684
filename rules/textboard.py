"""Draws a position with letters for a terminal. The player on roll plays X and bears off at the bottom right."""

from rules.board.position import BAR, Position
from rules.score import Score, Side

_HEIGHT = 5
_TOP, _BOTTOM = range(13, 25), range(12, 0, -1)
_TOP_EDGE = " +13-14-15-16-17-18------19-20-21-22-23-24-+"
_BOTTOM_EDGE = " +12-11-10--9--8--7-------6--5--4--3--2--1-+"
_MIDDLE = " |                  |BAR|                  |"


def draw(  # noqa: PLR0913  # each names one thing on the board, and all but two have a default
    position: Position,
    *,
    on_roll: Side,
    names: tuple[str, str] = ("", ""),
    dice: tuple[int, int] | None = None,
    cube: int = 1,
    owner: Side | None = None,
    score: Score | None = None,
) -> str:
    """The board in lines of at most 80 characters, with pip counts, borne-off checkers, cube, dice and score.

    `names` are of the left and of the right player. Everything else is ASCII.
    """
    left, right = (name or side.value for name, side in zip(names, Side, strict=True))
    mover, other = (left, right) if on_roll is Side.LEFT else (right, left)
    board = [
        _TOP_EDGE,
        *(_row(position, _TOP, level) for level in range(_HEIGHT)),
        _MIDDLE,
        *(_row(position, _BOTTOM, level) for level in reversed(range(_HEIGHT))),
        _BOTTOM_EDGE,
    ]
    captions = {
        0: f"O {_shortened(other)}: {position.pips[1]} pips, {position.off[1]} off",
        1: _points(score, on_roll.other),
        6: f"cube {cube}, {_holder(owner, on_roll)}",
        7: f"X rolls {dice[0]}{dice[1]}" if dice else "X on roll",
        11: _points(score, on_roll),
        12: f"X {_shortened(mover)}: {position.pips[0]} pips, {position.off[0]} off",
    }
    return "\n".join(f"{line:<44}  {captions.get(row, '')}".rstrip() for row, line in enumerate(board))


def _points(score: Score | None, side: Side) -> str:
    if score is None:
        return ""
    length = f" of {score.length}" if score.length else ""
    return f"{score.points(side)}{length} points{', Crawford game' if score.is_crawford else ''}"


def _holder(owner: Side | None, on_roll: Side) -> str:
    if owner is None:
        return "centred"
    return "owned by X" if owner is on_roll else "owned by O"


def _shortened(name: str) -> str:
    return name if len(name) <= 12 else f"{name[:10]}.."


def _row(position: Position, points: range, level: int) -> str:
    cells = [_cell(position, point, level) for point in points]
    bar = (
        _stack("X", position.mine[BAR], level)
        if points is _BOTTOM
        else _stack("O", position.theirs[BAR], level)
    )
    return f" |{''.join(cells[:6])}|{bar}|{''.join(cells[6:])}|"


def _cell(position: Position, point: int, level: int) -> str:
    mine, theirs = position.mine[point], position.theirs[BAR - point]
    return _stack("X", mine, level) if mine else _stack("O", theirs, level)


def _stack(letter: str, count: int, level: int) -> str:
    """One cell of a stack; the highest cell shows the count if the stack is higher."""
    if level >= count:
        return "   "
    if level == _HEIGHT - 1 and count > _HEIGHT:
        return f"{count:>2} "
    return f" {letter} "
