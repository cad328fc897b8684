"""Estimates the width of a text and truncates it. Pure.

The font is unknown: wide characters count twice, combining characters do not count.
"""

import unicodedata

WIDE = ("W", "F")
COMBINING = ("Mn", "Me", "Cf")
BROAD = set("MWmw@%")


def text_width(text: str) -> float:
    """Returns the width in units of a small letter."""
    return sum(_character_width(sign) for sign in text)


def truncate(text: str, room: float) -> str:
    """Returns the text, or its beginning with an ellipsis if it is wider than `room`."""
    if text_width(text) <= room:
        return text
    width, kept_text = 1.0, ""
    for sign in text:
        width += _character_width(sign)
        if width > room:
            break
        kept_text += sign
    return f"{kept_text.rstrip()}…"


def _character_width(sign: str) -> float:
    if unicodedata.category(sign) in COMBINING:
        return 0
    if unicodedata.east_asian_width(sign) in WIDE:
        return 2
    if sign in BROAD:
        return 1.9
    return 1.25 if sign.isupper() else 1
