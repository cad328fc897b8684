"""`manage.py migrate`: Django's own, for one node at a time and in a release that fits the tables.

Each web node runs it when it starts, and all start at once after an update.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import OperationalError, connections
from django.db.backends.base.base import BaseDatabaseWrapper

from tournament.runtime import database_faults, migration_state
from tournament.runtime.database_faults import Trouble

MIGRATION_LOCK = 6_340_521
LOCK_SECONDS = 3
POLL_SECONDS = 0.2
MAX_ATTEMPTS = 10
TABLE_IN_USE = (
    "A table is in use and could not be changed. No change was left half-done: "
    "stop long queries and backups, then run “manage.py migrate” again."
)


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        connection = connections[options["database"]]
        with migration_lock(connection), short_lock_timeout(connection):
            if problem := migration_state.refusal_to_start():
                raise CommandError(problem, returncode=2)
            tries = 1
            while not self._try_migrate(tries, *args, **options):
                tries += 1

    def _try_migrate(self, tries: int, *args: Any, **options: Any) -> bool:
        """False when another try may find the table free. Django goes on where the last try ended."""
        try:
            super().handle(*args, **options)
        except OperationalError as error:
            if database_faults.trouble_of(error) is not Trouble.BUSY:
                raise
            if tries >= MAX_ATTEMPTS:
                raise CommandError(TABLE_IN_USE) from None
            return False
        return True


@contextmanager
def short_lock_timeout(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """Gives up a lock that is not free after LOCK_SECONDS: everybody who reads that table waits behind it.

    Set for each transaction, because a pooler may give the next one another connection.
    """

    short = f"SET LOCAL lock_timeout = '{LOCK_SECONDS}s'"

    def set_lock_timeout(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:  # noqa: FBT001
        if connection.in_atomic_block and sql != short:
            with connection.cursor() as cursor:
                cursor.execute(short)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(set_lock_timeout) if connection.vendor == "postgresql" else nullcontext():
        yield


@contextmanager
def migration_lock(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """Waits until no other node migrates. A file of SQLite has one installation, whose folder is locked already.

    The lock belongs to a transaction of its own, because a pooler may give each transaction another connection. One
    that waits holds none of the pooler's connections.
    """
    if connection.vendor != "postgresql":
        yield
        return
    lock = connection.copy()
    try:
        lock.set_autocommit(False)
        while not _try_lock(lock):
            lock.rollback()
            time.sleep(POLL_SECONDS)
        yield
    finally:
        lock.close()


def _try_lock(lock: BaseDatabaseWrapper) -> bool:
    with lock.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [MIGRATION_LOCK])
        return bool(cursor.fetchone()[0])
