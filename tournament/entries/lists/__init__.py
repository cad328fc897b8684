"""Reads a list of players from a paste, a CSV file or an XLSX workbook.

`read_list` takes bytes and returns a `Listing`: the valid lines, and a sentence for everything else. It uses no event
and no database, never raises, and limits the size of its input.
"""

from tournament.entries.lists.listing import Column, ColumnChoices, Line, Listing, Severity, Trouble
from tournament.entries.lists.reading import list_text, read_list

__all__ = ["Column", "ColumnChoices", "Line", "Listing", "Severity", "Trouble", "list_text", "read_list"]
