"""`manage.py migrate`: Django's command with a lock, short lock timeouts and a check of the release.

After an update all web nodes start at once and each runs it.
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
from tournament.runtime.database_faults import DatabaseFault

MIGRATION_LOCK = 6_340_521
LOCK_SECONDS = 3
POLL_SECONDS = 0.2
MAX_ATTEMPTS = 10
TABLE_IN_USE = (
    "A table is in use and was not changed. No migration is half-done: "
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
        """Returns False if a table was locked and another attempt may succeed. Django skips applied migrations."""
        try:
            super().handle(*args, **options)
        except OperationalError as error:
            if database_faults.classify(error) is not DatabaseFault.BUSY:
                raise
            if tries >= MAX_ATTEMPTS:
                raise CommandError(TABLE_IN_USE) from None
            return False
        return True


@contextmanager
def short_lock_timeout(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """Limits the wait for a table lock to LOCK_SECONDS, because all readers of the table queue behind it.

    Set per transaction, because a pooler may use another connection for the next one.
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
    """Waits until no other node migrates. SQLite needs no lock here: its data folder is locked already.

    The advisory lock belongs to a separate open transaction, because a pooler may use another connection for each
    transaction. A waiting node holds no connection of the pooler.
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
