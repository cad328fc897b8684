"""Classifies database errors, and logs outages of the database, its disk and the broker.

Each outage is logged once when it begins and once when it ends, however many requests and tasks fail in between.
Results need no decision here: an acknowledged result is committed, and clients send everything else again.
"""

import logging
import sqlite3
import threading
import time
from contextlib import closing
from enum import StrEnum
from typing import Any

from django.db import DatabaseError, InterfaceError, OperationalError, connections

log = logging.getLogger(__name__)

REMIND_SECONDS = 60.0
POLL_SECONDS = 0.25
# Writes to the server's log on the disk and changes no table.
WRITE_PROBE = "SELECT pg_logical_emit_message(true, 'director', 'are you there?')"
# Classes of SQLSTATE. A server that cannot be reached, is starting or is stopping often sends none.
UNREACHABLE = ("08", "57P")
# 25006 is sent by a standby after the primary server failed.
CANNOT_WRITE = ("25006", "53", "58", "XX")
BUSY = ("25P03", "40", "55P", "57014")
SQLITE_BUSY = {5, 6}
SQLITE_CANNOT_WRITE = {8, 10, 13, 14}


class DatabaseFault(StrEnum):
    """The reasons why a database refuses a correct statement."""

    AWAY = "database-away"
    CANNOT_WRITE = "database-cannot-write"
    BUSY = "database-busy"


class Outage:
    """An outage of one service. Thread-safe: logs the first failure and the end, not every failure.

    The outage ends with the first success after `settles` seconds without a failure.
    """

    def __init__(self, began: str, ended: str, settles: float = 0.0) -> None:
        self._began_sentence, self._ended_sentence, self._settles = began, ended, settles
        self._lock = threading.Lock()
        self._began_at = self._logged_at = self._failed_at = 0.0
        self._failures = 0

    @property
    def is_active(self) -> bool:
        return self._failures > 0

    def failed(self, error: BaseException) -> bool:
        """Counts a failure; True for the first one. A lasting outage is logged again every minute."""
        now = time.monotonic()
        with self._lock:
            is_first = self._failures == 0
            if is_first:
                self._began_at = now
            self._failures += 1
            self._failed_at = now
            if is_first or now - self._logged_at > REMIND_SECONDS:
                self._logged_at = now
                log.warning("%s (%s)", self._began_sentence, _first_line(error))
        return is_first

    def succeeded(self) -> None:
        """Call after every success. Takes no lock while there is no outage."""
        if not self._failures or time.monotonic() - self._failed_at < self._settles:
            return
        with self._lock:
            failures, self._failures = self._failures, 0
        if failures:
            seconds = time.monotonic() - self._began_at
            log.warning("%s after %.1f s; %d attempts had failed", self._ended_sentence, seconds, failures)


database = Outage("The database does not answer; requests get 503", "The database answers again")
disk = Outage("The database cannot write. Is its disk full?", "The database writes again", settles=5)
lock = Outage("The database was busy for too long", "The database is free again", settles=5)
broker = Outage("Redis does not answer; the sweep advances players", "Redis answers again", settles=2)
messages = Outage(
    "Redis refuses messages. Is its memory full? The sweep advances players",
    "Redis accepts messages again",
    settles=5,
)
OUTAGES = {DatabaseFault.AWAY: database, DatabaseFault.CANNOT_WRITE: disk, DatabaseFault.BUSY: lock}


def record_fault(error: BaseException) -> DatabaseFault | None:
    """Classifies the error and starts or continues the outage. None for an error of our own code."""
    fault = classify(error)
    if fault is not None and OUTAGES[fault].failed(error) and fault is DatabaseFault.AWAY:
        threading.Thread(target=_wait_until_back, daemon=True, name="until the database is back").start()
    return fault


def record_write() -> None:
    """Call after a successful write. Ends outages of the disk and of locks."""
    disk.succeeded()
    lock.succeeded()


def classify(error: BaseException) -> DatabaseFault | None:
    """Uses the error code of the database, because its sentences differ between versions."""
    if not isinstance(error, DatabaseError | InterfaceError):
        return None
    cause = error.__cause__
    code, state = getattr(cause, "sqlite_errorcode", None), getattr(cause, "sqlstate", None)
    # A SQLite file is never away. An error without a code comes from Python, which could not convert a value.
    if isinstance(cause, sqlite3.Error):
        return _classify_sqlite((code or 0) & 0xFF)
    if state is None:
        return DatabaseFault.AWAY if isinstance(error, OperationalError | InterfaceError) else None
    return _classify_sqlstate(state)


def _classify_sqlite(code: int) -> DatabaseFault | None:
    if code in SQLITE_BUSY:
        return DatabaseFault.BUSY
    return DatabaseFault.CANNOT_WRITE if code in SQLITE_CANNOT_WRITE else None


def _classify_sqlstate(state: str) -> DatabaseFault | None:
    if state.startswith(BUSY):
        return DatabaseFault.BUSY
    if state.startswith(UNREACHABLE):
        return DatabaseFault.AWAY
    return DatabaseFault.CANNOT_WRITE if state.startswith(CANNOT_WRITE) else None


def _wait_until_back() -> None:
    """Ends the outage when the database accepts writes."""
    wrapper: Any = connections["default"]
    try:
        while not _accepts_writes(wrapper):
            time.sleep(POLL_SECONDS)
        _drop_old_connections(wrapper)
    finally:  # otherwise this process would answer 503 until it is restarted
        database.succeeded()


def _accepts_writes(wrapper: Any) -> bool:
    """Uses a connection of its own, because a request would wait for the timeout of the pool.

    Writes, because a server whose disk hangs can still read. There is no timeout: each abandoned attempt would leave
    another hanging connection on the server.
    """
    if wrapper.vendor != "postgresql":
        return True
    options = {**wrapper.get_connection_params(), "connect_timeout": 2, "autocommit": True}
    try:
        with closing(wrapper.Database.connect(**options)) as probe:
            probe.execute(WRITE_PROBE)
    except wrapper.Database.Error as error:
        return _classify_sqlstate(error.sqlstate or UNREACHABLE[0]) is not DatabaseFault.AWAY
    return True


def _drop_old_connections(wrapper: Any) -> None:
    if pool := getattr(wrapper, "pool", None):
        pool.open()
        pool.drain()
        pool.check()  # opens a connection if requests wait for one


def unreachable_sentence(error: BaseException) -> str:
    """The error message of a command that cannot reach its database."""
    return f"The database does not answer ({_first_line(error)}): start it, or check DATABASE_URL."


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
