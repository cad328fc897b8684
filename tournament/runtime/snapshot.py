"""Reading in several statements as at one moment, so that what was read fits together. Nothing here writes.

Inside a transaction of somebody else it adds nothing: whoever changes a tournament holds its lock anyway.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction


@contextmanager
def consistent_read() -> Iterator[None]:
    """All that is read inside is of the moment of its first statement, and nobody is kept waiting by it."""
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "postgresql":
        with transaction.atomic():
            _execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
    else:
        with _only_reading():
            yield


@contextmanager
def _only_reading() -> Iterator[None]:
    """SQLite: a transaction that takes no lock before it writes, which it never does."""
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
