"""Reads Snowie's own text: one position a line, its forty fields parted by semicolons.

Several lines are a game or a match, and what was played is what lies between one line and the next.
A match that Snowie writes move by move is a text match record and goes to the reader of those.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from rules.board.position import BAR, CHECKERS, Position
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
    Stated,
)
from rules.record.notes import Notes
from rules.record.texts import one_line
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


class Shot(NamedTuple):
    """One line. `position` is seen by `turn`; `names` and `score` are left and right."""

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
    """Whether the first line of this text is a position in Snowie's own text."""
    return _BEGINS.match(text[:_LONGEST_LINE]) is not None


def read_snowie(text: str) -> Record:
    """The record that these lines are. Never raises."""
    notes = Notes()
    shots = _of_one_match(list(_shots(text, notes)), notes)
    if not shots:
        notes.report("not_a_record")
        return Record(Format.SNOWIE, 0, problems=tuple(notes.problems))
    first = shots[0]
    games = _games(shots)
    entries = tuple(_game(game, number, notes) for number, game in enumerate(games, 1))
    return Record(
        format=Format.SNOWIE,
        length=first.length or None,
        names=first.names,
        entries=tuple(_claimed(entries, games)),
        stated=Stated(
            jacoby=None if first.length else first.is_jacoby,
            crawford=any(shot.is_crawford for shot in shots) or None,
        ),
        problems=tuple(notes.problems),
    )


def _shots(text: str, notes: Notes) -> Iterator[Shot]:
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n", MOST_LINES)
    for number, line in enumerate(lines[:MOST_LINES], 1):
        if not line.strip():
            continue
        shot = _shot(line, number) if len(line) <= _LONGEST_LINE else None
        if shot is None:
            notes.report("line_not_understood", line=number, text=line)
        else:
            yield shot
    if len(lines) > MOST_LINES:
        notes.report("too_many_lines", line=MOST_LINES, lines=MOST_LINES)


def _shot(line: str, number: int) -> Shot | None:
    """The first and the last fields are counted from their ends of the line: a name may hold a semicolon."""
    fields = line.strip().removesuffix(";").split(";")
    extra = len(fields) - _FIELDS
    if extra < 0:
        return None
    head, own_name = fields[:_BEFORE_NAMES], fields[_BEFORE_NAMES]
    other_name = ";".join(fields[_BEFORE_NAMES + 1 : _BEFORE_NAMES + 2 + extra])
    told = [field.strip() for field in head + fields[_BEFORE_NAMES + 2 + extra :]]
    if not all(_NUMBER.fullmatch(field) for field in told):
        return None
    length, jacoby, _, _, turn, crawford, own_score, other_score, cube, owner, *rest = map(int, told)
    position = _position(rest[:-2])
    if position is None or turn not in (0, 1) or min(length, own_score, other_score) < 0:
        return None
    names = one_line(own_name, _LONGEST_NAME).strip(), one_line(other_name, _LONGEST_NAME).strip()
    side = _SIDES[turn]
    return Shot(
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
    """From the bar of the side on roll over its 24 points to the other's bar; the other's checkers are negative."""
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


def _of_one_match(shots: list[Shot], notes: Notes) -> list[Shot]:
    for place, shot in enumerate(shots):
        if (shot.length, shot.names) != (shots[0].length, shots[0].names):
            notes.report("second_match", line=shot.line)
            return shots[:place]
    return shots


def _games(shots: list[Shot]) -> list[list[Shot]]:
    """A new game begins with a new score, or when all the checkers are back where games begin."""
    games: list[list[Shot]] = []
    for shot in shots:
        last = games[-1][-1] if games else None
        is_new = last is None or shot.score != last.score
        if is_new or (last is not None and _is_start(shot) and not _is_start(last)):
            games.append([])
        games[-1].append(shot)
    return games


def _is_start(shot: Shot) -> bool:
    return shot.position == Position.start()


def _game(shots: list[Shot], number: int, notes: Notes) -> RecordedGame:
    first = shots[0]
    if first.owner is not None or first.cube not in _CENTRED:
        notes.report("cube_set_by_hand", game=number, line=first.line)
    actions = [action for one, other in pairwise(shots) for action in _between(one, other)]
    if shots[-1].dice is not None:
        actions.append(Roll(shots[-1].turn, shots[-1].dice, (), shots[-1].line))
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


def _between(one: Shot, other: Shot) -> Iterator[Action]:
    """What was done between one line and the next: a roll played, a double taken."""
    if one.dice is not None:
        after = Position(other.by_side[one.turn], other.by_side[one.turn.other])
        play = None if other.turn is one.turn else play_between(one.position, after, one.dice)
        yield Roll(one.turn, one.dice, play, one.line)
    if other.cube == 2 * one.cube and other.owner is not None:
        yield CubeAction(other.owner.other, CubeStep.DOUBLE, other.cube, other.line)
        yield CubeAction(other.owner, CubeStep.TAKE, None, other.line)


def _claimed(entries: tuple[RecordedGame, ...], games: list[list[Shot]]) -> Iterator[RecordedGame]:
    """Each game but the last with what it brought, by the score of the next."""
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
