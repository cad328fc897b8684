"""Tries to write now and then, so that health checks report a full disk or a database that is read-only.

A failed write is known only to the process that met it: other web processes and workers fail unseen.
"""

import errno
import shutil
import threading
import time
from pathlib import Path

from django.db import Error, connection, transaction

from tournament.runtime import database_faults

PROBE_SECONDS = 5.0
LEAST_FREE = 1_000_000
"""Bytes that a SQLite file needs beside it."""
# Larger than what is free inside the pages of a table, so that the file has to grow.
GROW = (
    "CREATE TABLE director_write_probe AS "
    "SELECT repeat(md5(number::text), 64) AS filler FROM generate_series(1, 64) AS number"
)
_alone = threading.Lock()
_next = 0.0


def probe() -> None:
    """Begins or ends `outages.disk`. Tries at most every PROBE_SECONDS in each process, and changes no row."""
    global _next  # noqa: PLW0603
    if database_faults.database.is_active or time.monotonic() < _next or not _alone.acquire(blocking=False):
        return
    try:
        _try_to_write()
    finally:
        _next = time.monotonic() + PROBE_SECONDS
        _alone.release()


def _try_to_write() -> None:
    try:
        _write_in_sqlite() if connection.vendor == "sqlite" else _write_in_postgresql()
    except Error as error:
        database_faults.record_fault(error)
    except OSError as error:
        database_faults.disk.failed(error)
    else:
        database_faults.disk.succeeded()


def _write_in_postgresql() -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(GROW)
        transaction.set_rollback(True)


def _write_in_sqlite() -> None:
    """Writes only after a failure: every write makes COPY_DIR take a new copy."""
    folder = Path(str(connection.settings_dict["NAME"])).parent
    if shutil.disk_usage(folder).free < LEAST_FREE:
        raise OSError(errno.ENOSPC, f"less than {LEAST_FREE:,} bytes are free in {folder}")
    if database_faults.disk.is_active:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("PRAGMA user_version = 0")
