"""Backs up a running installation to one file and restores it into an empty database of any supported kind.

The file is gzipped text: a header line, then each table with its rows, then a line with the row counts. A backup of
SQLite can be restored on PostgreSQL, and a backup of an older release in a newer one.
"""
