"""Writes tables as CSV, XLSX and JSON. No cell can become a formula, for any name of a player.

XLSX cells have the type text. In CSV an apostrophe precedes a text that a spreadsheet would read as a formula, and a
sign after a semicolon or tab that could begin one, because spreadsheets of many countries split cells there. Numbers
stay numbers.
"""

import csv
import io
import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from tournament.exports.export_tables import Cell, Table
from tournament.exports.xml_text import remove_unwritable

SIGNS = "=+@\uff1d\uff0b\uff20\uff0d-"
BEGINS_A_FORMULA = re.compile(rf"\s*[{SIGNS}]|[\t\r\n]")
COULD_BEGIN_ONE_INSIDE = re.compile(rf"([;\t\r\n][\s\"]*)(?=[{SIGNS}])")
BYTE_ORDER_MARK = "\ufeff"
LONGEST_SHEET_NAME = 31


class FileKind(NamedTuple):
    """A media type, and the function that writes a table."""

    media_type: str
    render: Callable[[Table], bytes]


def as_csv(table: Table) -> bytes:
    """UTF-8 with a byte order mark, without which spreadsheets misread names."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    headings, rows = _for_people(table)
    writer.writerow(map(_without_formulas, headings))
    writer.writerows([_without_formulas(_display_value(cell)) for cell in row] for row in rows)
    return (BYTE_ORDER_MARK + text.getvalue()).encode()


def as_xlsx(table: Table) -> bytes:
    from openpyxl import Workbook  # noqa: PLC0415 (30 MB that few processes ever need)
    from openpyxl.styles import Font  # noqa: PLC0415

    book = Workbook(write_only=True)
    sheet = book.create_sheet(table.title[:LONGEST_SHEET_NAME])
    sheet.freeze_panes = "A2"
    headings, rows = _for_people(table)
    heading_cells = [_cell(sheet, heading) for heading in headings]
    for cell in heading_cells:
        cell.font = Font(bold=True)
    sheet.append(heading_cells)
    for row in rows:
        sheet.append([_cell(sheet, _display_value(cell)) for cell in row])
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def as_json(table: Table) -> bytes:
    """A list of objects by column key. Times are ISO 8601 in UTC, amounts are strings with cents."""
    places = [place for place, column in enumerate(table.columns) if column.key]
    rows = [{table.columns[place].key: _json_value(row[place]) for place in places} for row in table.rows]
    return json.dumps(rows, ensure_ascii=False, indent=1).encode()


def _for_people(table: Table) -> tuple[list[str], list[list[Cell]]]:
    """Returns the headings, and the cells of the columns that have one."""
    places = [place for place, column in enumerate(table.columns) if column.heading]
    headings = [table.columns[place].heading for place in places]
    return headings, [[row[place] for place in places] for row in table.rows]


FILE_KINDS = {
    "csv": FileKind("text/csv; charset=utf-8", as_csv),
    "xlsx": FileKind("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", as_xlsx),
    "json": FileKind("application/json", as_json),
}


PlainValue = str | int | Decimal | None


def _json_value(cell: Cell) -> str | int | None:
    if isinstance(cell, datetime):
        return cell.astimezone(UTC).isoformat()
    return str(cell) if isinstance(cell, Decimal) else cell


def _display_value(cell: Cell) -> PlainValue:
    """A time is local and has no seconds, so that every spreadsheet reads it as a time."""
    if isinstance(cell, bool):
        return _("yes") if cell else _("no")
    return cell.isoformat(" ", "minutes") if isinstance(cell, datetime) else cell


def _without_formulas(value: PlainValue) -> PlainValue:
    if not isinstance(value, str):
        return value
    escaped_text = COULD_BEGIN_ONE_INSIDE.sub(r"\1'", value)
    return f"'{escaped_text}" if BEGINS_A_FORMULA.match(value) else escaped_text


def _cell(sheet: Any, value: PlainValue) -> Any:
    """The quote prefix keeps a text a text when the cell is edited."""
    from openpyxl.cell import WriteOnlyCell  # noqa: PLC0415 (see as_xlsx)

    if not isinstance(value, str):
        number: Any = value  # the library accepts decimals, its annotations do not
        return WriteOnlyCell(sheet, number)
    cell = WriteOnlyCell(sheet, remove_unwritable(value))
    cell.data_type = "s"
    cell.quotePrefix = BEGINS_A_FORMULA.match(value) is not None
    return cell
