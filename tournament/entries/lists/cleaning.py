"""Cleans text from cells of a list: list marks, placeholders, brackets, and the order of a name."""

import re

from tournament.entries.lists.listing import Cell, MissingValue
from tournament.runtime.text import clean, has_letter

_LIST_MARK = re.compile(r"^\s*(?:\d{1,4}\s*[.):]|[•·*–—-](?=\s))\s*(?=\D)")
_RATING = re.compile(r"\d{3}")
_SUFFIXES = frozenset({"jr", "sr", "jun", "sen", "ii", "iii", "iv"})
_WORKBOOK_ESCAPE = re.compile(r"_x00([01][0-9A-Fa-f])_")


def cell_text(cell: Cell) -> str:
    """Returns the cleaned text of a cell. A whole number has no decimal point, even if the workbook stores one."""
    if cell is None or isinstance(cell, MissingValue):
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return clean(_WORKBOOK_ESCAPE.sub(" ", str(cell)))


def without_list_mark(text: str) -> str:
    """Removes the mark from "1. Anna", "2) Anna" and "• Anna"."""
    return _LIST_MARK.sub("", text)


def is_placeholder(text: str) -> bool:
    """Returns True for a dash or similar sign in an otherwise empty cell."""
    return bool(text) and not any(letter.isalnum() for letter in text) and len(text) <= 3


def split_bracket(name: str) -> tuple[str, str]:
    """Splits "Anna Berg (GER)" into the name and the text in the last brackets, "" without brackets."""
    start = max(name.rfind(sign, 0, -1) for sign in "()[]")
    before, inside = name[: max(start, 0)].rstrip(), name[start + 1 : -1]
    has_brackets = before and inside and name[start] in "([" and name[-1] in ")]"
    return (before, inside.strip()) if has_brackets else (name, "")


def given_name_first(name: str) -> str:
    """Turns "Berg, Anna" into "Anna Berg" if the comma is likely to separate surname and given name."""
    parts = [part.strip() for part in name.split(",")]
    if len(parts) != 2 or not all(map(has_letter, parts)) or any(map(str.isdecimal, name)):
        return name
    surname, given_name = parts
    is_likely = len(given_name.split()) <= 2 and 1 in (len(surname.split()), len(given_name.split()))
    is_addition = (len(given_name) == 3 and given_name.isupper()) or given_name.casefold().rstrip(
        "."
    ) in _SUFFIXES
    return f"{given_name} {surname}" if is_likely and not is_addition else name


def could_hold_columns(name: str) -> bool:
    """Returns True if a name has a character that usually separates columns, or a number such as a rating."""
    return any(sign in name for sign in ";|\t") or _RATING.search(name) is not None
