"""Finds the columns of a list: its headings, the meaning of each column, and the columns that are left out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tournament.entries.lists import remarks
from tournament.entries.lists.cleaning import cell_text
from tournament.entries.lists.countries import country_code, looks_like_code
from tournament.entries.lists.headings import find_heading, has_headings_without_a_name, recognise_columns
from tournament.entries.lists.limits import HIGHEST_RATING, LOWEST_LIKELY_RATING
from tournament.entries.lists.listing import Cell, Column, Row, Trouble
from tournament.entries.lists.remarks import UnreadableError
from tournament.entries.lists.values import decimal_of
from tournament.runtime.text import abbreviate, has_letter

_NAME_PARTS = (  # the first of these that the list has is where names come from
    (Column.FULL_NAME,),
    (Column.GIVEN_NAME, Column.SURNAME),
    (Column.GIVEN_NAME, Column.NAME),
    (Column.NAME, Column.SURNAME),
    (Column.NAME,),
    (Column.SURNAME,),
    (Column.GIVEN_NAME,),
)
_NAMES = {Column.FULL_NAME, Column.NAME, Column.GIVEN_NAME, Column.SURNAME}
_FEWEST_COUNTED = 3
_GUESS_REMARKS = {
    Column.COUNTRY: remarks.READ_AS_COUNTRY,
    Column.RATING: remarks.READ_AS_RATING,
    Column.CLUB: remarks.READ_AS_CLUB,
}


@dataclass(frozen=True, slots=True)
class Layout:
    """The body of a list and the places of its columns.

    `names` holds one place, or those of given name and surname in this order. `places` are the other columns, `titles`
    their headings, empty without headings.
    """

    body: tuple[Row, ...]
    names: tuple[int, ...]
    places: Mapping[Column, int]
    titles: Mapping[Column, str]
    troubles: tuple[Trouble, ...]
    without_headings: bool = False

    def cell(self, row: Row, column: Column) -> Cell:
        return _cell(row, self.places.get(column))

    def name_cells(self, row: Row) -> list[Cell]:
        return [_cell(row, place) for place in self.names]


def lay_out(rows: Sequence[Row]) -> Layout:
    """Raises UnreadableError if there is no player or no column with names."""
    if not rows:
        raise UnreadableError(remarks.EMPTY)
    at = find_heading(rows)
    if at is not None:
        return _layout_with_headings(rows[at], [row for row in rows[at + 1 :] if row.cells != rows[at].cells])
    if has_headings_without_a_name(rows[0]):
        raise UnreadableError(remarks.NO_NAME_COLUMN)
    return _layout_without_headings(tuple(rows))


def _cell(row: Row, place: int | None) -> Cell:
    return row.cells[place] if place is not None and place < len(row.cells) else None


def _layout_with_headings(heading: Row, body: Sequence[Row]) -> Layout:
    if not body:
        raise UnreadableError(remarks.HEADINGS_ONLY)
    places, troubles = _columns_of(heading)
    titles = {column: _title(heading, place) for column, place in places.items()}
    names = next(names for names in _NAME_PARTS if all(part in places for part in names))
    fields = {column: place for column, place in places.items() if column not in {*_NAMES, Column.COUNT}}
    if _is_row_number(body, places.get(Column.FEDERATION_ID)):
        del fields[Column.FEDERATION_ID]
        troubles.append(remarks.COLUMN_COUNTS.on(None, column=titles[Column.FEDERATION_ID]))
    unused = [column for column in places if column in _NAMES - set(names)]
    troubles += [remarks.COLUMN_LEFT_OUT.on(None, column=titles[column]) for column in unused]
    name_title = " + ".join(titles[part] for part in names)
    return Layout(
        body=tuple(body),
        names=tuple(places[part] for part in names),
        places=fields,
        titles={Column.NAME: name_title} | {column: titles[column] for column in fields},
        troubles=tuple(troubles),
    )


def _title(heading: Row, place: int) -> str:
    return abbreviate(cell_text(heading.cells[place]))


def _columns_of(heading: Row) -> tuple[dict[Column, int], list[Trouble]]:
    """Returns the first place of each known column, and a remark on every other one."""
    places: dict[Column, int] = {}
    troubles = []
    for place, column in enumerate(recognise_columns(heading.cells)):
        title = _title(heading, place)
        if column is not None and column not in places:
            places[column] = place
        elif column is not None:
            troubles.append(
                remarks.COLUMN_REPEATED.on(None, column=title, first=_title(heading, places[column]))
            )
        elif title:
            troubles.append(remarks.COLUMN_LEFT_OUT.on(None, column=title))
    return places, troubles


def _is_row_number(body: Sequence[Row], place: int | None) -> bool:
    """Returns True if a column counts 1, 2, 3 … from the top: an "ID" from a spreadsheet, not from a federation."""
    texts = [cell_text(_cell(row, place)) for row in body]
    return len(texts) >= _FEWEST_COUNTED and texts == [str(count) for count in range(1, len(texts) + 1)]


def _layout_without_headings(rows: tuple[Row, ...]) -> Layout:
    """Guesses the columns: names are first, or second if the first column counts.

    Other columns are guessed by their values.
    """
    name = 1 if _starts_with_row_numbers(rows) else 0
    width = max(len(row.cells) for row in rows)
    others = [place for place in range(name + 1, width) if any(cell_text(_cell(row, place)) for row in rows)]
    places: dict[Column, int] = {}
    for place in others:
        column = _guess_column(rows, place)
        if column is not None and column not in places:
            places[column] = place
    guesses = [_GUESS_REMARKS[column].on(None, number=place + 1) for column, place in places.items()]
    left_out = [remarks.NO_HEADINGS.on(None)] if set(others) - set(places.values()) else []
    return Layout(
        body=rows,
        names=(name,),
        places=places,
        titles={},
        troubles=(*guesses, *left_out),
        without_headings=True,
    )


def _starts_with_row_numbers(rows: Sequence[Row]) -> bool:
    first = [cell_text(_cell(row, 0)).rstrip(".)") for row in rows]
    return all(text.isdecimal() for text in first) and any(cell_text(_cell(row, 1)) for row in rows)


def _guess_column(rows: Sequence[Row], place: int) -> Column | None:
    """Returns the column that fits more than half of the values, so that one bad cell does not discard the column."""
    texts = [text for text in (cell_text(_cell(row, place)) for row in rows) if text]
    tests = (
        (Column.COUNTRY, _could_be_country), (Column.RATING, _could_be_rating), (Column.CLUB, has_letter),
    )  # fmt: skip
    return next((column for column, fits in tests if sum(map(fits, texts)) * 2 > len(texts)), None)


def _could_be_country(text: str) -> bool:
    return bool(country_code(text)) and (not looks_like_code(text) or (len(text) == 3 and text.isupper()))


def _could_be_rating(text: str) -> bool:
    value = decimal_of(text)
    return value is not None and LOWEST_LIKELY_RATING <= value <= HIGHEST_RATING
