"""Text from a cell made safe and comparable: one Unicode form, single blanks, nothing that hides or turns.

Names of any script stay as they are written. What goes is what cannot be seen: control characters, marks
that turn the direction of reading (they can make one name look like another), soft hyphens, zero-width
blanks. The two joiners stay inside a word, where Persian and Indic spelling needs them.
"""

import re

from tournament.entries.lists.listing import Cell, MissingValue
from tournament.runtime.text import clean, has_letter

_LIST_MARK = re.compile(r"^\s*(?:\d{1,4}\s*[.):]|[•·*–—-](?=\s))\s*(?=\D)")
_WORKBOOK_ESCAPE = re.compile(r"_x00([01][0-9A-Fa-f])_")


def cell_text(cell: Cell) -> str:
    """What a cell says, cleaned. A whole number has no decimal point, whatever the workbook keeps."""
    if cell is None or isinstance(cell, MissingValue):
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return clean(_WORKBOOK_ESCAPE.sub(" ", str(cell)))


def without_list_mark(text: str) -> str:
    """ "1. Anna", "2) Anna" and "• Anna" without what counts them."""
    return _LIST_MARK.sub("", text)


def is_placeholder(text: str) -> bool:
    """A dash and the like, written where there is nothing to say."""
    return bool(text) and not any(letter.isalnum() for letter in text) and len(text) <= 3


def split_bracket(name: str) -> tuple[str, str]:
    """ "Anna Berg (GER)" as name and what stands in the last brackets; "" where nothing does."""
    start = max(name.rfind(sign, 0, -1) for sign in "()[]")
    before, inside = name[: max(start, 0)].rstrip(), name[start + 1 : -1]
    has_brackets = before and inside and name[start] in "([" and name[-1] in ")]"
    return (before, inside.strip()) if has_brackets else (name, "")


def given_name_first(name: str) -> str:
    """ "Berg, Anna" as "Anna Berg", where one comma divides a surname from a given name; else the name itself."""
    parts = [part.strip() for part in name.split(",")]
    if len(parts) != 2 or not all(map(has_letter, parts)) or any(map(str.isdecimal, name)):
        return name
    surname, given = parts
    is_likely = len(given.split()) <= 2 and 1 in (len(surname.split()), len(given.split()))
    is_code = len(given) == 3 and given.isupper()
    return f"{given} {surname}" if is_likely and not is_code else name


def has_delimiter(name: str) -> bool:
    """Whether a name holds a sign that usually divides columns."""
    return any(sign in name for sign in ";|\t")
