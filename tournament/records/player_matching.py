"""Matches the columns of a game record with the players of a match, and compares the scores. Pure.

Names in a file are unreliable and the columns may be swapped. Names decide if they fit one way only; otherwise the
score is tried both ways. The desk can set the side.
"""

import unicodedata
from dataclasses import dataclass
from enum import StrEnum

from rules.score import Side
from tournament.runtime.text import comparison_key

Points = tuple[int, int]
Names = tuple[str, str]
LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"})


class Basis(StrEnum):
    """The evidence for the side of the file's left player."""

    DESK = "desk"
    NAMES = "names"
    SCORE = "score"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class RecordHeader:
    """The names and score of a record, its left column first. `said` is the side that the desk set for that column."""

    names: Names
    score: Points
    is_finished: bool
    left_by_desk: Side | None = None


@dataclass(frozen=True, slots=True)
class PlayerMatch:
    """`left_player` is the side of the match in the file's left column, None if unknown.

    `score` is the record's, in the order of the match if that is known, else as in the file. `agrees` is None if no
    result is reported.
    """

    left_player: Side | None
    basis: Basis
    score: Points
    agrees: bool | None


def match_players(header: RecordHeader, entries: Names, reported: Points | None) -> PlayerMatch:
    """Finds the side of the record's left player: by the desk's word, by names, then by the reported score.

    `entries` are the names of the match's left and right player.
    """
    if header.left_by_desk is not None:
        return _matched(header, header.left_by_desk, Basis.DESK, reported)
    left_player = _left_by_names(header.names, entries)
    if left_player is not None:
        return _matched(header, left_player, Basis.NAMES, reported)
    if reported is None:
        return PlayerMatch(None, Basis.NOTHING, header.score, None)
    fitting_sides = [side for side in Side if _fits(header, side, reported)]
    if len(fitting_sides) == 1:
        return _matched(header, fitting_sides[0], Basis.SCORE, reported)
    return PlayerMatch(None, Basis.NOTHING, header.score, bool(fitting_sides))


def is_named_like(written: str, name: str) -> bool:
    """True if all words of the shorter name occur in the longer one."""
    file_words, player_words = _words(written), _words(name)
    return bool(file_words and player_words) and (file_words <= player_words or player_words <= file_words)


def _left_by_names(written: Names, entries: Names) -> Side | None:
    straight = is_named_like(written[0], entries[0]) or is_named_like(written[1], entries[1])
    crossed = is_named_like(written[0], entries[1]) or is_named_like(written[1], entries[0])
    if straight == crossed:
        return None
    return Side.LEFT if straight else Side.RIGHT


def _matched(header: RecordHeader, left_player: Side, basis: Basis, reported: Points | None) -> PlayerMatch:
    agrees = None if reported is None else _fits(header, left_player, reported)
    return PlayerMatch(left_player, basis, _by_side(header.score, left_player), agrees)


def _fits(header: RecordHeader, left_player: Side, reported: Points) -> bool:
    """An unfinished record fits every score that can still be reached from it."""
    left, right = _by_side(header.score, left_player)
    if header.is_finished:
        return (left, right) == reported
    return left <= reported[0] and right <= reported[1]


def _by_side(score: Points, left_player: Side) -> Points:
    return score if left_player is Side.LEFT else (score[1], score[0])


def _words(name: str) -> frozenset[str]:
    """The words of a name without case and accents."""
    parts = unicodedata.normalize("NFKD", comparison_key(name).translate(LETTERS))
    bare = "".join(
        letter if letter.isalnum() else " " for letter in parts if not unicodedata.combining(letter)
    )
    return frozenset(bare.split())
