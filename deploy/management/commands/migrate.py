"""`manage.py migrate`: Django's own, for one node at a time and in a release that fits the tables.

Each web node runs it when it starts, and all start at once after an update.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import DatabaseError, OperationalError, connections
from django.db.backends.base.base import BaseDatabaseWrapper

from tournament import outages, tables
from tournament.outages import Trouble

THE_TABLES = 6_340_521
LOCK_SECONDS = 3
TRIES = 10
TABLE_IN_USE = (
    "A table is in use and could not be changed. No change was left half-done: "
    "stop long queries and backups, then run “manage.py migrate” again."
)


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        connection = connections[options["database"]]
        with alone(connection), short_waits(connection):
            if problem := tables.refusal_to_start():
                raise CommandError(problem, returncode=2)
            tries = 1
            while not self._is_done(tries, *args, **options):
                tries += 1

    def _is_done(self, tries: int, *args: Any, **options: Any) -> bool:
        """False when another try may find the table free. Django goes on where the last try ended."""
        try:
            super().handle(*args, **options)
        except OperationalError as error:
            if outages.trouble_of(error) is not Trouble.BUSY:
                raise
            if tries >= TRIES:
                raise CommandError(TABLE_IN_USE) from None
            return False
        return True


@contextmanager
def short_waits(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """Gives up a lock that is not free after LOCK_SECONDS: everybody who reads that table waits behind it."""
    if connection.vendor != "postgresql":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute(f"SET lock_timeout = '{LOCK_SECONDS}s'")
    try:
        yield
    finally:
        with suppress(DatabaseError), connection.cursor() as cursor:
            cursor.execute("RESET lock_timeout")


@contextmanager
def alone(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """Whoever comes second waits here. A file of SQLite has one installation, whose folder is locked already."""
    if connection.vendor != "postgresql":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [THE_TABLES])
    try:
        yield
    finally:
        # A connection that broke holds nothing any more.
        with suppress(DatabaseError), connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [THE_TABLES])
