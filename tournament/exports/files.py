"""Tables as files: CSV, XLSX, JSON. No cell can become a formula, whatever a player is called.

In XLSX texts are written as texts, letter for letter. In CSV a text that a spreadsheet would take for a formula gets
an apostrophe in front, and one is put between a semicolon or tab and a sign that could begin a formula, because
spreadsheets of many countries part cells there. Numbers stay numbers.
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

from tournament.exports.standings_and_results import Cell, Table
from tournament.exports.xml_text import without_unwritable

SIGNS = "=+@\uff1d\uff0b\uff20\uff0d-"
BEGINS_A_FORMULA = re.compile(rf"\s*[{SIGNS}]|[\t\r\n]")
COULD_BEGIN_ONE_INSIDE = re.compile(rf"([;\t\r\n][\s\"]*)(?=[{SIGNS}])")
BYTE_ORDER_MARK = "\ufeff"
LONGEST_SHEET_NAME = 31


class Kind(NamedTuple):
    """A kind of file: its media type, and how a table becomes its bytes."""

    media_type: str
    make: Callable[[Table], bytes]


def as_csv(table: Table) -> bytes:
    """UTF-8 with a byte order mark, so that spreadsheets read names of every script."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow([_safe(column.heading) for column in table.columns])
    writer.writerows([[_safe(_for_people(cell)) for cell in row] for row in table.rows])
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
        sheet.append([_cell(sheet, _for_people(cell)) for cell in row])
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def as_json(table: Table) -> bytes:
    """A list of objects with the columns' keys; moments as ISO 8601 in UTC, amounts as texts, to the cent."""
    keys = [column.key for column in table.columns]
    rows = [dict(zip(keys, (_for_programs(cell) for cell in row), strict=True)) for row in table.rows]
    return json.dumps(rows, ensure_ascii=False, indent=1).encode()


KINDS = {
    "csv": Kind("text/csv; charset=utf-8", as_csv),
    "xlsx": Kind("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", as_xlsx),
    "json": Kind("application/json", as_json),
}


Plain = str | int | Decimal | None


def _plain(cell: Cell) -> Plain:
    return cell.astimezone(UTC).isoformat() if isinstance(cell, datetime) else cell


def _for_programs(cell: Cell) -> str | int | None:
    plain = _plain(cell)
    return str(plain) if isinstance(plain, Decimal) else plain


def _for_people(cell: Cell) -> Plain:
    if isinstance(cell, bool):
        return _("yes") if cell else _("no")
    return _plain(cell)


def _safe(value: Plain) -> Plain:
    if not isinstance(value, str):
        return value
    parted = COULD_BEGIN_ONE_INSIDE.sub(r"\1'", value)
    return f"'{parted}" if BEGINS_A_FORMULA.match(value) else parted


def _cell(sheet: Any, value: Plain) -> Any:
    """A text stays a text also when somebody edits the cell: that is what the quote prefix says."""
    from openpyxl.cell import WriteOnlyCell  # noqa: PLC0415 (see as_xlsx)

    if not isinstance(value, str):
        number: Any = value  # the library takes decimals, its types do not say so
        return WriteOnlyCell(sheet, number)
    cell = WriteOnlyCell(sheet, without_unwritable(value))
    cell.data_type = "s"
    cell.quotePrefix = BEGINS_A_FORMULA.match(value) is not None
    return cell
