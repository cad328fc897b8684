"""Reads a file into a listing, step by step."""

from tournament.entries.lists import delimited, file_kinds, remarks, workbook
from tournament.entries.lists.cleaning import cell_text
from tournament.entries.lists.decoding import decode
from tournament.entries.lists.layout import lay_out
from tournament.entries.lists.limits import MOST_BYTES
from tournament.entries.lists.lines import read_lines
from tournament.entries.lists.listing import (
    NO_POOLS,
    ColumnChoices,
    Interpretation,
    Listing,
    PoolNames,
    Row,
    Trouble,
)
from tournament.entries.lists.remarks import UnreadableError
from tournament.entries.lists.repeats import drop_repeats


def read_list(
    data: bytes,
    filename: str = "",
    choices: ColumnChoices | None = None,
    pools: PoolNames = NO_POOLS,
    currency: str = "",
) -> Listing:
    """Returns the listing of any data. `filename` only improves the error message. Never raises.

    `pools` are the side pools of the tournament, by the columns that may be about them. `currency`: that of payments in
    advance, if the list may name some.
    """
    try:
        rows, troubles = _read_rows(data, filename)
        return _make_listing(rows, troubles, choices, pools, currency)
    except UnreadableError as unreadable:
        return Listing({}, (), (unreadable.trouble,))


def list_text(data: bytes) -> str:
    """Returns the list as text to edit, a workbook with tabs between its cells. "" if the data cannot be read."""
    try:
        if not file_kinds.is_zip(data):
            file_kinds.refuse_other_files(data, "")
            return decode(data)[0] if len(data) <= MOST_BYTES else ""
        rows, _troubles = _read_rows(data, "")
    except UnreadableError:
        return ""
    return "\n".join("\t".join(map(cell_text, row.cells)) for row in rows)


def _read_rows(data: bytes, filename: str) -> tuple[list[Row], list[Trouble]]:
    file_kinds.refuse_other_files(data, filename)
    if len(data) > MOST_BYTES:
        sizes = {"megabytes": -(-len(data) // 1_000_000), "most": MOST_BYTES // 1_000_000}
        raise UnreadableError(remarks.TOO_BIG, **sizes)
    return workbook.parse_rows(data) if file_kinds.is_zip(data) else _rows_of_text(data)


def _rows_of_text(data: bytes) -> tuple[list[Row], list[Trouble]]:
    text, encoding_troubles = decode(data)
    rows, troubles = delimited.parse_rows(text)
    return rows, [*encoding_troubles, *troubles]


def _make_listing(
    rows: list[Row],
    troubles: list[Trouble],
    choices: ColumnChoices | None,
    pools: PoolNames,
    currency: str,
) -> Listing:
    if not rows and troubles:
        return Listing({}, (), tuple(troubles))
    layout = lay_out(rows, choices, pools)
    read = read_lines(layout, currency)
    unique, repeats = drop_repeats(read.lines)
    problems = sorted(
        [*troubles, *layout.troubles, *read.troubles, *repeats], key=lambda trouble: trouble.line or 0
    )
    interpretation = Interpretation(
        layout.listed_columns,
        layout.has_headings,
        layout.is_guessed,
        read.turns_names,
        read.can_turn_names,
        pools,
    )
    return Listing(layout.titles, tuple(unique), tuple(problems), interpretation)
