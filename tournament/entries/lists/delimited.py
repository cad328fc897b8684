"""Splits text into rows: detects the delimiter, the line ends and the ends of quoted cells.

Lines keep the numbers that an editor shows. Cells are not interpreted, except that headings help to detect the
delimiter.
"""

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tournament.entries.lists import remarks
from tournament.entries.lists.cleaning import without_list_mark
from tournament.entries.lists.countries import country_code
from tournament.entries.lists.headings import find_heading, has_headings_without_a_name, recognise_columns
from tournament.entries.lists.limits import (
    LONGEST_LINE,
    LONGEST_QUOTE,
    MOST_COLUMNS,
    MOST_LINES,
    MOST_PHYSICAL_LINES,
)
from tournament.entries.lists.listing import Row, Trouble
from tournament.entries.lists.remarks import UnreadableError
from tournament.runtime.text import clean, has_letter

_LINE_END = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_GAP = re.compile(r"\s{2,}")
_DECLARED = re.compile(r"sep=(.)", re.IGNORECASE)
_SIGNS = ("\t", ";", "|")
_SPACES = "  "  # two or more, as in columns aligned with spaces
_SIGNS_IN_NAMES = (",", _SPACES)
_NO_DELIMITER = "\x1f"  # the sign meant for dividing, which nobody types
_SAMPLE = 200


@dataclass(frozen=True, slots=True)
class _CsvRecord:
    """A row, or the trouble with it, and the number of lines it takes."""

    lines: int
    row: Row | None = None
    trouble: Trouble | None = None


def parse_rows(text: str) -> tuple[list[Row], list[Trouble]]:
    """Returns all rows that are not blank, and the troubles with the other lines."""
    lines = _lines(text)
    declared = _DECLARED.fullmatch(lines[0].strip()) if lines else None
    delimiter = declared[1] if declared else _detect_delimiter(lines)
    return _collect(_records(lines, delimiter, start=1 if declared else 0))


def _lines(text: str) -> list[str]:
    ended = _LINE_END.sub("\n", text)
    if ended.count("\n") > MOST_PHYSICAL_LINES:
        raise UnreadableError(remarks.TOO_MANY_LINES, most=MOST_LINES)
    return ended.split("\n")


def _collect(records: Iterator[_CsvRecord]) -> tuple[list[Row], list[Trouble]]:
    rows: list[Row] = []
    troubles: list[Trouble] = []
    for record in records:
        if record.trouble is not None:
            troubles.append(record.trouble)
        if record.row is not None:
            rows.append(record.row)
        if len(rows) + len(troubles) > MOST_LINES + 1:
            raise UnreadableError(remarks.TOO_MANY_LINES, most=MOST_LINES)
    return rows, troubles


def _records(lines: Sequence[str], delimiter: str, start: int = 0) -> Iterator[_CsvRecord]:
    at = start
    while at < len(lines):
        record = _record(lines, at, delimiter)
        yield record
        at += record.lines


def _record(lines: Sequence[str], at: int, delimiter: str) -> _CsvRecord:
    line, number = lines[at], at + 1
    if len(line) > LONGEST_LINE:
        return _CsvRecord(1, trouble=remarks.LINE_TOO_LONG.on(number))
    if '"' not in line or delimiter == _SPACES:
        return _CsvRecord(1, _row(number, _split(line, delimiter)))
    for taken in range(1, min(LONGEST_QUOTE, len(lines) - at) + 1):
        cells = _strictly_quoted("\n".join(lines[at : at + taken]), delimiter)
        if cells is not None:
            return _CsvRecord(taken, _row(number, cells))
    if line.count('"') % 2:
        return _CsvRecord(1, trouble=remarks.OPEN_QUOTE.on(number))
    return _CsvRecord(1, _row(number, _split(line, delimiter)))


def _row(number: int, cells: Sequence[str]) -> Row | None:
    return Row(number, tuple(cells)) if any(clean(cell) for cell in cells) else None


def _split(line: str, delimiter: str) -> list[str]:
    if delimiter == _SPACES:
        return _GAP.split(without_list_mark(line).strip(), MOST_COLUMNS)[:MOST_COLUMNS]
    return line.split(delimiter, MOST_COLUMNS)[:MOST_COLUMNS]


def _strictly_quoted(record: str, delimiter: str) -> list[str] | None:
    """Returns the cells if every quotation mark is valid CSV, else None."""
    try:
        cells = next(csv.reader([record], delimiter=delimiter, strict=True, skipinitialspace=True), None)
    except csv.Error:
        return None
    return None if cells is None else cells[:MOST_COLUMNS]


def _detect_delimiter(lines: Sequence[str]) -> str:
    """Returns the delimiter with the most recognised headings, else one guessed from most lines."""
    headings = {
        delimiter: _count_headings(_first_rows(lines, delimiter, 10))
        for delimiter in (_NO_DELIMITER, *_SIGNS, *_SIGNS_IN_NAMES)
    }
    best = max(headings, key=lambda delimiter: headings[delimiter])
    return best if headings[best] else _guess_delimiter(lines)


def _count_headings(rows: Sequence[Row]) -> int:
    """Returns the number of recognised headings with this delimiter. Headings without a name column count too."""
    at = find_heading(rows)
    if at is None:
        at = 0 if rows and has_headings_without_a_name(rows[0]) else None
    return 0 if at is None else sum(column is not None for column in recognise_columns(rows[at].cells))


def _first_rows(lines: Sequence[str], delimiter: str, wanted: int) -> list[Row]:
    rows: list[Row] = []
    for record in _records(lines, delimiter):
        if record.row is not None:
            rows.append(record.row)
        if len(rows) == wanted:
            break
    return rows


def _guess_delimiter(lines: Sequence[str]) -> str:
    """Returns a sign that divides a line. Commas and spaces also occur in names, so they must divide most lines."""
    rows_of = {delimiter: _first_rows(lines, delimiter, _SAMPLE) for delimiter in (*_SIGNS, *_SIGNS_IN_NAMES)}
    for sign in _SIGNS:
        if not rows_of[sign] or any(len(row.cells) > 1 for row in rows_of[sign]):
            return sign
    most_cells = sorted(_SIGNS_IN_NAMES, key=lambda sign: -sum(len(row.cells) for row in rows_of[sign]))
    return next((sign for sign in most_cells if _divides_most(rows_of[sign])), _NO_DELIMITER)


def _divides_most(rows: Sequence[Row]) -> bool:
    divided = [row for row in rows if len(row.cells) > 1]
    return bool(divided) and len(divided) * 2 >= len(rows) and _are_columns(divided)


def _are_columns(rows: Sequence[Row]) -> bool:
    """Returns True if the rows have columns. "Berg, Anna" has a comma inside the name."""
    if sum(len(row.cells) > 2 for row in rows) * 2 >= len(rows):
        return True
    second_cells = [clean(str(row.cells[1])) for row in rows]
    without_letters = sum(not has_letter(cell) for cell in second_cells)
    return all(country_code(cell) for cell in second_cells) or without_letters * 2 > len(rows)
