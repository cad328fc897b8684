"""Writes a record as a text match record or as our own JSON."""

from rules.record.model import Format, Record
from rules.record.own_json import write_json
from rules.record.text import write_text


class FormatNotWritable(ValueError):
    """Raised for a format that can only be read."""


def write(record: Record, format: Format) -> str:  # noqa: A002
    """The record in this format; reading it again gives the same entries."""
    if format is Format.MAT:
        return write_text(record)
    if format is Format.JSON:
        return write_json(record)
    raise FormatNotWritable(f"Records are written as {Format.MAT} or {Format.JSON}, not as {format}.")
