"""Draws a play as arrows, one for each move, from the checker to its landing place."""

from collections.abc import Iterator
from math import hypot

from rules.board.moves import Play
from rules.board.position import BAR, OFF
from rules.diagram.paint import COLUMN, MIDDLE, RADIUS, STACK, paint, spot

_LENGTH, _WIDTH = 12, 7
_RISE = 34


def arrows(counts: bytes, play: Play, *, is_below: bool) -> Iterator[str]:
    """`counts` are the mover's checkers before the play; an impossible move is drawn too."""
    heights = list(counts)
    for start, end, _ in play:
        heights[start] -= 1
        origin = _edge(spot(start, heights[start], is_below=is_below), start, heights[start])
        target = _edge(spot(end, heights[end], is_below=is_below), end, 0)
        heights[end] += 1
        yield _arrow(origin, target)


def _edge(middle: tuple[float, float], point: int, height: int) -> tuple[float, float]:
    """A point beside a checker with a number, so that the number stays readable."""
    x, y = middle
    if point in (BAR, OFF):
        return x + (RADIUS if point == BAR else -RADIUS), y
    return x, y + ((RADIUS if y < MIDDLE else -RADIUS) if height >= STACK else 0)


def _arrow(origin: tuple[float, float], target: tuple[float, float]) -> str:
    """A curve towards the middle of the board, with an outline against the background."""
    (x, y), (to_x, to_y) = origin, target
    bow_x, bow_y = _bow(origin, target)
    away = hypot(to_x - bow_x, to_y - bow_y) or 1.0
    right, down = (to_x - bow_x) / away, (to_y - bow_y) / away
    foot_x, foot_y = to_x - _LENGTH * right, to_y - _LENGTH * down
    line = f"M{x:.1f} {y:.1f}Q{bow_x:.1f} {bow_y:.1f} {foot_x:.1f} {foot_y:.1f}"
    tip = (
        f"M{to_x:.1f} {to_y:.1f}L{foot_x - _WIDTH * down:.1f} {foot_y + _WIDTH * right:.1f}"
        f" {foot_x + _WIDTH * down:.1f} {foot_y - _WIDTH * right:.1f}Z"
    )
    return (
        f'<path d="{line}{tip}" fill="none" stroke="{paint("board")}" stroke-width="6"/>'
        f'<path class="arrow" d="{line}" fill="none" stroke="{paint("arrow")}" stroke-width="3"/>'
        f'<path d="{tip}" fill="{paint("arrow")}"/>'
    )


def _bow(origin: tuple[float, float], target: tuple[float, float]) -> tuple[float, float]:
    (x, y), (to_x, to_y) = origin, target
    if (y < MIDDLE) is not (to_y < MIDDLE):
        return (x + to_x) / 2 + (COLUMN if abs(x - to_x) < RADIUS else 0), MIDDLE
    rise = -_RISE if y > MIDDLE else _RISE
    inmost = min(y, to_y) if y > MIDDLE else max(y, to_y)
    return (x + to_x) / 2, inmost + rise
