"""The letters of the board, and the rolls written with them.

a is white's 1-point and black's 24-point, y is the bar and z is off; white is the left side.
"""

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from rules.board.moves import Move, Play
from rules.board.position import BAR, OFF, POINTS
from rules.score import Side

SIDES: Mapping[str, Side] = MappingProxyType({"W": Side.LEFT, "B": Side.RIGHT})

_LETTERS = "abcdefghijklmnopqrstuvwx"
_POINT_BY_LETTER: Mapping[Side, Mapping[str, int]] = MappingProxyType(
    {
        Side.LEFT: {letter: count for count, letter in enumerate(_LETTERS, 1)} | {"y": BAR, "z": OFF},
        Side.RIGHT: {letter: POINTS - index for index, letter in enumerate(_LETTERS)} | {"y": BAR, "z": OFF},
    }
)
_DICE = {f"{first}{second}": (first, second) for first in range(1, 7) for second in range(1, 7)}
_MOST_MOVES = 16


class WrittenRoll(NamedTuple):
    """A roll as written in a file; `play` is None if it cannot be read."""

    dice: tuple[int, int]
    play: Play | None


@lru_cache(maxsize=16_384)
def roll(value: str, side: Side) -> WrittenRoll | None:
    """The roll in the value of a move; None if it does not begin with two dice."""
    value = value.strip()
    dice = _DICE.get(value[:2])
    return WrittenRoll(dice, _play(value[2:], side)) if dice else None


def point(letter: str, side: Side) -> int | None:
    """The point in a side's own numbering."""
    return _POINT_BY_LETTER[side].get(letter)


def _play(letters: str, side: Side) -> Play | None:
    if len(letters) % 2 or len(letters) > 2 * _MOST_MOVES:
        return None
    counts = [_POINT_BY_LETTER[side].get(letter) for letter in letters]
    moves = []
    for start, end in zip(counts[::2], counts[1::2], strict=True):
        if start is None or end is None or start == OFF or end == BAR:
            return None
        moves.append(Move(start, end))
    return tuple(moves)
