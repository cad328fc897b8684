"""Guesses the columns of a list without headings from their values."""

from collections.abc import Callable, Sequence

from tournament.entries.lists.cleaning import cell_text, without_list_mark
from tournament.entries.lists.countries import country_code, looks_like_code
from tournament.entries.lists.limits import HIGHEST_RATING, LOWEST_LIKELY_RATING
from tournament.entries.lists.listing import Column, Row
from tournament.entries.lists.values import decimal_of
from tournament.runtime.text import has_letter


def guess_columns(rows: Sequence[Row]) -> dict[int, Column]:
    """Returns the guessed columns by place: one with names, and at most one country, one rating and one club."""
    name = find_names(rows, range(int(_starts_with_row_numbers(rows)), width_of(rows)))
    name = int(_starts_with_row_numbers(rows)) if name is None else name
    columns = {name: Column.NAME}
    for place in range(width_of(rows)):
        column = _guess_column(rows, place) if place != name else None
        if column is not None and column not in columns.values():
            columns[place] = column
    return columns


def find_names(rows: Sequence[Row], places: Sequence[int]) -> int | None:
    """Returns the first of these places where most values look like names of people, or None."""
    return next((place for place in places if _most(_texts(rows, place), _could_be_name)), None)


def width_of(rows: Sequence[Row]) -> int:
    return max((len(row.cells) for row in rows), default=0)


def _texts(rows: Sequence[Row], place: int) -> list[str]:
    """Returns the values of a column that are not blank."""
    return [text for row in rows if place < len(row.cells) and (text := cell_text(row.cells[place]))]


def _starts_with_row_numbers(rows: Sequence[Row]) -> bool:
    numbers = [cell_text(row.cells[0]).rstrip(".)") for row in rows]
    return all(number.isdecimal() for number in numbers) and bool(_texts(rows, 1))


def _guess_column(rows: Sequence[Row], place: int) -> Column | None:
    """Returns the column that fits most values, so that one bad cell does not discard the column.

    A country or a rating has so few forms that half of the values are enough.
    """
    texts = _texts(rows, place)
    if not texts:
        return None
    if _count(texts, _could_be_country) * 2 >= len(texts):
        return Column.COUNTRY
    if _count(texts, _could_be_rating) * 2 >= len(texts):
        return Column.RATING
    return Column.CLUB if _most(texts, _could_be_club) else None


def _most(texts: Sequence[str], fits: Callable[[str], bool]) -> bool:
    return _count(texts, fits) * 2 > len(texts)


def _count(texts: Sequence[str], fits: Callable[[str], bool]) -> int:
    return sum(map(fits, texts))


def _could_be_name(text: str) -> bool:
    name = without_list_mark(text)
    return _could_be_club(name) and not any(map(str.isdecimal, name)) and not _could_be_country(name)


def _could_be_country(text: str) -> bool:
    return bool(country_code(text)) and (not looks_like_code(text) or (len(text) == 3 and text.isupper()))


def _could_be_rating(text: str) -> bool:
    value = decimal_of(text)
    return value is not None and LOWEST_LIKELY_RATING <= value <= HIGHEST_RATING


def _could_be_club(text: str) -> bool:
    """Returns False for numbers, dates, e-mail addresses and texts that are mostly digits."""
    return has_letter(text) and "@" not in text and sum(map(str.isdecimal, text)) * 2 < len(text)
