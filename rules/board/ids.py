"""Positions as GNU Backgammon's Position ID: ten bytes, a one for every checker, a zero after every point."""

import base64
import binascii
from functools import lru_cache

from rules.board.position import BAR, Position

_LENGTH = 14
_BITS = 80


class UnreadableId(ValueError):
    """Text that is no such ID; the message says why."""


@lru_cache(maxsize=20_000)
def position_id(position: Position) -> str:
    """The Position ID, the player on roll last in its bits as GNU Backgammon has it."""
    number = shift = 0
    for side in (position.theirs, position.mine):
        for count in side[1:]:
            number |= ((1 << count) - 1) << shift
            shift += count + 1
    return base64.b64encode(number.to_bytes(10, "little"))[:_LENGTH].decode()


def position_from_id(text: str) -> Position:
    """The position of this ID. Raises UnreadableId."""
    try:
        number = int.from_bytes(base64.b64decode(text.strip() + "==", validate=True), "little")
    except (binascii.Error, ValueError):
        raise UnreadableId("A Position ID is 14 letters, digits, + and /.") from None
    if len(text.strip()) != _LENGTH:
        raise UnreadableId("A Position ID is 14 letters, digits, + and /.")
    sides = [bytearray(BAR + 1), bytearray(BAR + 1)]
    at = 0
    for bit in range(_BITS):
        if at == 2 * BAR:
            break
        if number >> bit & 1:
            sides[at // BAR][at % BAR + 1] += 1
        else:
            at += 1
    position = Position(bytes(sides[1]), bytes(sides[0]))
    if at != 2 * BAR or position.problem:
        raise UnreadableId("This Position ID is of no position that can be played.")
    return position
