"""Reads Snowie's text format: one position a line, forty fields separated by semicolons.

Several lines are a game or a match; the actions are inferred from the differences between lines. A match that
Snowie writes move by move is a text match record and belongs to that reader.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from rules.board.position import BAR, Position
from rules.record.differences import play_between
from rules.record.model import (
    Action,
    Claim,
    CubeAction,
    CubeStep,
    Format,
    Record,
    RecordedGame,
    Roll,
    StatedRules,
)
from rules.record.notes import Notes
from rules.record.texts import one_line
from rules.ruleset import CHECKERS
from rules.score import Side

MOST_LINES = 20_000
_FIELDS = 40
_BEFORE_NAMES = 5
_LONGEST_LINE = 1_000
_LONGEST_NAME = 100
_DIE = range(1, 7)
_CENTRED = {1 << doubles: doubles for doubles in range(7)}
_SIDES = (Side.LEFT, Side.RIGHT)
_BEGINS = re.compile(
    r"[\s\ufeff]*+[0-9]{1,6};[01];[0-9]{1,3};[01];[01];[^\n]{0,400}?(?:;-?[0-9]{1,2}){29,32}"
)
_NUMBER = re.compile(r"-?[0-9]{1,7}")


class PositionLine(NamedTuple):
    """One line. `position` is as `turn` sees it; `names` and `score` are left and right."""

    line: int
    length: int
    is_jacoby: bool
    turn: Side
    names: tuple[str, str]
    is_crawford: bool
    score: tuple[int, int]
    cube: int
    owner: Side | None
    position: Position
    dice: tuple[int, int] | None

    @property
    def by_side(self) -> dict[Side, bytes]:
        return {self.turn: self.position.mine, self.turn.other: self.position.theirs}


def looks_like_snowie(text: str) -> bool:
    """True if the first line of this text is a position in Snowie's format."""
    return _BEGINS.match(text[:_LONGEST_LINE]) is not None


def read_snowie(text: str) -> Record:
    """Never raises."""
    notes = Notes()
    lines = _lines_of_the_first_match(list(_position_lines(text, notes)), notes)
    if not lines:
        notes.report("not_a_record")
        return Record(Format.SNOWIE, 0, problems=tuple(notes.problems))
    first = lines[0]
    games = _games(lines)
    entries = tuple(_game(game, number, notes) for number, game in enumerate(games, 1))
    return Record(
        format=Format.SNOWIE,
        length=first.length or None,
        names=first.names,
        entries=tuple(_with_claims(entries, games)),
        stated=StatedRules(
            jacoby=None if first.length else first.is_jacoby,
            crawford=any(position_line.is_crawford for position_line in lines) or None,
        ),
        problems=tuple(notes.problems),
    )


def _position_lines(text: str, notes: Notes) -> Iterator[PositionLine]:
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n", MOST_LINES)
    for number, line in enumerate(lines[:MOST_LINES], 1):
        if not line.strip():
            continue
        position_line = _position_line(line, number) if len(line) <= _LONGEST_LINE else None
        if position_line is None:
            notes.report("line_not_understood", line=number, text=line)
        else:
            yield position_line
    if len(lines) > MOST_LINES:
        notes.report("too_many_lines", line=MOST_LINES, lines=MOST_LINES)


def _position_line(line: str, number: int) -> PositionLine | None:
    """Fields before and after the names are counted from their end of the line: a name may contain a semicolon."""
    fields = line.strip().removesuffix(";").split(";")
    extra = len(fields) - _FIELDS
    if extra < 0:
        return None
    fields_before_names, own_name = fields[:_BEFORE_NAMES], fields[_BEFORE_NAMES]
    other_name = ";".join(fields[_BEFORE_NAMES + 1 : _BEFORE_NAMES + 2 + extra])
    numbers = [field.strip() for field in fields_before_names + fields[_BEFORE_NAMES + 2 + extra :]]
    if not all(_NUMBER.fullmatch(field) for field in numbers):
        return None
    length, jacoby, _, _, turn, crawford, own_score, other_score, cube, owner, *rest = map(int, numbers)
    position = _position(rest[:-2])
    if position is None or turn not in (0, 1) or min(length, own_score, other_score) < 0:
        return None
    names = one_line(own_name, _LONGEST_NAME).strip(), one_line(other_name, _LONGEST_NAME).strip()
    side = _SIDES[turn]
    return PositionLine(
        line=number,
        length=length,
        is_jacoby=jacoby == 1,
        turn=side,
        names=names if turn == 0 else names[::-1],
        is_crawford=crawford == 1,
        score=(own_score, other_score) if turn == 0 else (other_score, own_score),
        cube=cube,
        owner={1: side, -1: side.other}.get(owner),
        position=position,
        dice=(rest[-2], rest[-1]) if rest[-2] in _DIE and rest[-1] in _DIE else None,
    )


def _position(counts: Sequence[int]) -> Position | None:
    """From the bar of the side on roll over its 24 points to the other bar; the other side's checkers are negative."""
    mine, theirs = [0] * (BAR + 1), [0] * (BAR + 1)
    mine[BAR], theirs[BAR] = abs(counts[0]), abs(counts[-1])
    for point, count in enumerate(counts[1:-1], 1):
        if count < 0:
            theirs[BAR - point] = -count
        else:
            mine[point] = count
    if max(sum(mine), sum(theirs)) > CHECKERS:
        return None
    position = Position(bytes(mine), bytes(theirs))
    return None if position.problem else position


def _lines_of_the_first_match(lines: list[PositionLine], notes: Notes) -> list[PositionLine]:
    for index, position_line in enumerate(lines):
        if (position_line.length, position_line.names) != (lines[0].length, lines[0].names):
            notes.report("second_match", line=position_line.line)
            return lines[:index]
    return lines


def _games(lines: list[PositionLine]) -> list[list[PositionLine]]:
    """A new game begins with a new score, or when all checkers are back at the start."""
    games: list[list[PositionLine]] = []
    for position_line in lines:
        last = games[-1][-1] if games else None
        is_new = last is None or position_line.score != last.score
        if is_new or (last is not None and _is_start(position_line) and not _is_start(last)):
            games.append([])
        games[-1].append(position_line)
    return games


def _is_start(position_line: PositionLine) -> bool:
    return position_line.position == Position.start()


def _game(lines: list[PositionLine], number: int, notes: Notes) -> RecordedGame:
    first = lines[0]
    if first.owner is not None or first.cube not in _CENTRED:
        notes.report("cube_set_by_hand", game=number, line=first.line)
    actions = [action for line, following in pairwise(lines) for action in _actions_between(line, following)]
    if lines[-1].dice is not None:
        actions.append(Roll(lines[-1].turn, lines[-1].dice, (), lines[-1].line))
    return RecordedGame(
        number=number,
        score=first.score,
        actions=tuple(actions),
        automatic_doubles=_CENTRED.get(first.cube, 0) if first.owner is None else 0,
        is_crawford=first.is_crawford if first.length > 1 else None,
        start=None if _is_start(first) else first.position,
        first=None if _is_start(first) else first.turn,
        line=first.line,
        score_line=first.line,
    )


def _actions_between(line: PositionLine, following: PositionLine) -> Iterator[Action]:
    """The actions between two lines: a roll played, a double taken."""
    if line.dice is not None:
        after = Position(following.by_side[line.turn], following.by_side[line.turn.other])
        play = None if following.turn is line.turn else play_between(line.position, after, line.dice)
        yield Roll(line.turn, line.dice, play, line.line)
    if following.cube == 2 * line.cube and following.owner is not None:
        yield CubeAction(following.owner.other, CubeStep.DOUBLE, following.cube, following.line)
        yield CubeAction(following.owner, CubeStep.TAKE, None, following.line)


def _with_claims(
    entries: tuple[RecordedGame, ...], games: list[list[PositionLine]]
) -> Iterator[RecordedGame]:
    """Pairs each game except the last with its points, inferred from the next game's starting score."""
    for entry, game, following in zip(entries, games, games[1:], strict=False):
        left, right = (
            after - before for before, after in zip(game[0].score, following[0].score, strict=True)
        )
        if min(left, right) == 0 < max(left, right):
            winner = Side.LEFT if left else Side.RIGHT
            yield replace(entry, claim=Claim(winner, max(left, right), is_last=False, line=following[0].line))
        else:
            yield entry
    yield entries[-1]
