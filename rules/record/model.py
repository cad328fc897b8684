"""What a record says: every roll, play and cube action as somebody wrote it down. Nothing is judged here.

A `line` counts from 1; it is None in formats without lines.

A record has one of two depths, game by game: a *score card* gives each game's result alone, a *game
record* gives its actions. Both are this one model. What could not be read is a problem beside it.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from rules.board.moves import Play
from rules.board.position import Position
from rules.problem import Problem
from rules.score import Game, Penalty, Side, Win


class Format(StrEnum):
    MAT = "mat"
    SGF = "sgf"
    SNOWIE = "snowie"
    JSON = "json"
    XG = "xg"
    BGF = "bgf"
    UNKNOWN = "unknown"


class Roll(NamedTuple):
    """A throw of both dice and what was done with it.

    `dice` as thrown, in any order. `play` is () when nothing was written (a dance, or a game that ended
    right after the roll) and None when something was written that cannot be read or names no play.
    `says_pass` is set where the record says in words that nothing could be played.
    """

    side: Side
    dice: tuple[int, int]
    play: Play | None
    line: int | None
    says_pass: bool = False


class CubeStep(StrEnum):
    DOUBLE = "double"
    TAKE = "take"
    DROP = "drop"
    BEAVER = "beaver"


class CubeAction(NamedTuple):
    """A double, a redouble or an answer. `value` is the value of the cube as the record offers it."""

    side: Side
    step: CubeStep
    value: int | None
    line: int | None


class Resignation(NamedTuple):
    """`side` gives the game up and the other side accepts; `win` is what was given, None if not said."""

    side: Side
    win: Win | None
    line: int | None


Action = Roll | CubeAction | Resignation


class Claim(NamedTuple):
    """What the record itself says of a game's end; `points` as written, `is_last` for "and the match"."""

    winner: Side
    points: int | None
    is_last: bool
    line: int | None


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """One game. `score` is the score line above it, at `score_line`; `number` as written, at `line`.

    A score card's game has its `result` and no actions. `start` is set only where a record begins a game
    from another position than SET-1; `automatic_doubles` None means that the record does not tell.
    """

    number: int | None = None
    score: tuple[int, int] | None = None
    actions: tuple[Action, ...] = ()
    claim: Claim | None = None
    result: Game | None = None
    automatic_doubles: int | None = None
    is_crawford: bool | None = None
    start: Position | None = None
    first: Side | None = None
    line: int | None = None
    score_line: int | None = None


@dataclass(frozen=True, slots=True)
class StatedRules:
    """What a record says of the rules it was played by; None where it says nothing."""

    jacoby: bool | None = None
    beavers: int | None = None
    automatic_doubles: int | None = None
    crawford: bool | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """A match or a stake session. `length` None is stake play, 0 is a length that the record does not tell.

    `entries` are its games and, on a score card, penalties between them. `tags` are the headers as written.
    """

    format: Format
    length: int | None
    names: tuple[str, str] = ("", "")
    entries: tuple[RecordedGame | Penalty, ...] = ()
    stated: StatedRules = StatedRules()
    tags: tuple[tuple[str, str], ...] = ()
    problems: tuple[Problem, ...] = field(default=())

    @property
    def games(self) -> tuple[RecordedGame, ...]:
        return tuple(entry for entry in self.entries if isinstance(entry, RecordedGame))
