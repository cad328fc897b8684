"""Decodes bytes: by byte order mark, as UTF-8, as UTF-16 without a mark, else as Windows-1252 with a warning."""

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
_SAMPLE = 4_000


def decode(data: bytes) -> tuple[str, tuple[Trouble, ...]]:
    """Returns the text and troubles with it. Raises UnreadableError if the data is not text."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _check_text(_try_decode(data.removeprefix(mark), encoding)), ()
    text = _try_decode(data, "utf-8")
    if text is not None and "\0" not in text:
        return _check_text(text), ()
    if b"\0" in data:
        return _check_text(_decode_utf16(data)), ()
    return _decode_windows(data), (remarks.READ_AS_WINDOWS.on(None),)


def _try_decode(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return None


def _decode_windows(data: bytes) -> str:
    text = _check_text(data.decode("cp1252", errors="replace"))
    if "\ufffd" in text:
        raise UnreadableError(remarks.UNKNOWN_LETTERS)
    return text


def _decode_utf16(data: bytes) -> str | None:
    """Decodes UTF-16 without its mark, in the byte order that gives more ASCII characters."""
    candidates = (_try_decode(data, "utf-16-le"), _try_decode(data, "utf-16-be"))
    readable = [text for text in candidates if text is not None and _is_assigned(text)]
    return max(readable, key=_count_ascii, default=None)


def _count_ascii(text: str) -> int:
    return sum(letter.isascii() for letter in text[:_SAMPLE])


def _is_assigned(text: str) -> bool:
    sample = text[:_SAMPLE]
    unassigned = sum(
        unicodedata.category(letter) in {"Cn", "Co", "Cs"} or letter == "\0" for letter in sample
    )
    return unassigned * _ONE_IN <= len(sample)


def _check_text(text: str | None) -> str:
    if text is None or len(_CONTROLS.findall(text)) * _ONE_IN > len(text):
        raise UnreadableError(remarks.NOT_TEXT)
    return text
