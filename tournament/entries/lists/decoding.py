"""Bytes to text: by mark, as UTF-8, as UTF-16 without a mark, else as Windows-1252 with a warning."""

import codecs
import re
import unicodedata

from tournament.entries.lists import remarks
from tournament.entries.lists.listing import Trouble
from tournament.entries.lists.remarks import UnreadableError

_MARKS = (  # the longer mark first: UTF-32's begins with UTF-16's
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f]")
_ONE_IN = 100  # text may hold a stray control character, not many
_LOOKED_AT = 4_000


def decode(data: bytes) -> tuple[str, tuple[Trouble, ...]]:
    """The text and what there is to say about it. Raises UnreadableError where it is no text."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _checked(_decoded(data.removeprefix(mark), encoding)), ()
    text = _decoded(data, "utf-8")
    if text is not None and "\0" not in text:
        return _checked(text), ()
    if b"\0" in data:
        return _checked(_utf16(data)), ()
    return _windows(data), (remarks.READ_AS_WINDOWS.on(None),)


def _decoded(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return None


def _windows(data: bytes) -> str:
    text = _checked(data.decode("cp1252", errors="replace"))
    if "\ufffd" in text:
        raise UnreadableError(remarks.UNKNOWN_LETTERS)
    return text


def _utf16(data: bytes) -> str | None:
    """UTF-16 whose mark was lost: the byte order in which blanks, commas and line ends show."""
    both = (_decoded(data, "utf-16-le"), _decoded(data, "utf-16-be"))
    readable = [text for text in both if text is not None and _is_assigned(text)]
    return max(readable, key=_plain_letters, default=None)


def _plain_letters(text: str) -> int:
    return sum(letter.isascii() for letter in text[:_LOOKED_AT])


def _is_assigned(text: str) -> bool:
    looked_at = text[:_LOOKED_AT]
    odd = sum(unicodedata.category(letter) in {"Cn", "Co", "Cs"} or letter == "\0" for letter in looked_at)
    return odd * _ONE_IN <= len(looked_at)


def _checked(text: str | None) -> str:
    if text is None or len(_CONTROLS.findall(text)) * _ONE_IN > len(text):
        raise UnreadableError(remarks.NOT_TEXT)
    return text
