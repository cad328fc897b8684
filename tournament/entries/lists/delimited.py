"""Text to rows: which sign divides the columns, which line ends are meant, where a quoted cell ends.

Lines keep the numbers that an editor shows. Rows come out with their cells as written; what the columns
are about is not decided here, except that headings, where there are some, tell the dividing sign.
"""

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tournament.entries.lists import remarks
from tournament.entries.lists.countries import code_of
from tournament.entries.lists.headings import has_headings_without_a_name, heading_of, recognised
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
_STATED = re.compile(r"sep=(.)", re.IGNORECASE)
_DIVIDERS = ("\t", ";", "|", ",")
_NO_DIVIDER = "\x1f"  # the sign meant for dividing, which nobody types
_LOOKED_AT = 200


@dataclass(frozen=True, slots=True)
class _Record:
    """One row, or why there is none, and how many lines it takes."""

    lines: int
    row: Row | None = None
    trouble: Trouble | None = None


def rows_of(text: str) -> tuple[list[Row], list[Trouble]]:
    """All rows that are not blank, with the troubles of the lines that are no row."""
    lines = _lines(text)
    stated = _STATED.fullmatch(lines[0].strip()) if lines else None
    divider = stated[1] if stated else _divider(lines)
    return _collected(_records(lines, divider, start=1 if stated else 0))


def _lines(text: str) -> list[str]:
    ended = _LINE_END.sub("\n", text)
    if ended.count("\n") > MOST_PHYSICAL_LINES:
        raise UnreadableError(remarks.TOO_MANY_LINES, most=MOST_LINES)
    return ended.split("\n")


def _collected(records: Iterator[_Record]) -> tuple[list[Row], list[Trouble]]:
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


def _records(lines: Sequence[str], divider: str, start: int = 0) -> Iterator[_Record]:
    at = start
    while at < len(lines):
        record = _record(lines, at, divider)
        yield record
        at += record.lines


def _record(lines: Sequence[str], at: int, divider: str) -> _Record:
    line, number = lines[at], at + 1
    if len(line) > LONGEST_LINE:
        return _Record(1, trouble=remarks.LINE_TOO_LONG.on(number))
    if '"' not in line:
        return _Record(1, _row(number, _split(line, divider)))
    for taken in range(1, min(LONGEST_QUOTE, len(lines) - at) + 1):
        cells = _strictly_quoted("\n".join(lines[at : at + taken]), divider)
        if cells is not None:
            return _Record(taken, _row(number, cells))
    if line.count('"') % 2:
        return _Record(1, trouble=remarks.OPEN_QUOTE.on(number))
    return _Record(1, _row(number, _split(line, divider)))


def _row(number: int, cells: Sequence[str]) -> Row | None:
    return Row(number, tuple(cells)) if any(clean(cell) for cell in cells) else None


def _split(line: str, divider: str) -> list[str]:
    return line.split(divider, MOST_COLUMNS)[:MOST_COLUMNS]


def _strictly_quoted(record: str, divider: str) -> list[str] | None:
    """The cells, where every quotation mark is where the format has it; else None."""
    try:
        cells = next(csv.reader([record], delimiter=divider, strict=True, skipinitialspace=True), None)
    except csv.Error:
        return None
    return None if cells is None else cells[:MOST_COLUMNS]


def _divider(lines: Sequence[str]) -> str:
    """The sign between columns: told by the headings, else by what most lines have in common."""
    known = {
        divider: _known_headings(_first_rows(lines, divider, 10)) for divider in (_NO_DIVIDER, *_DIVIDERS)
    }
    best = max(known, key=lambda divider: known[divider])
    return best if known[best] else _divider_without_headings(lines)


def _known_headings(rows: Sequence[Row]) -> int:
    """How many columns are headed when the rows are divided so; headings without a name count too."""
    at = heading_of(rows)
    if at is None:
        at = 0 if rows and has_headings_without_a_name(rows[0]) else None
    return 0 if at is None else sum(column is not None for column in recognised(rows[at].cells))


def _first_rows(lines: Sequence[str], divider: str, wanted: int) -> list[Row]:
    rows: list[Row] = []
    for record in _records(lines, divider):
        if record.row is not None:
            rows.append(record.row)
        if len(rows) == wanted:
            break
    return rows


def _divider_without_headings(lines: Sequence[str]) -> str:
    for divider in _DIVIDERS:
        rows = _first_rows(lines, divider, _LOOKED_AT)
        divided = [row for row in rows if len(row.cells) > 1]
        most_are_divided = len(divided) * 2 >= len(rows)
        if not rows or (divided and (divider != "," or (most_are_divided and _commas_divide(divided)))):
            return divider
    return _NO_DIVIDER


def _commas_divide(rows: Sequence[Row]) -> bool:
    """Whether the commas divide columns; "Berg, Anna" has one within the name."""
    if not rows or sum(len(row.cells) > 2 for row in rows) * 2 >= len(rows):
        return True
    behind = [clean(str(row.cells[1])) for row in rows]
    return all(code_of(cell) for cell in behind) or sum(not has_letter(cell) for cell in behind) * 2 > len(
        rows
    )
