"""The fields of our own JSON: names, bounds and readers of their values.

The readers and the published schema refuse the same values. Nothing is judged: a cube of 3 is readable.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from rules import json_readers
from rules.board.ids import UnreadableId, position_from_id
from rules.board.position import Position
from rules.record.model import Claim, StatedRules
from rules.record.texts import one_line
from rules.score import Ending, Game, Penalty, Side, Win

VERSION = 1
LONGEST_TEXT = 1_000
MOST_TAGS = 200
LARGEST_NUMBER = 1_000_000_000
LONGEST_LENGTH = 999_999
MOST_DOUBLES = 20
WINS: Mapping[str, Win] = MappingProxyType({win.name.lower(): win for win in Win})

number = json_readers.whole_number(0, LARGEST_NUMBER)
side = json_readers.choice(Side)
_FEW = json_readers.whole_number(0, MOST_DOUBLES)
_PAIR = 2


def line(value: object) -> str:
    """A line of text; characters that do not belong on a line become blanks."""
    if not isinstance(value, str):
        raise json_readers.WrongTypeError("text")
    if len(value) > LONGEST_TEXT:
        raise json_readers.ImpossibleError(f"a text of {LONGEST_TEXT} characters at most")
    return one_line(value, LONGEST_TEXT)


def win(value: object) -> Win:
    if not isinstance(value, str):
        raise json_readers.WrongTypeError("text")
    if value not in WINS:
        raise json_readers.ImpossibleError("one of " + ", ".join(WINS))
    return WINS[value]


def pair(reader: json_readers.Reader) -> json_readers.Reader:
    """Two values of one kind: left and right, or a key and its value."""
    values = json_readers.list_of(reader, maximum=_PAIR)

    def read(value: object) -> tuple[Any, Any]:
        pair_read = values(value)
        if len(pair_read) != _PAIR:
            raise json_readers.ImpossibleError("a list of two")
        return pair_read[0], pair_read[1]

    return read


def position(value: object) -> Position:
    if not isinstance(value, str):
        raise json_readers.WrongTypeError("text")
    try:
        return position_from_id(value)
    except UnreadableId:
        raise json_readers.ImpossibleError("a Position ID") from None


def _make_claim(
    winner: Side,
    points: int | None = None,
    match: bool = False,  # noqa: FBT001, FBT002  # has the name of its field and is passed by keyword
) -> Claim:
    return Claim(winner, points, match, line=None)


def _with_required(reader: json_readers.Reader, *required: str) -> json_readers.Reader:
    """Refuses an object without these fields."""

    def read(value: object) -> Any:
        if isinstance(value, dict) and not value.keys() >= set(required):
            raise json_readers.ImpossibleError("an object with the fields " + " and ".join(required))
        return reader(value)

    return read


claim = _with_required(
    json_readers.object_of(
        _make_claim, {"winner": side, "points": json_readers.or_none(number), "match": json_readers.boolean}
    ),
    "winner",
)
result = _with_required(
    json_readers.object_of(
        Game,
        {
            "winner": side,
            "win": win,
            "ending": json_readers.choice(Ending),
            "cube": number,
            "checkers_left": json_readers.or_none(number),
            "automatic_doubles": _FEW,
        },
    ),
    "winner",
)
penalty = _with_required(
    json_readers.object_of(
        Penalty,
        {
            "against": side,
            "points": number,
            "reason": line,
            "mid_game": json_readers.boolean,
            "given_for": line,
        },
    ),
    "against",
    "points",
)
stated = json_readers.object_of(
    StatedRules,
    {
        "jacoby": json_readers.or_none(json_readers.boolean),
        "beavers": json_readers.or_none(_FEW),
        "automatic_doubles": json_readers.or_none(_FEW),
        "crawford": json_readers.or_none(json_readers.boolean),
    },
)

GAME: Mapping[str, json_readers.Reader] = MappingProxyType(
    {
        "number": json_readers.or_none(number),
        "score": json_readers.or_none(pair(number)),
        "crawford": json_readers.or_none(json_readers.boolean),
        "automatic_doubles": json_readers.or_none(_FEW),
        "start": json_readers.or_none(position),
        "first": json_readers.or_none(side),
        "claim": json_readers.or_none(claim),
        "result": json_readers.or_none(result),
    }
)
RECORD: Mapping[str, json_readers.Reader] = MappingProxyType(
    {
        "length": json_readers.or_none(json_readers.whole_number(0, LONGEST_LENGTH)),
        "names": pair(line),
        "stated": stated,
        "tags": json_readers.list_of(pair(line), maximum=MOST_TAGS),
    }
)
