"""Parses the lines of a text record without rolls: headers, length, game headings, score lines.

Each function takes one line and returns its content, or None. There is no state, and no pattern backtracks.
"""

import re
from typing import NamedTuple

from rules.record.texts import one_line

_TAG = re.compile(r"[;#/\s]*+\[\s*+([^\"\]\s](?:[^\"\]]{0,59}?))\s*+\"(.*)\"\s*+(?:\]\s*+)?$")
_LENGTH = re.compile(
    r"\s*+(?:match\s*+(?:to|length)\s*+(?::\s*+)?([0-9]{1,6})\b"
    r"|([0-9]{1,6})\s*+(?:-\s*+)?(?:points?|pts?\.?)\s*+match\b)",
    re.IGNORECASE,
)
_STAKE_PLAY = re.compile(r"\s*+(?:money|unlimited)\s*+(?:match|session|game)\b", re.IGNORECASE)
_GAME = re.compile(
    r"\s*+game\s*+(?>(?:#|number|no\.?)\s*+)?(?>([0-9]{1,6})\s*+)?(?>[:.]\s*+)?$", re.IGNORECASE
)
_LEFT_SCORE = re.compile(r":[ \t]*([0-9]{1,6})(?=[ \t]|$)")
_SCORE = re.compile(r"[ \t]*[0-9]{1,6}")
_RATING = re.compile(r",[ ]?[0-9]{3,4}(?:\.[0-9]{1,2})?$")
_LONGEST_NAME = 100
_LONGEST_KEY = 60
_LONGEST_VALUE = 300
_NARROWEST_GAP = 3
"""With fewer blanks between its columns a score line does not show where the columns are."""
_WIDEST_MARGIN = 18
"""No left cell begins at or after this column, however far a long name moves the right one."""


class ScoreLine(NamedTuple):
    """`middle`: a row's only cell at or after this column is in the right column.

    `right`: the column where the right player's name begins; None if blanks do not separate the columns.
    """

    names: tuple[str, str]
    score: tuple[int, int]
    middle: int
    right: int | None = None


def tag(line: str) -> tuple[str, str] | None:
    """A header's key and value, as in ; [Player 1 "Name"]."""
    match = _TAG.match(line)
    return (one_line(match[1], _LONGEST_KEY).strip(), one_line(match[2], _LONGEST_VALUE)) if match else None


def length(line: str) -> int | None:
    """The match length that this line announces, 0 for stake play."""
    match = _LENGTH.match(line)
    if match:
        return int(match[1] or match[2])
    return 0 if _STAKE_PLAY.match(line) else None


def game_heading(line: str) -> tuple[int | None] | None:
    """The number of the game that begins here, in a tuple because some headings have none."""
    match = _GAME.match(line)
    return (int(match[1]) if match[1] else None,) if match else None


def score_line(line: str) -> ScoreLine | None:
    """Both names and scores. A name may contain anything, colons and numbers too, or be empty."""
    line = line.rstrip()
    head, colon, right_score = line.rpartition(":")
    if not colon or not _SCORE.fullmatch(right_score):
        return None
    left_score = max(_LEFT_SCORE.finditer(head), key=lambda match: _blanks(head, match.end()), default=None)
    if left_score is None:
        return None
    gap = _blanks(head, left_score.end())
    right = head[left_score.end() :].strip()
    column = left_score.end() + gap if right else len(head)
    names = (_name(head[: left_score.start()]), _name(right))
    has_columns = gap >= _NARROWEST_GAP
    middle = min(column // 2 + 2, _WIDEST_MARGIN) if has_columns else _WIDEST_MARGIN
    return ScoreLine(names, (int(left_score[1]), int(right_score)), middle, column if has_columns else None)


def _blanks(text: str, start: int) -> int:
    return len(text) - start - len(text[start:].lstrip())


def _name(text: str) -> str:
    return _RATING.sub("", one_line(text, _LONGEST_NAME).strip())
