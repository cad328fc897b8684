"""Shortens surnames to initials, for events that publish no full names. Pure."""

import re
from collections.abc import Collection

_PARTNERS = re.compile(r"([/&+])")  # between the two players of a pair


def short_name(full_name: str, taken: Collection[str] = ()) -> str:
    """Shortens "Anna Berg" to "Anna B.", or to more letters where `taken` has that name already.

    The last word of each player of a pair is taken for the surname. A name of one word stays as it is written,
    since its surname cannot be found.
    """
    longest = max(map(len, full_name.split()), default=1)
    for letters in range(1, longest + 1):
        parts = [_shorten(part, letters) for part in _PARTNERS.split(full_name)]
        if "".join(parts) not in taken:
            break
    return "".join(parts) if full_name.strip() else full_name


def _shorten(part: str, letters: int) -> str:
    words = part.split()
    if len(words) < 2:
        return part
    surname = words[-1]
    short = f"{words[0]} {surname if letters >= len(surname) else surname[:letters] + '.'}"
    before, after = part[: len(part) - len(part.lstrip())], part[len(part.rstrip()) :]
    return f"{before}{short}{after}"
