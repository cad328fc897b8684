"""Reading a list of players from a paste, a CSV file or an XLSX workbook.

`read` takes the bytes and gives a `Listing`: the lines that can be taken, and a sentence for everything
that cannot. It knows no event and no database, never raises, and takes its time only for what is small.
"""

from tournament.entries.lists.listing import Column, Line, Listing, Severity, Trouble
from tournament.entries.lists.reading import read_list

__all__ = ["Column", "Line", "Listing", "Severity", "Trouble", "read_list"]
