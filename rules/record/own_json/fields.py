"""The fields of our own JSON: names, bounds and readers of their values.

The readers and the published schema refuse the same values. Nothing is judged: a cube of 3 is readable.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from rules import reading
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

number = reading.whole_number(0, LARGEST_NUMBER)
side = reading.choice(Side)
_FEW = reading.whole_number(0, MOST_DOUBLES)
_PAIR = 2


def line(value: object) -> str:
    """A line of text; characters that do not belong on a line become blanks."""
    if not isinstance(value, str):
        raise reading.WrongTypeError("text")
    if len(value) > LONGEST_TEXT:
        raise reading.ImpossibleError(f"a text of {LONGEST_TEXT} characters at most")
    return one_line(value, LONGEST_TEXT)


def win(value: object) -> Win:
    if not isinstance(value, str):
        raise reading.WrongTypeError("text")
    if value not in WINS:
        raise reading.ImpossibleError("one of " + ", ".join(WINS))
    return WINS[value]


def pair(reader: reading.Reader) -> reading.Reader:
    """Two values of one kind: left and right, or a key and its value."""
    values = reading.several(reader, most=_PAIR)

    def read(value: object) -> tuple[Any, Any]:
        pair_read = values(value)
        if len(pair_read) != _PAIR:
            raise reading.ImpossibleError("a list of two")
        return pair_read[0], pair_read[1]

    return read


def position(value: object) -> Position:
    if not isinstance(value, str):
        raise reading.WrongTypeError("text")
    try:
        return position_from_id(value)
    except UnreadableId:
        raise reading.ImpossibleError("a Position ID") from None


def _make_claim(
    winner: Side,
    points: int | None = None,
    match: bool = False,  # noqa: FBT001, FBT002  # has the name of its field and is passed by keyword
) -> Claim:
    return Claim(winner, points, match, line=None)


def _with_required(reader: reading.Reader, *required: str) -> reading.Reader:
    """Refuses an object without these fields."""

    def read(value: object) -> Any:
        if isinstance(value, dict) and not value.keys() >= set(required):
            raise reading.ImpossibleError("an object with the fields " + " and ".join(required))
        return reader(value)

    return read


claim = _with_required(
    reading.record(
        _make_claim, {"winner": side, "points": reading.or_none(number), "match": reading.yes_or_no}
    ),
    "winner",
)
result = _with_required(
    reading.record(
        Game,
        {
            "winner": side,
            "win": win,
            "ending": reading.choice(Ending),
            "cube": number,
            "checkers_left": reading.or_none(number),
            "automatic_doubles": _FEW,
        },
    ),
    "winner",
)
penalty = _with_required(
    reading.record(
        Penalty,
        {
            "against": side,
            "points": number,
            "reason": line,
            "mid_game": reading.yes_or_no,
            "given_for": line,
        },
    ),
    "against",
    "points",
)
stated = reading.record(
    StatedRules,
    {
        "jacoby": reading.or_none(reading.yes_or_no),
        "beavers": reading.or_none(_FEW),
        "automatic_doubles": reading.or_none(_FEW),
        "crawford": reading.or_none(reading.yes_or_no),
    },
)

GAME: Mapping[str, reading.Reader] = MappingProxyType(
    {
        "number": reading.or_none(number),
        "score": reading.or_none(pair(number)),
        "crawford": reading.or_none(reading.yes_or_no),
        "automatic_doubles": reading.or_none(_FEW),
        "start": reading.or_none(position),
        "first": reading.or_none(side),
        "claim": reading.or_none(claim),
        "result": reading.or_none(result),
    }
)
RECORD: Mapping[str, reading.Reader] = MappingProxyType(
    {
        "length": reading.or_none(reading.whole_number(0, LONGEST_LENGTH)),
        "names": pair(line),
        "stated": stated,
        "tags": reading.several(pair(line), most=MOST_TAGS),
    }
)
