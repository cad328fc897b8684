"""Parses and formats plays: 24/18*/13, bar/20, 6/off, 13/7(2), and the variants of backgammon sites.

Legality is not checked here.
"""

import re
from functools import lru_cache

from rules.board.moves import Move, Play
from rules.board.position import BAR, OFF

_LONGEST_TEXT = 200
_MOST_MOVES = 16
_MOVE = re.compile(
    r"(bar|b|[0-9]{1,2})((?:[/-](?:off|o|[0-9]{1,2})\*?){1,8})(?:\(([1-9])\))?(\*?)", re.IGNORECASE
)
_LANDING = re.compile(r"(off|o|[0-9]{1,2})(\*?)", re.IGNORECASE)
_LOOSE_BLANKS = re.compile(r"[ \t]*([/(*-])[ \t]*")
_SEPARATORS = re.compile(r"[ \t,;]+")
_POINT_NAMES = {"bar": BAR, "b": BAR, "off": OFF, "o": OFF}


def parse_play(text: str) -> Play | None:
    """The moves of a play in the order written; None if the text is not a play.

    Each landing that is named becomes a move; merged moves stay merged; "(2)" repeats all moves of the checker.
    Upper and lower case are the same; 25 is the bar and 0 is off. An empty text is a play of no moves.
    """
    return _parse(text) if len(text) <= _LONGEST_TEXT else None


def format_play(play: Play) -> str:
    """The play in the usual notation, repeated moves counted: bar/20 13/7*(2) 6/off."""
    words: list[str] = []
    index = 0
    while index < len(play):
        end = index + 1
        while end < len(play) and play[end] == play[index]:
            end += 1
        count = f"({end - index})" if end - index > 1 else ""
        words.append(format_move(play[index]) + count)
        index = end
    return " ".join(words)


def format_move(move: Move) -> str:
    start = "bar" if move.start == BAR else str(move.start)
    end = "off" if move.end == OFF else str(move.end)
    return f"{start}/{end}{'*' if move.hits else ''}"


@lru_cache(maxsize=16_384)
def _parse(text: str) -> Play | None:
    moves: list[Move] = []
    for word in text.split():
        word_moves = _moves(word)
        if word_moves is None:
            return _parse_loosely(text)
        moves += word_moves
    return tuple(moves) if len(moves) <= _MOST_MOVES else None


def _parse_loosely(text: str) -> Play | None:
    """Parses text with extra blanks and with commas or semicolons between the moves."""
    tight = _LOOSE_BLANKS.sub(_strip_blanks, text.strip())
    moves: list[Move] = []
    for word in _SEPARATORS.split(tight):
        word_moves = _moves(word) if word else ()
        if word_moves is None:
            return None
        moves += word_moves
    return tuple(moves) if len(moves) <= _MOST_MOVES else None


def _strip_blanks(sign: re.Match[str]) -> str:
    return sign[1] + (" " if sign[1] == "*" and sign[0][-1:].isspace() else "")


@lru_cache(maxsize=8_192)
def _moves(word: str) -> tuple[Move, ...] | None:
    """The moves of one checker, or of several with a count; None if the word is neither."""
    match = _MOVE.fullmatch(word)
    if match is None:
        return None
    moves: list[Move] = []
    start = _point(match[1])
    for landing, star in _LANDING.findall(match[2]):
        moves.append(Move(start, _point(landing), bool(star)))
        start = moves[-1].end
    if match[4]:
        moves[-1] = moves[-1]._replace(hits=True)
    if any(not OFF < move.start <= BAR or move.end >= BAR for move in moves):
        return None
    return tuple(moves) * int(match[3] or 1)


def _point(text: str) -> int:
    return _POINT_NAMES[text.lower()] if text[0].isalpha() else int(text)
