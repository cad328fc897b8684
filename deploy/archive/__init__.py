"""The whole installation in one file, on any database: written while it is at work, opened in an empty one.

The file is text under gzip: a line that says what it is, then each table with its rows, then a line that says how many
there were. So one made on a laptop's SQLite opens on a server's PostgreSQL, and one of an older release in a newer.
"""
