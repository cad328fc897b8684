"""Coordinates and colours of the diagram.

Points are numbered as the player at the bottom counts them; that player bears off at the bottom right.
"""

from dataclasses import dataclass
from html import escape

from rules.board.position import BAR, OFF
from rules.score import Side

WIDTH, HEIGHT = 520, 400
LEFT, TOP, BOTTOM = 44, 40, 360
COLUMN = 32
RADIUS = 14
STACK = 5
BAR_X = LEFT + 6.5 * COLUMN
TRAY_X = LEFT + 13.6 * COLUMN
MIDDLE = (TOP + BOTTOM) / 2
_BAR_AWAY, _TRAY_AWAY = 60, 18

INK_ON_WHITE, INK_ON_BLACK = "#26221e", "#ffffff"
COLOURS = {
    "board": ("#f7f1e3", "#22262a"),
    "ink": ("#2a2622", "#e9e4d8"),
    "point": ("#dccba8", "#5b646d"),
    "other-point": ("#b99c6b", "#3d454d"),
    "bar": ("#e6dcc6", "#2f353a"),
    "white": ("#ffffff", "#f3efe6"),
    "white-edge": ("#26221e", "#6f6a60"),
    "black": ("#26221e", "#0c0d0e"),
    "black-edge": ("#d8cdb8", "#b9b4aa"),
    "arrow": ("#b3181d", "#ff9d8f"),
}
"""The colour in light mode, then in dark mode."""


@dataclass(frozen=True, slots=True)
class DiagramStyle:
    """`bottom_side` plays towards the bottom right; None means the side on roll.

    `name` begins every id, for pages with several pictures: letters, digits, hyphens. `is_standalone` adds the
    style sheet for dark mode.
    """

    bottom_side: Side | None = None
    name: str = "board"
    is_standalone: bool = True


def style_sheet() -> str:
    dark = ";".join(f"--diagram-{name}:{colour}" for name, (_, colour) in COLOURS.items())
    return f"<style>@media (prefers-color-scheme:dark){{svg.diagram{{{dark}}}}}</style>"


def paint(name: str) -> str:
    return f"var(--diagram-{name},{COLOURS[name][0]})"


def column(point: int) -> float:
    """The x coordinate of the middle of a point's column."""
    number = 12 - point if point <= 12 else point - 13
    return LEFT + (number + (1 if number >= 6 else 0) + 0.5) * COLUMN


def spot(point: int, level: int, *, is_below: bool) -> tuple[float, float]:
    """The centre of a checker at this level of the stack; `point` in its owner's numbering."""
    if point == BAR:
        return BAR_X, MIDDLE - _BAR_AWAY if is_below else MIDDLE + _BAR_AWAY
    if point == OFF:
        return TRAY_X, BOTTOM - _TRAY_AWAY if is_below else TOP + _TRAY_AWAY
    own = point if is_below else BAR - point
    up = RADIUS + 1 + 2 * RADIUS * max(0, min(level, STACK - 1))
    return column(own), BOTTOM - up if own <= 12 else TOP + up


def checker(x: float, y: float, side: Side) -> str:
    name = "white" if side is Side.LEFT else "black"
    return f'<circle cx="{x:g}" cy="{y:g}" r="{RADIUS - 0.5:g}" fill="{paint(name)}" stroke="{paint(name + "-edge")}"/>'


def number_on(x: float, y: float, count: int, side: Side) -> str:
    """A count on a checker: black on white and white on black, in both modes."""
    return text(x, y + 5.5, str(count), size=16, fill=INK_ON_WHITE if side is Side.LEFT else INK_ON_BLACK)


def text(x: float, y: float, content: str, *, size: int, fill: str = "", anchor: str = "middle") -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="{anchor}"'
        f' fill="{fill or paint("ink")}">{escape(content)}</text>'
    )
