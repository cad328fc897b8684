"""Writes a probe for health checks, so that they report a full disk or a read-only database.

Each process probes separately, because it does not see the failed writes of other processes.
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
"""Free bytes that SQLite needs on the disk of its file."""
# Larger than the free space inside existing pages, so that a file has to grow.
GROW = (
    "CREATE TABLE director_write_probe AS "
    "SELECT repeat(md5(number::text), 64) AS filler FROM generate_series(1, 64) AS number"
)
_probe_lock = threading.Lock()
_next_probe = 0.0


def probe() -> None:
    """Updates `database_faults.disk`. Writes at most every PROBE_SECONDS per process, and changes no row."""
    global _next_probe  # noqa: PLW0603
    if (
        database_faults.database.is_active
        or time.monotonic() < _next_probe
        or not _probe_lock.acquire(blocking=False)
    ):
        return
    try:
        _try_to_write()
    finally:
        _next_probe = time.monotonic() + PROBE_SECONDS
        _probe_lock.release()


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
