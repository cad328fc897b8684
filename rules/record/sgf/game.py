"""Builds one game of a file in the Smart Game Format, node by node."""

import re
from collections.abc import Mapping
from types import MappingProxyType

from rules.board.position import Position
from rules.record.model import (
    Action,
    Claim,
    CubeAction,
    CubeStep,
    RecordedGame,
    Resignation,
    Roll,
)
from rules.record.notes import Notes
from rules.record.sgf.points import SIDES, point, roll
from rules.ruleset import CHECKERS
from rules.score import Side

_ANSWERS: Mapping[str, CubeStep] = MappingProxyType({"take": CubeStep.TAKE, "drop": CubeStep.DROP})
_RESULT = re.compile(r"\s*([WB])\+([0-9]{1,6})?(R(?:esign)?)?\s*$", re.IGNORECASE)
_OWNERS = ("b", "w")
_LARGEST_STAKE = 64


class GameBuilder:
    """`ordinal` counts games from 1; the reader of the root node sets `number`, `score` and the marks."""

    def __init__(self, ordinal: int, line: int, notes: Notes) -> None:
        self.ordinal, self.line, self.notes = ordinal, line, notes
        self.number: int | None = None
        self.score: tuple[int, int] | None = None
        self.is_crawford: bool | None = None
        self.automatic_doubles: int | None = None
        self.actions: list[Action] = []
        self.result: tuple[str, int] | None = None
        self._doubler: Side | None = None
        self._board: dict[Side, bytearray] | None = None
        self._first: Side | None = None
        self._dice: tuple[int, int] | None = None
        self._is_off_board = False
        self._has_left_board = False

    def add_action(self, side: Side, value: str, line: int) -> None:
        """Adds the value of a move node: a roll with its play, or a cube action."""
        written_roll = roll(value, side)
        if written_roll is None:
            self._turn_cube(side, value.strip().lower(), line)
            return
        self._doubler = self._dice = None
        if written_roll.play is None:
            self.report("play_not_understood", line, text=value)
        play = None if self._is_off_board else written_roll.play
        self._is_off_board = self._has_left_board = False
        self.actions.append(Roll(side, written_roll.dice, play, line))

    def _turn_cube(self, side: Side, word: str, line: int) -> None:
        """A double while the other side's double is unanswered is a beaver."""
        if word == "double":
            is_beaver = self._doubler is side.other
            self.actions.append(
                CubeAction(side, CubeStep.BEAVER if is_beaver else CubeStep.DOUBLE, None, line)
            )
            self._doubler = side
        elif word in _ANSWERS:
            self.actions.append(CubeAction(side, _ANSWERS[word], None, line))
            self._doubler = None
        else:
            self.report("cell_not_understood", line, text=word)

    def apply_setup(self, name: str, values: list[str], line: int) -> None:
        """A property that sets the checkers, the dice, the turn or the cube by hand."""
        if name in ("AE", "AW", "AB"):
            self._set_checkers(name, values, line)
        elif name == "PL":
            self._first = SIDES.get(values[0].strip().upper()[:1], self._first)
        elif name == "DI":
            written_roll = roll(values[0][:2], Side.LEFT)
            self._dice = written_roll.dice if written_roll else None
        elif name == "CV":
            self._set_cube(values[0].strip(), line)
        elif name in ("CO", "CP") and values[0].strip().lower() in _OWNERS:
            self.report("cube_set_by_hand", line)

    def _set_checkers(self, name: str, values: list[str], line: int) -> None:
        if self.actions:
            self._lose_board(line)
            return
        if self._board is None:
            self._board = {side: bytearray(Position.start().mine) for side in Side}
        for value in values:
            if name == "AE":
                self._clear(value)
            else:
                self._add(SIDES[name[1]], value)

    def _lose_board(self, line: int) -> None:
        """Checkers were set by hand in mid-game, perhaps to play the dice that were set before."""
        if self._has_left_board:
            return
        self._has_left_board = True
        self.report("board_set_by_hand", line)
        if self._dice and self._first:
            self.actions.append(Roll(self._first, self._dice, None, line))
            self._dice = None
        else:
            self._is_off_board = True

    def _clear(self, value: str) -> None:
        """Clears one point, or the points from one letter to another."""
        first, _, last = value.strip().lower().partition(":")
        for code in range(ord(first[:1] or "z"), ord((last or first)[:1] or "a") + 1):
            for side in Side:
                point_number = point(chr(code), side)
                if point_number:
                    self._checkers(side)[point_number] = 0

    def _add(self, side: Side, letter: str) -> None:
        point_number = point(letter.strip().lower(), side)
        if point_number and self._checkers(side)[point_number] < CHECKERS:
            self._checkers(side)[point_number] += 1

    def _checkers(self, side: Side) -> bytearray:
        assert self._board is not None  # noqa: S101  # set before checkers are added
        return self._board[side]

    def _set_cube(self, value: str, line: int) -> None:
        """A cube value before the first action means automatic doubles (OPEN-4)."""
        stake = int(value) if value.isdecimal() and len(value) < 6 else 0
        if not self.actions and 0 < stake <= _LARGEST_STAKE and not stake & (stake - 1):
            self.automatic_doubles = stake.bit_length() - 1
        else:
            self.report("cube_set_by_hand", line)

    def report(self, code: str, line: int, **params: str) -> None:
        self.notes.report(code, game=self.ordinal, line=line, **params)

    def build(self) -> RecordedGame:
        claim = self._claim()
        start, first = self._start()
        return RecordedGame(
            number=self.number,
            score=self.score,
            actions=tuple(self.actions),
            claim=claim,
            automatic_doubles=self.automatic_doubles,
            is_crawford=self.is_crawford,
            start=start,
            first=first,
            line=self.line,
            score_line=self.line if self.score else None,
        )

    def _claim(self) -> Claim | None:
        """The claim in the game's result; a resignation in it becomes the last action."""
        result = _RESULT.match(self.result[0]) if self.result else None
        if result is None or self.result is None:
            return None
        winner, points = SIDES[result[1].upper()], int(result[2]) if result[2] else None
        if result[3] and not (self.actions and _is_drop(self.actions[-1])):
            self.actions.append(Resignation(winner.other, None, self.result[1]))
        return Claim(winner, points, is_last=False, line=self.result[1])

    def _start(self) -> tuple[Position | None, Side | None]:
        """The start of the game if it is not SET-1, as the side to move sees it."""
        if self._board is None:
            return None, None
        first = self._first or (self.actions[0].side if self.actions else Side.LEFT)
        start = Position(bytes(self._board[first]), bytes(self._board[first.other]))
        if start == Position.start():
            return None, None
        if start.problem:
            self.report("impossible_start", self.line)
            return None, None
        return start, first


def _is_drop(action: Action) -> bool:
    return isinstance(action, CubeAction) and action.step is CubeStep.DROP
