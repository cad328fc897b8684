"""Shortens surnames to initials, for events that do not publish full names. Pure."""

import re
from collections.abc import Collection

_PARTNERS = re.compile(r"([/&+])")  # between the two players of a pair


def short_name(full_name: str, taken: Collection[str] = ()) -> str:
    """Shortens "Anna Berg" to "Anna B.", or to more letters if `taken` already has that name.

    The surname is the last word of each player of a pair. A single word is returned unchanged, because it has no
    separate surname.
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
