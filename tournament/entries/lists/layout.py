"""Finds the columns of a list: its headings, the meaning of each column, and the columns that are left out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tournament.entries.lists import remarks
from tournament.entries.lists.cleaning import cell_text
from tournament.entries.lists.guesses import find_names, guess_columns, width_of
from tournament.entries.lists.headings import find_heading, has_headings_without_a_name, recognise_columns
from tournament.entries.lists.listing import (
    NO_POOLS,
    Cell,
    Column,
    ColumnChoices,
    ListedColumn,
    PoolNames,
    Row,
    Trouble,
)
from tournament.entries.lists.remarks import UnreadableError
from tournament.entries.lists.values import title_or_yes
from tournament.runtime.text import abbreviate

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
_VALUES_SHOWN = 3
_GUESS_REMARKS = {
    Column.COUNTRY: remarks.READ_AS_COUNTRY,
    Column.RATING: remarks.READ_AS_RATING,
    Column.CLUB: remarks.READ_AS_CLUB,
}


@dataclass(frozen=True, slots=True)
class Layout:
    """The body of a list and the places of its columns.

    `names` holds one place, or those of given name and surname in this order. `places` are the other columns, `titles`
    their headings, empty without headings. `turns_names` is None if the names decide it.
    """

    body: tuple[Row, ...]
    names: tuple[int, ...]
    places: Mapping[Column, int]
    titles: Mapping[Column, str]
    troubles: tuple[Trouble, ...]
    listed_columns: tuple[ListedColumn, ...]
    has_headings: bool
    is_guessed: bool
    turns_names: bool | None = None

    def cell(self, row: Row, column: Column) -> Cell:
        return _cell(row, self.places.get(column))

    def name_cells(self, row: Row) -> list[Cell]:
        return [_cell(row, place) for place in self.names]


@dataclass(frozen=True, slots=True)
class _Columns:
    """The columns of a list by their places, recognised, guessed or chosen, each once."""

    heading: Row | None
    body: tuple[Row, ...]
    by_place: Mapping[int, Column]
    troubles: Sequence[Trouble] = ()
    is_guessed: bool = False
    turns_names: bool | None = None


def lay_out(rows: Sequence[Row], choices: ColumnChoices | None = None, pools: PoolNames = NO_POOLS) -> Layout:
    """Raises UnreadableError if there is no player or no column with names."""
    if not rows:
        raise UnreadableError(remarks.EMPTY)
    at = find_heading(rows)
    if choices is not None:
        return _layout(_chosen_columns(rows, at or 0, choices))
    if at is not None:
        return _layout(_columns_with_headings(rows[at], _body(rows, at), pools))
    if has_headings_without_a_name(rows[0]):
        return _layout(_columns_without_a_name(rows[0], _body(rows, 0), pools))
    return _layout(_columns_without_headings(tuple(rows)))


def _body(rows: Sequence[Row], at: int) -> tuple[Row, ...]:
    """Returns the rows below the headings. Headings repeated on a second page are left out."""
    body = tuple(row for row in rows[at + 1 :] if row.cells != rows[at].cells)
    if not body:
        raise UnreadableError(remarks.HEADINGS_ONLY)
    return body


def _cell(row: Row, place: int | None) -> Cell:
    return row.cells[place] if place is not None and place < len(row.cells) else None


def _title(heading: Row | None, place: int) -> str:
    return abbreviate(cell_text(_cell(heading, place))) if heading is not None else ""


def _layout(columns: _Columns) -> Layout:
    places = {column: place for place, column in columns.by_place.items()}
    names = next((names for names in _NAME_PARTS if all(part in places for part in names)), None)
    if names is None:
        raise UnreadableError(remarks.NO_NAME_COLUMN)
    fields = {column: place for column, place in places.items() if column not in {*_NAMES, Column.COUNT}}
    titles = {column: _title(columns.heading, place) for column, place in places.items()}
    unused = [column for column in places if column in _NAMES - set(names)]
    left_out = [remarks.COLUMN_LEFT_OUT.on(None, column=titles[column]) for column in unused]
    name_titles = {Column.NAME: " + ".join(titles[part] for part in names)}
    read_as = {place: column for column, place in fields.items()}
    read_as |= {places[part]: Column.NAME if part is Column.FULL_NAME else part for part in names}
    return Layout(
        body=columns.body,
        names=tuple(places[part] for part in names),
        places=fields,
        titles=name_titles | {column: titles[column] for column in fields} if columns.heading else {},
        troubles=(*columns.troubles, *left_out),
        listed_columns=_listed_columns(columns, read_as),
        has_headings=columns.heading is not None,
        is_guessed=columns.is_guessed,
        turns_names=columns.turns_names,
    )


def _listed_columns(columns: _Columns, read_as: Mapping[int, Column]) -> tuple[ListedColumn, ...]:
    """Returns the columns that have a heading or a value."""
    rows = [*([columns.heading] if columns.heading else []), *columns.body]
    listed = (
        ListedColumn(
            place, _title(columns.heading, place), _first_values(columns.body, place), read_as.get(place)
        )
        for place in range(width_of(rows))
    )
    return tuple(column for column in listed if column.heading or column.values)


def _first_values(body: Sequence[Row], place: int) -> tuple[str, ...]:
    texts = (abbreviate(text) for row in body if (text := cell_text(_cell(row, place))))
    return tuple(text for text, _ in zip(texts, range(_VALUES_SHOWN), strict=False))


def _columns_with_headings(heading: Row, body: tuple[Row, ...], pools: PoolNames) -> _Columns:
    columns, troubles = _recognised_columns(heading, pools)
    number = next((place for place, column in columns.items() if column is Column.FEDERATION_ID), None)
    if number is not None and _is_row_number(body, number):
        del columns[number]
        troubles.append(remarks.COLUMN_COUNTS.on(None, column=_title(heading, number)))
    title = next((place for place, column in columns.items() if column is Column.TITLE), None)
    if title is not None and _has_no_titles(body, title):
        del columns[title]
        troubles.append(remarks.COLUMN_LEFT_OUT.on(None, column=_title(heading, title)))
    return _Columns(heading, body, columns, troubles)


def _recognised_columns(heading: Row, pools: PoolNames) -> tuple[dict[int, Column], list[Trouble]]:
    """Returns the first place of each known column, and a remark on every other one."""
    places: dict[Column, int] = {}
    troubles = []
    for place, column in enumerate(recognise_columns(heading.cells, pools)):
        title = _title(heading, place)
        if column is not None and column not in places:
            places[column] = place
        elif column is not None:
            first = _title(heading, places[column])
            troubles.append(remarks.COLUMN_REPEATED.on(None, column=title, first=first))
        elif title:
            troubles.append(remarks.COLUMN_LEFT_OUT.on(None, column=title))
    return {place: column for column, place in places.items()}, troubles


def _is_row_number(body: Sequence[Row], place: int) -> bool:
    """Returns True if a column counts 1, 2, 3 … from the top: an "ID" from a spreadsheet, not from a federation."""
    texts = [cell_text(_cell(row, place)) for row in body]
    return len(texts) >= _FEWEST_COUNTED and texts == [str(count) for count in range(1, len(texts) + 1)]


def _has_no_titles(body: Sequence[Row], place: int) -> bool:
    """Returns True for a column such as that of "Mrs" and "Dr.": it has values, and none says who holds a title."""
    readings = [title_or_yes(_cell(row, place)) for row in body]
    return any(reading.remark for reading in readings) and all(reading.value is None for reading in readings)


def _columns_without_a_name(heading: Row, body: tuple[Row, ...], pools: PoolNames) -> _Columns:
    """Looks for names in the columns whose headings are unknown."""
    columns, troubles = _recognised_columns(heading, pools)
    unknown = [place for place in range(width_of(body)) if place not in columns]
    names = find_names(body, unknown)
    if names is None:
        raise UnreadableError(remarks.NO_NAME_COLUMN)
    others = [trouble for trouble in troubles if trouble.params.get("column") != _title(heading, names)]
    return _Columns(heading, body, {**columns, names: Column.NAME}, others, is_guessed=True)


def _columns_without_headings(rows: tuple[Row, ...]) -> _Columns:
    columns = guess_columns(rows)
    guesses = [
        _GUESS_REMARKS[column].on(None, number=place + 1)
        for place, column in columns.items()
        if column is not Column.NAME
    ]
    first = min(columns)
    others = (place for row in rows for place in range(first, len(row.cells)) if cell_text(row.cells[place]))
    left_out = [remarks.NO_HEADINGS.on(None)] if set(others) - set(columns) else []
    return _Columns(None, rows, columns, [*guesses, *left_out], is_guessed=True)


def _chosen_columns(rows: Sequence[Row], at: int, choices: ColumnChoices) -> _Columns:
    """Reads a column that is chosen twice at its first place only."""
    heading = rows[at] if choices.has_headings else None
    places: dict[Column, int] = {}
    troubles = []
    for place, column in sorted(choices.columns.items()):
        if column in places:
            troubles.append(remarks.CHOSEN_TWICE.on(None, number=place + 1, first=places[column] + 1))
        else:
            places[column] = place
    return _Columns(
        heading,
        _body(rows, at) if heading else tuple(rows),
        {place: column for column, place in places.items()},
        troubles,
        turns_names=choices.turns_names,
    )
