"""Which player of a match is which column of a record, and whether the record's score is the reported one. Pure.

Names in a file are whatever a program or a player wrote there, and the columns may be swapped. Names decide where
they fit one way only; else the score is tried both ways; the desk may say it outright.
"""

import unicodedata
from dataclasses import dataclass
from enum import StrEnum

from rules.score import Side
from tournament.runtime.text import key

Points = tuple[int, int]
Names = tuple[str, str]
LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"})


class Basis(StrEnum):
    """How it is known who the file's left player is."""

    DESK = "desk"
    NAMES = "names"
    SCORE = "score"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Told:
    """What a record says, its left column first. `said` is the side that the desk named for that column."""

    names: Names
    score: Points
    is_finished: bool
    said: Side | None = None


@dataclass(frozen=True, slots=True)
class Compared:
    """`left_is` is the side of the match in the file's left column, None where nothing tells.

    `score` is the record's, in the order of the match where that is known, else as in the file. `agrees` is None
    where nothing is reported yet.
    """

    left_is: Side | None
    basis: Basis
    score: Points
    agrees: bool | None


def compare(told: Told, entries: Names, reported: Points | None) -> Compared:
    """The record beside the reported score; `entries` are the names of the match's left and right player."""
    if told.said is not None:
        return _seen_as(told, told.said, Basis.DESK, reported)
    named = _by_names(told.names, entries)
    if named is not None:
        return _seen_as(told, named, Basis.NAMES, reported)
    if reported is None:
        return Compared(None, Basis.NOTHING, told.score, None)
    fitting = [side for side in Side if _fits(told, side, reported)]
    if len(fitting) == 1:
        return _seen_as(told, fitting[0], Basis.SCORE, reported)
    return Compared(None, Basis.NOTHING, told.score, bool(fitting))


def is_named_like(written: str, name: str) -> bool:
    """Whether a name in a file can be this player's: all words of the shorter one stand in the longer."""
    one, other = _words(written), _words(name)
    return bool(one and other) and (one <= other or other <= one)


def _by_names(written: Names, entries: Names) -> Side | None:
    straight = is_named_like(written[0], entries[0]) or is_named_like(written[1], entries[1])
    crossed = is_named_like(written[0], entries[1]) or is_named_like(written[1], entries[0])
    if straight == crossed:
        return None
    return Side.LEFT if straight else Side.RIGHT


def _seen_as(told: Told, left_is: Side, basis: Basis, reported: Points | None) -> Compared:
    agrees = None if reported is None else _fits(told, left_is, reported)
    return Compared(left_is, basis, _ordered(told.score, left_is), agrees)


def _fits(told: Told, left_is: Side, reported: Points) -> bool:
    """A record that stops before the end fits a score that could still be reached from there."""
    left, right = _ordered(told.score, left_is)
    if told.is_finished:
        return (left, right) == reported
    return left <= reported[0] and right <= reported[1]


def _ordered(score: Points, left_is: Side) -> Points:
    return score if left_is is Side.LEFT else (score[1], score[0])


def _words(name: str) -> frozenset[str]:
    """The words of a name without case and accents."""
    parts = unicodedata.normalize("NFKD", key(name).translate(LETTERS))
    bare = "".join(
        letter if letter.isalnum() else " " for letter in parts if not unicodedata.combining(letter)
    )
    return frozenset(bare.split())
