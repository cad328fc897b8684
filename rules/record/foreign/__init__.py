"""Reads .xg and .bgf files with an optional package. Import from here."""

from rules.record.foreign.reader import foreign_format, read_foreign

__all__ = ["foreign_format", "read_foreign"]
