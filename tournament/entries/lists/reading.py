"""Reads a file into a listing, step by step."""

from tournament.entries.lists import delimited, file_kinds, remarks, workbook
from tournament.entries.lists.decoding import decode
from tournament.entries.lists.layout import lay_out
from tournament.entries.lists.limits import MOST_BYTES
from tournament.entries.lists.lines import read_lines
from tournament.entries.lists.listing import Listing, Row, Trouble
from tournament.entries.lists.remarks import UnreadableError
from tournament.entries.lists.repeats import drop_repeats


def read_list(data: bytes, filename: str = "") -> Listing:
    """Returns the listing of any data. `filename` only improves the error message. Never raises."""
    try:
        return _read_list(data, filename)
    except UnreadableError as unreadable:
        return Listing({}, (), (unreadable.trouble,))


def _read_list(data: bytes, filename: str) -> Listing:
    file_kinds.refuse_other_files(data, filename)
    if len(data) > MOST_BYTES:
        sizes = {"megabytes": -(-len(data) // 1_000_000), "most": MOST_BYTES // 1_000_000}
        raise UnreadableError(remarks.TOO_BIG, **sizes)
    rows, troubles = workbook.parse_rows(data) if file_kinds.is_zip(data) else _rows_of_text(data)
    return _make_listing(rows, troubles)


def _rows_of_text(data: bytes) -> tuple[list[Row], list[Trouble]]:
    text, encoding_troubles = decode(data)
    rows, troubles = delimited.parse_rows(text)
    return rows, [*encoding_troubles, *troubles]


def _make_listing(rows: list[Row], troubles: list[Trouble]) -> Listing:
    if not rows and troubles:
        return Listing({}, (), tuple(troubles))
    layout = lay_out(rows)
    lines, line_troubles = read_lines(layout)
    unique, repeats = drop_repeats(lines)
    problems = sorted(
        [*troubles, *layout.troubles, *line_troubles, *repeats], key=lambda trouble: trouble.line or 0
    )
    return Listing(layout.titles, tuple(unique), tuple(problems))
