"""Rows with more in them than two rolls: the cube, results, question marks, a single cell, plain rubbish."""

import re

from rules.board.notation import parse_play
from rules.record.model import Roll
from rules.record.notes import Notes
from rules.record.text.cells import Cell, Kind, cells, says_pass
from rules.record.text.game import GrowingGame
from rules.score import Side

_QUESTION_MARKS = re.compile(r"\?{2,}")
_RESULTS = (Kind.WINS, Kind.LOSES)
_PIPS = range(1, 7)
_CELLS = 2


def read_row(notes: Notes, game: GrowingGame, line: str, start: int, number: int) -> None:
    """A numbered row, from behind its number."""
    before, found = cells(line, start)
    if before:
        notes.report("cell_not_understood", game=game.place, line=number, text=before)
    acting = [cell for cell in found if cell.kind not in _RESULTS]
    if len(acting) > _CELLS:
        notes.report("cell_not_understood", game=game.place, line=number, text=line[acting[_CELLS].column :])
    for cell, side in zip(acting, _sides(game, line, start, acting), strict=False):
        _act(notes, game, cell, side, number)
    for cell in found:
        if cell.kind in _RESULTS:
            game.claims(cell, _claimant(game, line, start, found, cell), number)


def read_loose_line(notes: Notes, game: GrowingGame, line: str, number: int) -> None:
    """A line without a number: a result below the game, or a row that lost its number."""
    before, found = cells(line, 0)
    if before or not found:
        notes.report("line_not_understood", game=game.place, line=number, text=line.strip())
        return
    read_row(notes, game, line, 0, number)


def _sides(game: GrowingGame, line: str, start: int, acting: list[Cell]) -> tuple[Side, ...]:
    if len(acting) == 1:
        return (_side_of(game, line, start, acting[0]),)
    return Side.LEFT, Side.RIGHT


def _side_of(game: GrowingGame, line: str, start: int, cell: Cell) -> Side:
    gap = line[start : cell.column]
    return Side.RIGHT if game.is_right(gap, cell.column) else Side.LEFT


def _claimant(game: GrowingGame, line: str, start: int, found: list[Cell], cell: Cell) -> Side | None:
    """Whose column a result is in; None where its place does not tell."""
    place = found.index(cell)
    if place > 1:
        return None
    if place == 1:
        first = _side_of(game, line, start, found[0])
        return Side.RIGHT if first is Side.LEFT else None
    gap = line[start : cell.column]
    if not game.tells_column(gap):
        return None
    return Side.RIGHT if game.is_right(gap, cell.column) else Side.LEFT


def _act(notes: Notes, game: GrowingGame, cell: Cell, side: Side, number: int) -> None:
    if cell.kind is not Kind.ROLL:
        game.act(side, cell, number)
        return
    dice, text = cell.dice, cell.text
    if dice[0] not in _PIPS or dice[1] not in _PIPS:
        notes.report("no_such_roll", game=game.place, line=number, dice=f"{dice[0]}{dice[1]}")
        return
    play = parse_play(text)
    if play is not None:
        game.actions.append(Roll(side, dice, play, number))
    elif says_pass(text):
        game.actions.append(Roll(side, dice, (), number, says_pass=True))
    elif _QUESTION_MARKS.fullmatch(text):
        game.roll_unsaid(Roll(side, dice, None, number))
    else:
        play = parse_play(_without_remark(text)) or None
        if play is None and text != "?":
            notes.report("play_not_understood", game=game.place, line=number, text=text)
        game.actions.append(Roll(side, dice, play, number))


def _without_remark(text: str) -> str:
    """A play without the marks or the words in brackets that somebody put behind it."""
    text = text.rstrip("?! ")
    return text[: text.rindex("(")] if text.endswith(")") and "(" in text else text
