"""Splits a row into cells; `rows` assigns them to the sides.

A cell begins with the dice, or with a word of the cube or of the result.
"""

import re
from enum import Enum
from typing import NamedTuple

from rules.score import Win

TWO_ROLLS = re.compile(
    r"[ \t]*([0-9]{1,6})[).][ \t]*([1-6][1-6]):([^:?]*)(?<![0-9/*(])([1-6][1-6]):([^:?]*)$"
)
"""The most frequent row: number, dice, play, dice, play."""
ONE_ROLL = re.compile(r"[ \t]*([0-9]{1,6})[).]([ \t]*)([1-6][1-6]):([0-9/*() barofBAROF]*)$")
ROW = re.compile(r"[ \t]*([0-9]{1,6})[).](?:(?![0-9])|(?=[1-6][1-6]:))")

_HEAD = re.compile(
    r"(?<![\w/*(-])(?:([0-9])[ -]?([0-9])[ ]?:[ ]?(pass(?:es)?\b)?|"
    r"(redoubles?|doubles?|takes?|accepts?|drops?|passes|rejects?|declines?|refuses?|beavers?|raccoons?"
    r"|wins?|loss(?:es)?|loses?|lost|resign(?:s|ed)?|concede[sd]?)\b|(\?{2,}))",
    re.IGNORECASE,
)
_QUESTION_MARKS = "??"
_COLUMN_GAP = 4
_CUBE_VALUE = re.compile(r"\D{0,8}?([0-9]{1,9})\b")
_POINTS = re.compile(r"\D{0,20}?([0-9]{1,9})\b")
_PASS = re.compile(
    r"\(?(?:can(?:no|')?t (?:legally )?move|no (?:legal |possible )?(?:moves?|plays?)|danc(?:e|es|ed)"
    r"|fan(?:s|ned)?|pass(?:es)?|-{1,4})\)?[.!]?",
    re.IGNORECASE,
)


class Kind(Enum):
    ROLL = 0
    DOUBLE = 1
    TAKE = 2
    DROP = 3
    BEAVER = 4
    WINS = 5
    LOSES = 6
    RESIGNS = 7


_KINDS = {
    "re": Kind.DOUBLE,
    "do": Kind.DOUBLE,
    "ta": Kind.TAKE,
    "ac": Kind.TAKE,
    "dr": Kind.DROP,
    "pa": Kind.DROP,
    "rej": Kind.DROP,
    "ref": Kind.DROP,
    "de": Kind.DROP,
    "be": Kind.BEAVER,
    "ra": Kind.BEAVER,
    "wi": Kind.WINS,
    "lo": Kind.LOSES,
    "res": Kind.RESIGNS,
    "co": Kind.RESIGNS,
}


class Cell(NamedTuple):
    """`dice` are set for a roll; `text` follows the first word.

    `column` counts from 0; `gap` is the white space before the cell.
    """

    kind: Kind
    column: int
    dice: tuple[int, int]
    text: str
    gap: str = ""

    @property
    def is_question_marks(self) -> bool:
        """Question marks without dice: a resignation, or nothing was recorded."""
        return self.kind is Kind.RESIGNS and self.text == _QUESTION_MARKS


def cells(line: str, start: int) -> tuple[str, list[Cell]]:
    """The text before the first cell, and the cells of this line from `start` on."""
    heads = [head for head in _HEAD.finditer(line, start) if not head[5] or _is_cell(line, start, head)]
    if not heads:
        return line[start:].strip(), []
    ends = [head.start() for head in heads[1:]] + [len(line)]
    row_cells = [_cell(line, start, head, end) for head, end in zip(heads, ends, strict=True)]
    return line[start : heads[0].start()].strip(), row_cells


def is_column_gap(gap: str) -> bool:
    """True if this white space is wide enough to separate columns."""
    return len(gap) >= _COLUMN_GAP or "\t" in gap


def _is_cell(line: str, start: int, marks: re.Match[str]) -> bool:
    """Question marks directly after a roll belong to that roll."""
    return is_column_gap(_gap(line, start, marks)) or not line[start : marks.start()].strip()


def _gap(line: str, start: int, head: re.Match[str]) -> str:
    before = line[start : head.start()]
    return before[len(before.rstrip()) :]


def _cell(line: str, start: int, head: re.Match[str], end: int) -> Cell:
    gap, text = _gap(line, start, head), line[head.end() : end].strip()
    if head[5]:
        return Cell(Kind.RESIGNS, head.start(), (0, 0), _QUESTION_MARKS, gap)
    if head[4]:
        return Cell(_kind(head[4].lower()), head.start(), (0, 0), text, gap)
    dice = (int(head[1]), int(head[2]))
    if dice == (0, 0):
        return Cell(Kind.RESIGNS, head.start(), dice, _QUESTION_MARKS, gap)
    return Cell(Kind.ROLL, head.start(), dice, head[3] or text, gap)


def _kind(word: str) -> Kind:
    return _KINDS.get(word[:3]) or _KINDS[word[:2]]


def says_pass(text: str) -> bool:
    """True if these words say that no play was possible."""
    return _PASS.fullmatch(" ".join(text.split())) is not None


def cube_value(text: str) -> int | None:
    """The value after "Doubles" and similar words: "=> 4", "==> 4", "to 4"."""
    match = _CUBE_VALUE.match(text)
    return int(match[1]) if match else None


def points(text: str) -> int | None:
    match = _POINTS.match(text)
    return int(match[1]) if match else None


def is_last(text: str) -> bool:
    return "match" in text.lower()


def resigned_win(text: str) -> Win | None:
    """The kind of win that was given, if the text names it."""
    lowered = text.lower()
    if "backgammon" in lowered:
        return Win.BACKGAMMON
    if "gammon" in lowered:
        return Win.GAMMON
    return Win.SINGLE if "single" in lowered else None
