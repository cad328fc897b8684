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
    writer.writerow([_without_formulas(column.heading) for column in table.columns])
    writer.writerows([[_without_formulas(_display_value(cell)) for cell in row] for row in table.rows])
    return (BYTE_ORDER_MARK + text.getvalue()).encode()


def as_xlsx(table: Table) -> bytes:
    from openpyxl import Workbook  # noqa: PLC0415 (30 MB that few processes ever need)
    from openpyxl.styles import Font  # noqa: PLC0415

    book = Workbook(write_only=True)
    sheet = book.create_sheet(table.title[:LONGEST_SHEET_NAME])
    sheet.freeze_panes = "A2"
    headings = [_cell(sheet, column.heading) for column in table.columns]
    for heading in headings:
        heading.font = Font(bold=True)
    sheet.append(headings)
    for row in table.rows:
        sheet.append([_cell(sheet, _display_value(cell)) for cell in row])
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def as_json(table: Table) -> bytes:
    """A list of objects by column key. Times are ISO 8601 in UTC, amounts are strings with cents."""
    keys = [column.key for column in table.columns]
    rows = [dict(zip(keys, (_json_value(cell) for cell in row), strict=True)) for row in table.rows]
    return json.dumps(rows, ensure_ascii=False, indent=1).encode()


FILE_KINDS = {
    "csv": FileKind("text/csv; charset=utf-8", as_csv),
    "xlsx": FileKind("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", as_xlsx),
    "json": FileKind("application/json", as_json),
}


PlainValue = str | int | Decimal | None


def _plain_value(cell: Cell) -> PlainValue:
    return cell.astimezone(UTC).isoformat() if isinstance(cell, datetime) else cell


def _json_value(cell: Cell) -> str | int | None:
    plain = _plain_value(cell)
    return str(plain) if isinstance(plain, Decimal) else plain


def _display_value(cell: Cell) -> PlainValue:
    if isinstance(cell, bool):
        return _("yes") if cell else _("no")
    return _plain_value(cell)


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
