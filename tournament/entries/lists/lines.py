"""Reads the body of a list into lines. Each line is accepted, or refused with reasons."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from tournament.entries.lists import remarks, values
from tournament.entries.lists.cleaning import (
    cell_text,
    given_name_first,
    has_delimiter,
    split_bracket,
    without_list_mark,
)
from tournament.entries.lists.countries import bracketed_code
from tournament.entries.lists.layout import Layout
from tournament.entries.lists.limits import LONGEST_NAME
from tournament.entries.lists.listing import Cell, Column, Line, MissingValue, Row, Severity, Trouble
from tournament.entries.lists.remarks import Remark
from tournament.runtime.text import abbreviate, has_letter

T = TypeVar("T")

_BYES = frozenset({"bye", "byes", "freilos", "exempt", "oversidder", "frirunde"})


def read_lines(layout: Layout) -> tuple[list[Line], list[Trouble]]:
    lines: list[Line] = []
    troubles: list[Trouble] = []
    for row in layout.body:
        reader = _LineReader(layout, row)
        line = reader.line()
        troubles += reader.troubles
        if all(trouble.severity is Severity.WARNING for trouble in reader.troubles):
            lines.append(line)
    if layout.without_headings:
        lines, comma_troubles = _turn_names(lines)
        troubles += comma_troubles
    return lines, troubles


def _turn_names(lines: Sequence[Line]) -> tuple[list[Line], list[Trouble]]:
    """Turns "Berg, Anna" into "Anna Berg". Adds one remark on the first turned name, and one on the first kept
    comma.
    """
    turned = {line.number: replace(line, name=given_name_first(line.name)) for line in lines}
    first_turned = [line for line in lines if turned[line.number].name != line.name][:1]
    unturned = [line for line in turned.values() if "," in line.name][:1]
    troubles = [
        remarks.NAMES_TURNED.on(
            None, before=abbreviate(line.name), after=abbreviate(turned[line.number].name)
        )
        for line in first_turned
    ]
    troubles += [remarks.COMMAS_KEPT.on(None, name=abbreviate(line.name)) for line in unturned]
    return list(turned.values()), troubles


class _LineReader:
    """Reads the cells of one row and collects troubles with them."""

    def __init__(self, layout: Layout, row: Row) -> None:
        self.layout = layout
        self.row = row
        self.troubles: list[Trouble] = []

    def line(self) -> Line:
        name = self.name()
        country: str = self.read(Column.COUNTRY, values.country)
        name, country = _split_country(name, country)
        return Line(
            number=self.row.number,
            name=name,
            country=country,
            club=self.read(Column.CLUB, values.club),
            team=self.read(Column.TEAM, values.team),
            federation_id=self.read(Column.FEDERATION_ID, values.federation_id),
            rating=self.read(Column.RATING, values.rating),
            seed=self.read(Column.SEED, values.seed),
            paid=self.read(Column.PAID, values.yes_or_no),
            checked_in=self.read(Column.CHECKED_IN, values.yes_or_no),
        )

    def read(self, column: Column, reader: Callable[[Cell], values.Reading[T]]) -> T:
        cell = self.layout.cell(self.row, column)
        if isinstance(cell, MissingValue):
            self.note(remarks.NO_RESULT, column=self.title(column))
        reading = reader(cell)
        if reading.remark is not None:
            self.note(reading.remark, column=self.title(column), **reading.params)
        return reading.value

    def note(self, remark: Remark, **params: str | int) -> None:
        self.troubles.append(remark.on(self.row.number, **params))

    def title(self, column: Column) -> str:
        return self.layout.titles.get(column, column.value)

    def name(self) -> str:
        cells = self.layout.name_cells(self.row)
        if any(isinstance(cell, MissingValue) for cell in cells):
            self.note(remarks.NAME_WITHOUT_RESULT, column=self.title(Column.NAME))
            return ""
        name = values.join_name([cell_text(cell) for cell in cells])
        if self.layout.without_headings:
            name = without_list_mark(name)
            if has_delimiter(name):
                self.note(remarks.NAME_WITH_DIVIDER, value=abbreviate(name))
        remark = _name_problem(name)
        if remark is not None:
            self.note(remark, column=self.title(Column.NAME), value=abbreviate(name), most=LONGEST_NAME)
        return name


def _name_problem(name: str) -> Remark | None:
    """Returns the reason why a text is not a player's name, or None."""
    if not name:
        return remarks.NAME_MISSING
    if len(name) > LONGEST_NAME:
        return remarks.NAME_TOO_LONG
    if not has_letter(name):
        return remarks.NOT_A_NAME
    return remarks.BYE_LISTED if name.strip("()[]").casefold() in _BYES else None


def _split_country(name: str, country: str) -> tuple[str, str]:
    """Splits "Anna Berg (GER)" into name and country, unless the list has another country."""
    before, inside = split_bracket(name)
    code = bracketed_code(inside)
    if code is None or country not in {"", code} or not has_letter(before):
        return name, country
    return before, code
