"""Entry lists for tests: text and workbooks as people and programs write them."""

import io
import zipfile
from collections.abc import Iterable, Mapping, Sequence

from openpyxl import Workbook

from tournament.entries.lists import Listing, Trouble, read_list

SPREADSHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


def pasted(*lines: str) -> Listing:
    return read_list("\n".join(lines).encode())


def names(listing: Listing) -> list[str]:
    return [line.name for line in listing.rows]


def codes(listing: Listing) -> list[str]:
    return [trouble.code for trouble in listing.problems]


def only_trouble(listing: Listing) -> Trouble:
    (trouble,) = listing.problems
    return trouble


def workbook(rows: Iterable[Sequence[object]], sheet: str = "Players") -> bytes:
    book = Workbook()
    page = book.active
    assert page is not None
    page.title = sheet
    for row in rows:
        page.append(list(row))
    return saved(book)


def saved(book: Workbook) -> bytes:
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def repacked(data: bytes, changes: Mapping[str, bytes]) -> bytes:
    """A workbook with some of its inner files replaced or added."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for file in old.infolist():
            if file.filename not in changes:
                new.writestr(file, old.read(file))
        for name, content in changes.items():
            new.writestr(name, content)
    return out.getvalue()


def sheet_xml(rows: str, before: str = "") -> bytes:
    page = f'<worksheet xmlns="{SPREADSHEET}"><sheetData>{rows}</sheetData></worksheet>'
    return f'<?xml version="1.0"?>{before}{page}'.encode()


def with_sheet(rows: str, before: str = "") -> bytes:
    """A workbook whose one sheet is written by hand."""
    return repacked(workbook([["x"]]), {"xl/worksheets/sheet1.xml": sheet_xml(rows, before)})


def packed(files: Mapping[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as folder:
        for name, content in files.items():
            folder.writestr(name, content)
    return out.getvalue()
