"""Reads the rows of an XLSX workbook: the first visible sheet that is not empty, values only.

Formulas return the result stored in the file and are never computed. Macros, links to other files and pictures are not
opened. openpyxl reads through defusedxml, after the checks of `zip_check`.
"""

import io
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from tournament.entries.lists import remarks
from tournament.entries.lists.cleaning import cell_text
from tournament.entries.lists.limits import LONGEST_LINE, MOST_COLUMNS, MOST_LINES, MOST_PHYSICAL_LINES
from tournament.entries.lists.listing import Cell, MissingValue, Row, Trouble
from tournament.entries.lists.remarks import UnreadableError
from tournament.entries.lists.zip_check import check_workbook
from tournament.runtime.text import abbreviate

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

_Places = frozenset[tuple[int, int]]
_NOWHERE: _Places = frozenset()


def parse_rows(data: bytes) -> tuple[list[Row], list[Trouble]]:
    """Returns all rows that are not blank. Raises UnreadableError for an unreadable workbook."""
    has_formulas = check_workbook(data)
    try:
        return _rows(data, has_formulas=has_formulas)
    except UnreadableError:
        raise
    except Exception as damage:  # a damaged workbook makes the reader raise anything at all
        raise UnreadableError(remarks.BROKEN_WORKBOOK) from damage


def _rows(data: bytes, *, has_formulas: bool) -> tuple[list[Row], list[Trouble]]:
    sheets = _sheets(data, data_only=True)
    for at, sheet in enumerate(sheets):
        formulas = _formulas(_sheets(data, data_only=False)[at]) if has_formulas else _NOWHERE
        lines = list(islice(_filled_rows(sheet, formulas), MOST_LINES + 2))
        if len(lines) > MOST_LINES + 1:
            raise UnreadableError(remarks.TOO_MANY_LINES, most=MOST_LINES)
        if lines:
            others = any(next(_filled_rows(other, _NOWHERE), None) for other in sheets[at + 1 :])
            ignored = [remarks.ONE_SHEET_READ.on(None, sheet=abbreviate(sheet.title))] if others else []
            rows = [line for line in lines if isinstance(line, Row)]
            return rows, [*ignored, *(line for line in lines if isinstance(line, Trouble))]
    return [], []


def _sheets(data: bytes, *, data_only: bool) -> Sequence["Worksheet"]:
    """Returns the visible sheets, or all sheets if none is visible."""
    from openpyxl import load_workbook  # noqa: PLC0415 (30 MB that few processes ever need)

    workbook = load_workbook(io.BytesIO(data), read_only=True, data_only=data_only, keep_links=False)
    return [sheet for sheet in workbook.worksheets if sheet.sheet_state == "visible"] or workbook.worksheets


def _cells(sheet: "Worksheet") -> Iterator[tuple[int, tuple[Any, ...]]]:
    """Returns numbered rows up to our own limits. The stated size of a sheet can be wrong and would cut off rows."""
    return enumerate(sheet.iter_rows(max_row=MOST_PHYSICAL_LINES, max_col=MOST_COLUMNS), start=1)


def _formulas(sheet: "Worksheet") -> _Places:
    return frozenset(
        (number, place)
        for number, cells in _cells(sheet)
        for place, cell in enumerate(cells)
        if cell.data_type == "f"
    )


def _filled_rows(sheet: "Worksheet", formulas: _Places) -> Iterator[Row | Trouble]:
    """Yields rows that are not blank.

    A row longer than a line of text may be is a trouble, and its text is not read.
    """
    for number, cells in _cells(sheet):
        values = tuple(
            _value(cell, is_formula=(number, place) in formulas) for place, cell in enumerate(cells)
        )
        if sum(len(value) for value in values if isinstance(value, str)) > LONGEST_LINE:
            yield remarks.LINE_TOO_LONG.on(number)
        elif any(isinstance(value, MissingValue) or cell_text(value) for value in values):
            yield Row(number, _strip_blank_end(values))


def _value(cell: Any, *, is_formula: bool) -> Cell:
    """Returns the visible value. A formula whose result is an empty text is stored with type "str"."""
    if cell.data_type == "e":
        return MissingValue.FAULT
    if cell.value is None:
        return MissingValue.FORMULA if is_formula and cell.data_type != "str" else None
    return cell.value if isinstance(cell.value, str | int | float | bool) else str(cell.value)


def _strip_blank_end(values: tuple[Cell, ...]) -> tuple[Cell, ...]:
    filled = max(
        place for place, value in enumerate(values) if isinstance(value, MissingValue) or cell_text(value)
    )
    return values[: filled + 1]
