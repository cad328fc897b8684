"""Reads .xg and .bgf files: detects the format, decodes, converts to a record."""

from rules.problem import problem
from rules.record.foreign.bgf import record_of_bgf
from rules.record.foreign.library import (
    XG_MAGIC,
    CannotDecode,
    MissingLibrary,
    bgf_document,
    is_bgf,
    xg_records,
)
from rules.record.foreign.xg import record_of_xg
from rules.record.model import Format, Record


def foreign_format(data: bytes) -> Format | None:
    """The format that the first bytes show; None if it is neither."""
    if data.startswith(XG_MAGIC):
        return Format.XG
    return Format.BGF if data.startswith(b"{") and is_bgf(data) else None


def read_foreign(data: bytes) -> Record:
    """The record of an .xg or .bgf file. Never raises; without the optional package a problem says what is missing."""
    file_format = foreign_format(data)
    if file_format is None:
        return Record(Format.UNKNOWN, 0, problems=(problem("not_a_record"),))
    try:
        return (
            record_of_xg(xg_records(data)) if file_format is Format.XG else record_of_bgf(bgf_document(data))
        )
    except MissingLibrary:
        code = "foreign_reader_missing"
    except CannotDecode:
        code = "foreign_not_understood"
    return Record(file_format, 0, problems=(problem(code, kind=f".{file_format}"),))
