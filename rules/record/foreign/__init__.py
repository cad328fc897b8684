"""Reads the files of two programs, .xg and .bgf, with the help of an optional package. Import from here."""

from rules.record.foreign.reader import foreign_format, read_foreign

__all__ = ["foreign_format", "read_foreign"]
