"""Draws the board: points, checkers, bar, what is off, cube, dice, both pip counts, and a play as arrows."""

from collections.abc import Iterator
from html import escape

from rules.board.moves import Play
from rules.board.position import BAR, OFF, Position
from rules.diagram.words import description, named, title
from rules.score import Side

WIDTH, HEIGHT = 520, 400
_LEFT, _TOP, _BOTTOM = 44, 40, 360
_COLUMN = 32
_RADIUS = 14.5
_STACK = 5
_BAR_X = _LEFT + 6.5 * _COLUMN
_TRAY_X = _LEFT + 13.6 * _COLUMN
_MIDDLE = (_TOP + _BOTTOM) / 2

_COLOURS = {
    "board": ("#f7f1e3", "#22262a"),
    "ink": ("#2a2622", "#e9e4d8"),
    "point": ("#d8c6a0", "#4a5056"),
    "other-point": ("#b99c6b", "#343a40"),
    "bar": ("#e6dcc6", "#2c3136"),
    "white": ("#ffffff", "#f3efe6"),
    "black": ("#26221e", "#0c0d0e"),
    "edge": ("#26221e", "#b9b4aa"),
    "arrow": ("#a3262a", "#ff9d8f"),
}


def svg(  # noqa: PLR0913  # each names one thing on the board, and all but one have a usual value
    position: Position,
    *,
    on_roll: Side = Side.LEFT,
    dice: tuple[int, int] | None = None,
    cube: int = 1,
    owner: Side | None = None,
    names: tuple[str, str] = ("", ""),
    play: Play = (),
    seen_by: Side | None = None,
    name: str = "board",
) -> str:
    """The position as an SVG document. The left player is white.

    `position` is seen by the player on roll. The side of `seen_by` plays towards the bottom right; the one
    on roll does if none is named. `play` is drawn as arrows. `name` begins every id, for pages with several.
    """
    below = seen_by or on_roll
    shown = position if below is on_roll else position.swapped()
    told = description(position, on_roll, cube, owner, names)
    parts = [
        _opening(name),
        f'<title id="{name}-title">{escape(title(on_roll, dice, names))}</title>',
        f'<desc id="{name}-words">{escape(told)}</desc>',
        _style(),
        *_board(),
        *_side(shown.mine, below, is_below=True),
        *_side(shown.theirs, below.other, is_below=False),
        *_pips(shown, below, names),
        *_cube(cube, owner, below),
        *(_dice(dice, on_roll) if dice else ()),
        *_arrows(play, is_below=below is on_roll),
        "</svg>",
    ]
    return "".join(parts)


def _opening(name: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"'
        f' aria-labelledby="{name}-title {name}-words" class="diagram" font-family="sans-serif">'
    )


def _style() -> str:
    dark = "".join(f"--diagram-{name}:{colour}" + ";" for name, (_, colour) in _COLOURS.items())
    return f"<style>@media (prefers-color-scheme:dark){{svg.diagram{{{dark}}}}}</style>"


def _paint(name: str) -> str:
    return f"var(--diagram-{name},{_COLOURS[name][0]})"


def _board() -> Iterator[str]:
    ink = _paint("ink")
    yield f'<rect width="{WIDTH}" height="{HEIGHT}" rx="8" fill="{_paint("board")}"/>'
    for point in range(1, 25):
        x, is_low = _x(point), point <= 12
        foot, tip = (_BOTTOM, _BOTTOM - 138) if is_low else (_TOP, _TOP + 138)
        half = _COLUMN / 2
        paint = _paint("point" if point % 2 else "other-point")
        yield f'<path d="M{x - half:g} {foot}L{x:g} {tip}L{x + half:g} {foot}Z" fill="{paint}"/>'
        yield _text(x, _BOTTOM + 15 if is_low else _TOP - 6, str(point), size=11)
    yield (
        f'<rect x="{_BAR_X - _COLUMN / 2:g}" y="{_TOP}" width="{_COLUMN}" height="{_BOTTOM - _TOP}"'
        f' fill="{_paint("bar")}"/>'
    )
    yield (
        f'<rect x="{_LEFT}" y="{_TOP}" width="{13 * _COLUMN}" height="{_BOTTOM - _TOP}"'
        f' fill="none" stroke="{ink}" stroke-width="2"/>'
    )


def _x(point: int) -> float:
    """The middle of a point's column, seen by whoever plays towards the bottom right."""
    column = 12 - point if point <= 12 else point - 13
    return _LEFT + (column + (1 if column >= 6 else 0) + 0.5) * _COLUMN


def _side(counts: bytes, side: Side, *, is_below: bool) -> Iterator[str]:
    for point in range(1, 25):
        own = point if is_below else BAR - point
        yield from _stack(counts[point], side, _x(own), is_low=own <= 12)
    yield from _on_the_bar(counts[BAR], side, is_below=is_below)
    off = 15 - sum(counts)
    if off:
        y = _BOTTOM - 18 if is_below else _TOP + 18
        yield _checker(_TRAY_X, y, side)
        yield _text(_TRAY_X, y + 5, str(off), size=14, paint=_number_on(side))
        yield _text(_TRAY_X, y + (-20 if is_below else 28), "off", size=11)


def _stack(count: int, side: Side, x: float, *, is_low: bool) -> Iterator[str]:
    step = -2 * _RADIUS if is_low else 2 * _RADIUS
    foot = _BOTTOM - _RADIUS - 1 if is_low else _TOP + _RADIUS + 1
    for level in range(min(count, _STACK)):
        yield _checker(x, foot + level * step, side)
    if count > _STACK:
        yield _text(x, foot + (_STACK - 1) * step + 5, str(count), size=14, paint=_number_on(side))


def _on_the_bar(count: int, side: Side, *, is_below: bool) -> Iterator[str]:
    """Checkers on the bar stand on the far side of its middle, where they will enter."""
    if not count:
        return
    y = _MIDDLE - 60 if is_below else _MIDDLE + 60
    yield _checker(_BAR_X, y, side)
    if count > 1:
        yield _text(_BAR_X, y + 5, str(count), size=14, paint=_number_on(side))


def _checker(x: float, y: float, side: Side) -> str:
    paint = _paint("white" if side is Side.LEFT else "black")
    edge = _paint("edge")
    return f'<circle cx="{x:g}" cy="{y:g}" r="{_RADIUS}" fill="{paint}" stroke="{edge}" stroke-width="1.5"/>'


def _number_on(side: Side) -> str:
    """Black on white and white on black, in light and in dark."""
    return "#26221e" if side is Side.LEFT else "#ffffff"


def _pips(shown: Position, below: Side, names: tuple[str, str]) -> Iterator[str]:
    lower, upper = shown.pips
    for y, side, pips in ((HEIGHT - 8, below, lower), (16, below.other, upper)):
        told = f"{_cut(named(side, names))}: {pips} pips"
        yield _text(_LEFT, y, told, size=14, anchor="start")


def _cut(name: str) -> str:
    return name if len(name) <= 40 else f"{name[:38]}…"


def _cube(cube: int, owner: Side | None, below: Side) -> Iterator[str]:
    y = _MIDDLE if owner is None else _BOTTOM - 20 if owner is below else _TOP + 20
    shown = 64 if cube == 1 else cube
    size = 15 if shown < 100 else 11 if shown < 10_000 else 8
    yield (
        f'<rect x="6" y="{y - 16:g}" width="32" height="32" rx="5" fill="{_paint("white")}"'
        f' stroke="{_paint("edge")}" stroke-width="1.5"/>'
    )
    yield _text(22, y + 5, str(shown), size=size, paint="#26221e")


_PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, 1), (-1, 1), (1, -1)),
    5: ((-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)),
    6: ((-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)),
}


def _dice(dice: tuple[int, int], on_roll: Side) -> Iterator[str]:
    for die, x in zip(dice, (_LEFT + 9.2 * _COLUMN, _LEFT + 10.6 * _COLUMN), strict=True):
        paint, dots = (_paint("white"), "#26221e") if on_roll is Side.LEFT else (_paint("black"), "#ffffff")
        yield (
            f'<rect x="{x - 15:g}" y="{_MIDDLE - 15:g}" width="30" height="30" rx="6" fill="{paint}"'
            f' stroke="{_paint("edge")}" stroke-width="1.5"/>'
        )
        for right, down in _PIPS[die]:
            yield f'<circle cx="{x + 8 * right:g}" cy="{_MIDDLE + 8 * down:g}" r="2.6" fill="{dots}"/>'


def _arrows(play: Play, *, is_below: bool) -> Iterator[str]:
    for start, end, _ in play:
        (x, y), (to_x, to_y) = _spot(start, is_below=is_below), _spot(end, is_below=is_below)
        yield (
            f'<path d="M{x:g} {y:g}Q{(x + to_x) / 2:g} {_MIDDLE:g} {to_x:g} {to_y:g}" fill="none"'
            f' stroke="{_paint("arrow")}" stroke-width="3" stroke-dasharray="7 4" stroke-linecap="round"/>'
            f'<circle cx="{to_x:g}" cy="{to_y:g}" r="5" fill="{_paint("arrow")}"/>'
        )


def _spot(point: int, *, is_below: bool) -> tuple[float, float]:
    """Where an arrow begins or ends: on the tip of a point, the bar, the tray."""
    if point == BAR:
        return _BAR_X, _MIDDLE - 60 if is_below else _MIDDLE + 60
    if point == OFF:
        return _TRAY_X, _BOTTOM - 64 if is_below else _TOP + 64
    own = point if is_below else BAR - point
    return _x(own), _BOTTOM - 100 if own <= 12 else _TOP + 100


def _text(
    x: float, y: float, text: str, *, size: int, paint: str | None = None, anchor: str = "middle"
) -> str:
    fill = paint or _paint("ink")
    return f'<text x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="{anchor}" fill="{fill}">{escape(text)}</text>'
