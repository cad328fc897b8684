"""A SQLite connection whose write transactions wait in a fair queue.

SQLite's busy handler retries after ever longer pauses, so the oldest waiter retries least often: with several writers
one submit in a hundred took seconds. Here the threads of a process share a FIFO lock; only the thread that holds it
retries, at short equal intervals, against one thread of every other process.
"""

import sqlite3
import time
from collections import defaultdict
from typing import Any

from django.db import OperationalError
from django.db.backends.sqlite3.base import DatabaseWrapper as Sqlite

from deploy.sqlite.fifo_lock import FifoLock

RETRY_SECONDS = 0.0005
YIELD_SECONDS = 0.0003
"""After a commit, a process with waiting threads leaves the file to other processes for this time."""
_write_locks: defaultdict[str, FifoLock] = defaultdict(FifoLock)
"""By file name."""


class DatabaseWrapper(Sqlite):
    """Django's SQLite backend with another way to begin and end transactions."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._holds_lock = False
        self._write_lock = _write_locks[str(self.settings_dict["NAME"])]
        self._timeout: float = self.settings_dict["OPTIONS"].get("timeout", 5.0)

    def _start_transaction_under_autocommit(self) -> None:
        """Raises OperationalError, like SQLite, if the lock was not free in time."""
        deadline = time.monotonic() + self._timeout
        self._holds_lock = self._write_lock.acquire(self._timeout)
        try:
            self._begin_with_retries(deadline)
        except BaseException:
            self._release()
            raise

    def _begin_with_retries(self, deadline: float) -> None:
        self.connection.execute("PRAGMA busy_timeout = 0")
        try:
            while not self._try_begin(deadline):
                time.sleep(RETRY_SECONDS)
        finally:
            self.connection.execute(f"PRAGMA busy_timeout = {round(self._timeout * 1000)}")

    def _try_begin(self, deadline: float) -> bool:
        try:
            super()._start_transaction_under_autocommit()  # type: ignore[misc]
        except OperationalError as error:
            code = getattr(error.__cause__, "sqlite_errorcode", 0) & 0xFF
            if code != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            return False
        return True

    def _release(self) -> None:
        if self._holds_lock:
            self._holds_lock = False
            if self._write_lock.has_waiters:
                time.sleep(YIELD_SECONDS)
            self._write_lock.release()

    def _set_autocommit(self, autocommit: bool) -> None:  # noqa: FBT001 (as Django calls it)
        """Releases the lock here too: after an interrupted commit Django only restores autocommit."""
        super()._set_autocommit(autocommit)  # type: ignore[misc]
        if autocommit:
            self._release()

    def _commit(self) -> None:
        super()._commit()  # type: ignore[misc]
        self._release()

    def _rollback(self) -> None:
        try:
            super()._rollback()  # type: ignore[misc]
        finally:
            self._release()

    def _close(self) -> None:
        try:
            super()._close()  # type: ignore[misc]
        finally:
            self._release()
