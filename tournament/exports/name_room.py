"""Whether a name fits into the room there is for it, and how it is cut when it does not. Pure.

Estimated, since nothing here knows the font: wide signs count twice, signs that stand on others not at all.
"""

import unicodedata

WIDE = ("W", "F")
ON_OTHERS = ("Mn", "Me", "Cf")
BROAD = set("MWmw@%")


def room_of(text: str) -> float:
    """How much room the text takes, in small letters."""
    return sum(_room_of_sign(sign) for sign in text)


def fitting(text: str, room: float) -> str:
    """The text, or as much of its beginning as fits with an ellipsis."""
    if room_of(text) <= room:
        return text
    taken, kept = 1.0, ""
    for sign in text:
        taken += _room_of_sign(sign)
        if taken > room:
            break
        kept += sign
    return f"{kept.rstrip()}…"


def _room_of_sign(sign: str) -> float:
    if unicodedata.category(sign) in ON_OTHERS:
        return 0
    if unicodedata.east_asian_width(sign) in WIDE:
        return 2
    if sign in BROAD:
        return 1.9
    return 1.25 if sign.isupper() else 1
