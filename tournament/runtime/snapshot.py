"""Consistent reads: several statements that see the database at one moment. Nothing here writes."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction


@contextmanager
def consistent_read() -> Iterator[None]:
    """All statements inside see the state at the first of them. Takes no lock.

    Inside an open transaction it does nothing: a writer holds the lock of its tournament anyway.
    """
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "postgresql":
        with transaction.atomic():
            _execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
    else:
        with _deferred_transaction():
            yield


@contextmanager
def _deferred_transaction() -> Iterator[None]:
    """SQLite: a deferred transaction, which takes no write lock because it never writes."""
    connection.ensure_connection()
    if connection.connection.in_transaction:
        yield
        return
    _execute("BEGIN")
    try:
        yield
    finally:
        _execute("ROLLBACK")


def _execute(sql: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql)
