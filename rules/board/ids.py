"""Reads the IDs of other programs: Position ID, Match ID, XGID. Writes Position IDs.

Text that no program writes is refused, never repaired. A Position ID and a Match ID are base64 of bits, lowest
first; GNU Backgammon's manual gives the layout (appendix "Technical Notes"). An XGID is text; the manual of
eXtreme Gammon gives its layout.

The left player is player 0 of a Match ID and the upper case of an XGID, because the left column of a text record
is the first player of either program. (GNU Backgammon reads the upper case of an XGID as player 1.)
"""

import binascii
import re
from functools import lru_cache

from rules.board.position import BAR, OFF, Position
from rules.board.situation import Progress, Situation
from rules.ruleset import CHECKERS
from rules.score import Side, Win

_POSITION_BYTES, _MATCH_BYTES = 10, 9
_UNARY = ["0" + "1" * count for count in range(2 * CHECKERS + 1)]
_NO_POSITION = "This Position ID is not of a legal position."
_NO_BASE64 = "A {name} has {length} characters: letters, digits, + and /."


class UnreadableId(ValueError):
    """The text is not an ID of this kind; the message says why."""


@lru_cache(maxsize=20_000)
def position_id(position: Position) -> str:
    """The Position ID: a 1 for every checker, a 0 after every point, the player on roll last."""
    counts = position.mine[:OFF:-1] + position.theirs[:OFF:-1]
    bits = int("".join([_UNARY[count] for count in counts]), 2)
    return _base64(bits, _POSITION_BYTES)


def position_from_id(text: str) -> Position:
    """Raises UnreadableId."""
    text = text.strip()
    bits = f"{_bits(text, _POSITION_BYTES, 'Position ID'):0{8 * _POSITION_BYTES}b}"[::-1]
    counts = [len(ones) for ones in bits.split("0")[: 2 * BAR]]
    if len(counts) < 2 * BAR:
        raise UnreadableId(_NO_POSITION)
    theirs, mine = bytes((0, *counts[:BAR])), bytes((0, *counts[BAR:]))
    position = Position(mine, theirs)
    if position.problem or position_id(position) != text:
        raise UnreadableId(_NO_POSITION)
    return position


_CENTRE = 3
_SIDES = (Side.LEFT, Side.RIGHT)
_FIELDS = (4, 2, 1, 1, 3, 1, 1, 2, 3, 3, 15, 15, 15, 1)
"""Bits of: cube, owner, on roll, Crawford, progress, turn, doubled, resigned, dice, length, scores, no Jacoby."""


def situation_from_match_id(text: str) -> Situation:
    """Raises UnreadableId."""
    bits = _bits(text.strip(), _MATCH_BYTES, "Match ID")
    numbers: list[int] = []
    for width in _FIELDS:
        numbers.append(bits & (1 << width) - 1)
        bits >>= width
    if bits:
        raise UnreadableId("This Match ID sets unused bits.")
    cube, owner, on_roll, crawford, progress, turn, doubled, resigned, die, other, *rest = numbers
    length, left, right, no_jacoby = rest
    _refuse_impossible(owner, progress, (die, other))
    _refuse_score(length, (left, right), crawford)
    return Situation(
        length=length or None,
        score=(left, right),
        is_crawford=bool(crawford),
        cube=1 << cube,
        owner=None if owner == _CENTRE else _SIDES[owner],
        on_roll=_SIDES[on_roll],
        is_answer_pending=turn != on_roll,
        dice=(die, other) if die else None,
        is_doubled=bool(doubled),
        resigned=Win(resigned) if resigned else None,
        progress=Progress(progress),
        jacoby=not no_jacoby,
    )


def _refuse_impossible(owner: int, progress: int, dice: tuple[int, int]) -> None:
    if owner > 1 and owner != _CENTRE:
        raise UnreadableId("This Match ID has no valid owner of the cube.")
    if progress > max(Progress):
        raise UnreadableId("This Match ID has an unknown state of the game.")
    if (0 in dice and any(dice)) or not dice[1] <= dice[0] <= 6:
        raise UnreadableId("This Match ID has impossible dice.")


def _refuse_score(length: int, score: tuple[int, int], crawford: int) -> None:
    if length and max(score) > length:
        raise UnreadableId(f"A score of {score[0]}-{score[1]} is beyond the end of a match to {length}.")
    if crawford and not length:
        raise UnreadableId("The Crawford game needs a match length, and this ID has none.")


_XGID = re.compile(
    r"(?:XGID=)?([-a-oA-O]{26}):(0|1?\d):(-1|0|1):(-1|1):(00|[DBR]|[1-6]{2})"
    r":(\d{1,5}):(\d{1,5}):([0-3]):(\d{1,5})(?::(1?\d))?",
    re.ASCII,
)
_USUAL_LIMIT = "10"
_LETTERS = "-abcdefghijklmno"
_ANSWERS = "DBR"
_XG_OWNERS = {0: None, 1: Side.LEFT, -1: Side.RIGHT}


def from_xgid(text: str) -> tuple[Position, Situation]:
    """The position as the player on roll sees it, and its situation. Raises UnreadableId.

    The prefix XGID= and the last field, the limit of the cube, may be missing.
    """
    match = _XGID.fullmatch(text.strip())
    if match is None:
        raise UnreadableId(
            "An XGID has 26 characters for bars and points and nine more fields, separated by colons."
        )
    points, cube, owner, turn, thrown, *rest = match.groups(default=_USUAL_LIMIT)
    left, right, rules, length, limit = map(int, rest)
    _refuse_score(length, (left, right), 0)
    if length and rules > 1:
        raise UnreadableId("In the XGID of a match the eighth field must be 1 (Crawford game) or 0.")
    on_roll = Side.LEFT if turn == "1" else Side.RIGHT
    beavers = max(0, _ANSWERS.find(thrown))
    situation = Situation(
        length=length or None,
        score=(left, right),
        is_crawford=bool(length and rules),
        cube=1 << int(cube),
        owner=_XG_OWNERS[int(owner)],
        on_roll=on_roll,
        is_answer_pending=thrown in _ANSWERS and beavers % 2 == 0,
        dice=(int(thrown[0]), int(thrown[1])) if thrown.isdecimal() and thrown != "00" else None,
        is_doubled=thrown in _ANSWERS,
        beavers=beavers,
        jacoby=bool(not length and rules & 1),
        are_beavers_played=bool(not length and rules & 2),
        cube_limit=1 << limit,
    )
    position = _position_from_letters(points)
    return (position if on_roll is Side.LEFT else position.swapped()), situation


def _position_from_letters(points: str) -> Position:
    """The position as the upper case sees it: its points 1 to 24, its bar at 25, the other bar at 0."""
    mine = bytes(_LETTERS.index(letter.lower()) if letter.isupper() else 0 for letter in points)
    theirs = bytes(_LETTERS.index(letter) if letter.islower() else 0 for letter in reversed(points))
    position = Position(mine, theirs)
    if position.problem:
        raise UnreadableId("This XGID is not of a legal position.")
    return position


def _base64(bits: int, size: int) -> str:
    return binascii.b2a_base64(bits.to_bytes(size, "little"), newline=False).rstrip(b"=").decode()


def _bits(text: str, size: int, name: str) -> int:
    """The bits of an ID of `size` bytes. Raises UnreadableId."""
    length = -(-size * 4 // 3)
    try:
        decoded = binascii.a2b_base64(text + "=" * (-len(text) % 4), strict_mode=True)
    except (binascii.Error, ValueError):
        decoded = b""
    if len(text) != length or len(decoded) != size:
        raise UnreadableId(_NO_BASE64.format(name=name, length=length))
    return int.from_bytes(decoded, "little")
