"""Draws the board: points, checkers, bar, borne-off checkers, cube, dice, pip counts, score, a play as arrows."""

from collections.abc import Callable, Iterator
from html import escape

from rules.board.moves import Play
from rules.board.position import BAR, OFF, Position
from rules.diagram.arrows import arrows
from rules.diagram.paint import (
    BAR_X,
    BOTTOM,
    COLUMN,
    HEIGHT,
    INK_ON_BLACK,
    INK_ON_WHITE,
    LEFT,
    MIDDLE,
    STACK,
    TOP,
    TRAY_X,
    WIDTH,
    DiagramStyle,
    checker,
    column,
    number_on,
    paint,
    spot,
    style_sheet,
    text,
)
from rules.diagram.words import Words
from rules.ruleset import CHECKERS
from rules.score import Score, Side

_DEFAULT_STYLE = DiagramStyle()
_LONGEST_NAME = 22


def svg(  # noqa: PLR0913  # each names one thing on the board, and all but one have a default
    position: Position,
    *,
    on_roll: Side = Side.LEFT,
    dice: tuple[int, int] | None = None,
    cube: int = 1,
    owner: Side | None = None,
    names: tuple[str, str] = ("", ""),
    score: Score | None = None,
    play: Play = (),
    style: DiagramStyle = _DEFAULT_STYLE,
    translate: Callable[[str], str] = str,
) -> str:
    """The position as an SVG document. The left player is white; `names` and `score` are left and right.

    `position` is as the player on roll sees it; `play` is that player's. `translate` gets marked sentences.
    """
    below = style.bottom_side or on_roll
    view = position if below is on_roll else position.swapped()
    words = Words(names, translate)
    captions = Words((_shortened(names[0]), _shortened(names[1])), translate)
    description = [words.position(position, on_roll), words.cube(cube, owner)]
    description += [words.score(score)] if score is not None else []
    description += [words.play(play)] if play else []
    return "".join(
        [
            _opening(style.name),
            f'<title id="{escape(style.name)}-title">{escape(words.title(on_roll, dice))}</title>',
            f'<desc id="{escape(style.name)}-words">{escape(" ".join(description))}</desc>',
            style_sheet() if style.is_standalone else "",
            *_board(),
            *_side(view.mine, below, words.off(), is_below=True),
            *_side(view.theirs, below.other, words.off(), is_below=False),
            *_captions(view, below, on_roll, captions, score),
            *_cube(cube, owner, below),
            *(_dice(dice, on_roll) if dice else ()),
            *arrows(position.mine, play, is_below=below is on_roll),
            "</svg>",
        ]
    )


def _opening(name: str) -> str:
    labels = f"{escape(name)}-title {escape(name)}-words"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"'
        f' aria-labelledby="{labels}" class="diagram" font-family="sans-serif">'
    )


def _board() -> Iterator[str]:
    yield f'<rect width="{WIDTH}" height="{HEIGHT}" rx="8" fill="{paint("board")}"/>'
    for name, parity in (("point", 1), ("other-point", 0)):
        outlines = "".join(_triangle(point) for point in range(1, BAR) if point % 2 == parity)
        yield f'<path d="{outlines}" fill="{paint(name)}"/>'
    numbers = (
        f'<text x="{column(point):g}" y="{BOTTOM + 15 if point <= 12 else TOP - 5}">{point}</text>'
        for point in range(1, BAR)
    )
    yield f'<g font-size="13" text-anchor="middle" fill="{paint("ink")}">{"".join(numbers)}</g>'
    yield (
        f'<rect x="{BAR_X - COLUMN / 2:g}" y="{TOP}" width="{COLUMN}" height="{BOTTOM - TOP}"'
        f' fill="{paint("bar")}"/>'
    )
    yield (
        f'<rect x="{LEFT}" y="{TOP}" width="{13 * COLUMN}" height="{BOTTOM - TOP}"'
        f' fill="none" stroke="{paint("ink")}" stroke-width="2"/>'
    )


def _triangle(point: int) -> str:
    x, half = column(point), COLUMN / 2
    foot, tip = (BOTTOM, BOTTOM - 138) if point <= 12 else (TOP, TOP + 138)
    return f"M{x - half:g} {foot}L{x:g} {tip} {x + half:g} {foot}Z"


def _side(counts: bytes, side: Side, off_label: str, *, is_below: bool) -> Iterator[str]:
    for point, count in enumerate(counts):
        most = 1 if point == BAR else STACK
        for level in range(min(count, most)):
            yield checker(*spot(point, level, is_below=is_below), side)
        if count > most:
            yield number_on(*spot(point, most - 1, is_below=is_below), count, side)
    off = CHECKERS - sum(counts)
    if off:
        x, y = spot(OFF, 0, is_below=is_below)
        yield checker(x, y, side)
        yield number_on(x, y, off, side)
        yield text(TRAY_X, y + (-20 if is_below else 28), off_label, size=13)


def _captions(view: Position, below: Side, on_roll: Side, words: Words, score: Score | None) -> Iterator[str]:
    """The lines above and below the board: player, pips, on roll, points."""
    for y, side, pips in ((HEIGHT - 7, below, view.pips[0]), (17, below.other, view.pips[1])):
        caption = words.caption(side, pips, is_on_roll=side is on_roll)
        yield text(LEFT, y, caption, size=15, anchor="start")
        if score is not None:
            yield text(WIDTH - 8, y, words.points(score, side), size=15, anchor="end")


def _shortened(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"


def _cube(cube: int, owner: Side | None, below: Side) -> Iterator[str]:
    y = MIDDLE if owner is None else BOTTOM - 20 if owner is below else TOP + 20
    face = 64 if cube == 1 else cube
    size = 17 if face < 100 else 13 if face < 10_000 else 8
    yield (
        f'<rect x="6" y="{y - 16:g}" width="32" height="32" rx="5" fill="{paint("white")}"'
        f' stroke="{paint("white-edge")}" stroke-width="1.5"/>'
    )
    yield text(22, y + 6, str(face), size=size, fill=INK_ON_WHITE)


_DOTS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, 1), (-1, 1), (1, -1)),
    5: ((-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)),
    6: ((-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)),
}


def _dice(dice: tuple[int, int], on_roll: Side) -> Iterator[str]:
    name, ink = ("white", INK_ON_WHITE) if on_roll is Side.LEFT else ("black", INK_ON_BLACK)
    for die, x in zip(dice, (LEFT + 9.4 * COLUMN, LEFT + 10.6 * COLUMN), strict=True):
        yield (
            f'<rect x="{x - 14:g}" y="{MIDDLE - 14:g}" width="28" height="28" rx="6" fill="{paint(name)}"'
            f' stroke="{paint(name + "-edge")}" stroke-width="1.5"/>'
        )
        for right, down in _DOTS[die]:
            yield f'<circle cx="{x + 7.5 * right:g}" cy="{MIDDLE + 7.5 * down:g}" r="2.6" fill="{ink}"/>'
