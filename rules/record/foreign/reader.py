"""Reads .xg and .bgf files: tells them apart, has them decoded, and turns what comes out into our record."""

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
    """Which of the two these bytes are, by what they begin with."""
    if data.startswith(XG_MAGIC):
        return Format.XG
    return Format.BGF if data.startswith(b"{") and is_bgf(data) else None


def read_foreign(data: bytes) -> Record:
    """The record of an .xg or .bgf file. Never raises; without the optional package it says what is missing."""
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
