"""Reads rows with more than two rolls: cube actions, results, question marks, single cells, unreadable text."""

import re

from rules.board.notation import parse_play
from rules.record.model import Roll
from rules.record.notes import Notes
from rules.record.text.cells import Cell, Kind, cells, is_column_gap, says_pass
from rules.record.text.game import GameBuilder
from rules.score import Side

_QUESTION_MARKS = re.compile(r"\?{2,}")
_RESULTS = (Kind.WINS, Kind.LOSES)
_ENDS = (*_RESULTS, Kind.RESIGNS)
_PIPS = range(1, 7)
_COLUMNS = 2
_ROW_NUMBER = re.compile(r"(?<=[ \t])([0-9]{1,6})[).](?=[ \t])")


def read_row(notes: Notes, game: GameBuilder, line: str, start: int, number: int) -> None:
    """Reads a numbered row, from `start` behind its number. Two rows on one line are read as two."""
    second_row = _second_row(game, line, start)
    if second_row is not None:
        read_row(notes, game, line[: second_row.start()], start, number)
        game.last_row = int(second_row[1])
        read_row(notes, game, line[:start] + line[second_row.end() :], start, number)
        return
    before, row_cells = cells(line, start)
    if before:
        notes.report("cell_not_understood", game=game.ordinal, line=number, text=before)
    sides = _sides(game, line, start, row_cells)
    acting = [(cell, side) for cell, side in zip(row_cells, sides, strict=True) if cell.kind not in _RESULTS]
    for cell, side in acting:
        if side is None:
            notes.report("cell_not_understood", game=game.ordinal, line=number, text=line[cell.column :])
            break
        _add_cell(notes, game, cell, side, number)
    for cell, side in zip(row_cells, sides, strict=True):
        if cell.kind in _RESULTS:
            game.add_claim(cell, side, number)


def read_loose_line(notes: Notes, game: GameBuilder, line: str, number: int) -> None:
    """A line without a number: a result below the game, or a row that lost its number."""
    before, row_cells = cells(line, 0)
    if before or not row_cells:
        notes.report("line_not_understood", game=game.ordinal, line=number, text=line.strip())
        return
    if len(row_cells) == 1 and row_cells[0].kind is Kind.RESIGNS and not game.gives_column(row_cells[0].gap):
        game.resign_in_unknown_column(row_cells[0], number)
        return
    read_row(notes, game, line, 0, number)


def _second_row(game: GameBuilder, line: str, start: int) -> re.Match[str] | None:
    """The number of a second row on this line: the same number again, or the next."""
    number = _ROW_NUMBER.search(line, start)
    is_next = number is not None and int(number[1]) in (game.last_row, game.last_row + 1)
    return number if start and is_next else None


def _sides(game: GameBuilder, line: str, start: int, row_cells: list[Cell]) -> list[Side | None]:
    """The side of each cell; None for a cell behind the right column.

    The place of the first cell shows its column. A later cell is in the same column if it continues the cell
    before it, otherwise in the next.
    """
    columns = _columns(game, row_cells)
    acting = {column for cell, column in zip(row_cells, columns, strict=True) if cell.kind not in _RESULTS}
    first = (
        _first_side(game, line, start, row_cells[0], is_alone=len(acting) < _COLUMNS) if row_cells else None
    )
    if first is None:
        return [None] * len(row_cells)
    sides: list[Side | None] = [first, first.other if first is Side.LEFT else None]
    return [sides[column] if column < _COLUMNS else None for column in columns]


def _columns(game: GameBuilder, row_cells: list[Cell]) -> list[int]:
    """The columns of these cells, counted from 0 at the first."""
    column, columns = 0, []
    for before, cell in zip([None, *row_cells], row_cells, strict=False):
        if before is not None and not _continues(game, before, cell, is_right=column > 0):
            column += 1
        columns.append(column)
    return columns


def _continues(game: GameBuilder, before: Cell, cell: Cell, *, is_right: bool) -> bool:
    """True if a roll and the end of the game are in one cell."""
    if before.kind is not Kind.ROLL or cell.kind not in _ENDS or is_column_gap(cell.gap) or game.is_squeezed:
        return False
    return (is_right and cell.kind is Kind.RESIGNS) or not game.may_be_right(cell.column)


def _first_side(game: GameBuilder, line: str, start: int, cell: Cell, *, is_alone: bool) -> Side | None:
    gap = line[start : cell.column]
    if not is_alone:
        return Side.LEFT
    if cell.kind in _RESULTS and not game.gives_column(gap):
        return None
    return Side.RIGHT if game.is_right(gap, cell.column) else Side.LEFT


def _add_cell(notes: Notes, game: GameBuilder, cell: Cell, side: Side, number: int) -> None:
    if cell.kind is not Kind.ROLL:
        game.add_action(side, cell, number)
        return
    dice, text = cell.dice, cell.text
    if dice[0] not in _PIPS or dice[1] not in _PIPS:
        notes.report("no_such_roll", game=game.ordinal, line=number, dice=f"{dice[0]}{dice[1]}")
        return
    play = parse_play(text)
    if play is not None:
        game.actions.append(Roll(side, dice, play, number))
    elif says_pass(text):
        game.actions.append(Roll(side, dice, (), number, says_pass=True))
    elif _QUESTION_MARKS.fullmatch(text):
        game.add_questioned_roll(Roll(side, dice, None, number))
    else:
        play = parse_play(_without_remark(text)) or None
        if play is None and text != "?":
            notes.report("play_not_understood", game=game.ordinal, line=number, text=text)
        game.actions.append(Roll(side, dice, play, number))


def _without_remark(text: str) -> str:
    """A play without the marks or the words in brackets behind it."""
    text = text.rstrip("?! ")
    return text[: text.rindex("(")] if text.endswith(")") and "(" in text else text
