"""Reads a record in any supported format, which it detects by the content.

Never raises: a file that is no record gives a record without games and with a problem.
"""

import codecs
from collections.abc import Callable
from typing import Any

from rules.problem import problem
from rules.record.foreign import foreign_format, read_foreign
from rules.record.model import Format, Record
from rules.record.own_json import looks_like_json, read_json
from rules.record.sgf import looks_like_sgf, read_sgf
from rules.record.snowie import looks_like_snowie, read_snowie
from rules.record.text import looks_like_text, read_text

MOST_BYTES = 16_000_000
_LONGEST_CHARACTER = 4
_READERS: tuple[tuple[Callable[[str], bool], Callable[[str], Record]], ...] = (
    (looks_like_json, read_json),
    (looks_like_sgf, read_sgf),
    (looks_like_snowie, read_snowie),
    (looks_like_text, read_text),
)
"""The most specific format comes first."""
_READER_BY_SUFFIX = {"mat": read_text, "txt": read_text, "sgf": read_sgf}


def read(data: bytes, name: str = "") -> Record:
    """The record in these bytes. `name` is the file's name, used only if the content does not show the format."""
    if len(data) > MOST_BYTES:
        return _empty_record("file_too_large", megabytes=MOST_BYTES // 1_000_000)
    if foreign_format(data) is not None:
        return read_foreign(data)
    text = decode(data)
    if not text.strip():
        return _empty_record("nothing_to_read")
    for looks_like, read_as in _READERS:
        if looks_like(text):
            return read_as(text)
    reader_by_name = _READER_BY_SUFFIX.get(name.rpartition(".")[2].lower())
    record = reader_by_name(text) if reader_by_name is not None else None
    return record if record is not None and record.games else _empty_record("not_a_record")


def decode(data: bytes) -> str:
    """The text of these bytes: UTF-8 or UTF-16 by the byte order mark, else UTF-8, else Windows-1252."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", errors="replace")
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        is_cut_short = (
            error.start > len(data) - _LONGEST_CHARACTER and error.reason == "unexpected end of data"
        )
        encoding = "utf-8" if is_cut_short else "cp1252"
        return data.decode(encoding, errors="replace")


def _empty_record(code: str, **params: Any) -> Record:
    return Record(Format.UNKNOWN, 0, problems=(problem(code, **params),))
