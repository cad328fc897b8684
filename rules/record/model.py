"""The content of a record: every roll, play and cube action as written. Nothing is judged here.

A `line` counts from 1; it is None in formats without lines. Game by game a record is either a *score card* with
each game's result alone, or a *game record* with its actions. Both use this model. Unreadable parts are
problems.
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
    """A throw of both dice and its play.

    `dice` as thrown, in any order. `play` is () when nothing was written (a dance, or a game that ended right
    after the roll) and None when the written text cannot be read or names no play. `says_pass` is set where the
    record says in words that no play was possible.
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
    """A double, a redouble or an answer. `value` is the offered value of the cube, as written."""

    side: Side
    step: CubeStep
    value: int | None
    line: int | None


class Resignation(NamedTuple):
    """`side` gives the game up and the other side accepts; `win` is the kind of win, None if unknown."""

    side: Side
    win: Win | None
    line: int | None


Action = Roll | CubeAction | Resignation


class Claim(NamedTuple):
    """The record's own statement of a game's end; `points` as written, `is_last` for "and the match"."""

    winner: Side
    points: int | None
    is_last: bool
    line: int | None


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """One game. `score` is the score line above it, at `score_line`; `number` as written, at `line`.

    A score card's game has a `result` and no actions. `start` is set only if the game does not begin from
    SET-1; `automatic_doubles` None means unknown.
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
    """The rules that a record states; None where it states nothing."""

    jacoby: bool | None = None
    beavers: int | None = None
    automatic_doubles: int | None = None
    crawford: bool | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """A match or a stake session. `length` None is stake play, 0 is an unknown length.

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
