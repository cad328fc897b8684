"""`manage.py migrate`: Django's own, by one at a time. Each web node asks for it when it starts, and all start at once
after an update: two who found the same to do would do some of it twice."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from django.core.management.commands import migrate
from django.db import DatabaseError, connections
from django.db.backends.base.base import BaseDatabaseWrapper

THE_TABLES = 6_340_521


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        with alone(connections[options["database"]]):
            super().handle(*args, **options)


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
