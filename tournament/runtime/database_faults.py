"""What the product needs and may lose for a while: the database, room on its disk, the broker.

The log is told when one of them goes and when it comes back, in one line each, however many requests and tasks meet
the fault meanwhile. Nothing is decided here about results: what was acknowledged is committed, the rest is sent again.
"""

import logging
import sqlite3
import threading
import time
from contextlib import closing, suppress
from enum import StrEnum
from typing import Any

from django.db import DatabaseError, InterfaceError, OperationalError, connections

log = logging.getLogger(__name__)

REMIND_SECONDS = 60.0
POLL_SECONDS = 0.25
NEW_POOL_ALIAS = "next"
# It stands in the server's log, which is on the disk then, and nowhere else.
WRITE_PROBE = "SELECT pg_logical_emit_message(true, 'director', 'are you there?')"
# Classes of SQLSTATE. A server that cannot be reached, or is starting or ending, often has none to tell.
UNREACHABLE = ("08", "57P")
# 25006: a standby, after the first server fell.
CANNOT_WRITE = ("25006", "53", "58", "XX")
BUSY = ("25P03", "40", "55P", "57014")
SQLITE_BUSY = {5, 6}
SQLITE_CANNOT_WRITE = {8, 10, 13, 14}


class DatabaseFault(StrEnum):
    """How the database fails whoever asks it, through no fault of theirs."""

    AWAY = "database-away"
    CANNOT_WRITE = "database-cannot-write"
    BUSY = "database-busy"


class Outage:
    """One thing that may be missing. Many threads may meet it; the first says so, and the one who ends it.

    What fails now and then for a while has come back only when nothing failed for `settles` seconds.
    """

    def __init__(self, goes: str, comes_back: str, settles: float = 0.0) -> None:
        self._goes, self._comes_back, self._settles = goes, comes_back, settles
        self._alone = threading.Lock()
        self._began = self._told = self._last = 0.0
        self._met = 0

    @property
    def is_active(self) -> bool:
        return self._met > 0

    def failed(self, error: BaseException) -> bool:
        """Counts a failure; True for the first of them. One that lasts is told again every minute."""
        now = time.monotonic()
        with self._alone:
            is_first = self._met == 0
            if is_first:
                self._began = now
            self._met += 1
            self._last = now
            if is_first or now - self._told > REMIND_SECONDS:
                self._told = now
                log.warning("%s (%s)", self._goes, _first_line(error))
        return is_first

    def succeeded(self) -> None:
        """Said after every success, so it costs nothing where nothing was wrong."""
        if not self._met or time.monotonic() - self._last < self._settles:
            return
        with self._alone:
            met, self._met = self._met, 0
        if met:
            lasted = time.monotonic() - self._began
            log.warning("%s after %.1f s; %d attempts had failed", self._comes_back, lasted, met)


database = Outage("the database is away; what needs it is answered 503, or waits", "the database is back")
disk = Outage("the database cannot write, is its disk full?", "the database writes again", settles=5)
lock = Outage("the database was busy for too long", "the database is free again", settles=5)
broker = Outage("the broker is away; players are moved on by the sweep", "the broker is back", settles=2)
messages = Outage(
    "the broker takes no messages, is its memory full? players are moved on when it does",
    "the broker takes messages again",
    settles=5,
)
OUTAGES = {DatabaseFault.AWAY: database, DatabaseFault.CANNOT_WRITE: disk, DatabaseFault.BUSY: lock}


def record_fault(error: BaseException) -> DatabaseFault | None:
    """What this error says of the database; None for what is a fault of ours. The outage is told and watched."""
    trouble = classify(error)
    if trouble is None or _pool_was_replaced(error):
        return trouble
    if OUTAGES[trouble].failed(error) and trouble is DatabaseFault.AWAY:
        threading.Thread(target=_wait_until_back, daemon=True, name="until the database is back").start()
    return trouble


def record_write() -> None:
    """Something was kept just now."""
    disk.succeeded()
    lock.succeeded()


def classify(error: BaseException) -> DatabaseFault | None:
    """By the code of the database; sentences differ from version to version."""
    if not isinstance(error, DatabaseError | InterfaceError):
        return None
    cause = error.__cause__
    code, state = getattr(cause, "sqlite_errorcode", None), getattr(cause, "sqlstate", None)
    if isinstance(
        cause, sqlite3.Error
    ):  # a file is never away; without a code Python itself could not read a row
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
    """Returns when the database answers again. Connections from before are dropped, so that nobody is given one."""
    before = None
    try:
        while not _accepts_writes(connections["default"]):
            time.sleep(POLL_SECONDS)
        with suppress(DatabaseError, InterfaceError):
            before = _replace_pool()
    finally:  # else everybody would be answered 503 for as long as this process lives
        database.succeeded()
    if before is not None:
        before.close()  # it waits for its own attempts to connect, for which nobody else has to


def _accepts_writes(ours: Any) -> bool:
    """Asked beside the pool, which waits longer after each attempt that failed; and asked to keep something, for one
    whose disk hangs still reads. That may take as long as it takes: whoever gave up would leave more to end there."""
    if ours.vendor != "postgresql":
        return True
    how = {**ours.get_connection_params(), "connect_timeout": 2, "autocommit": True}
    try:
        with closing(ours.Database.connect(**how)) as asked:
            asked.execute(WRITE_PROBE)
    except ours.Database.Error as error:
        return _classify_sqlstate(error.sqlstate or UNREACHABLE[0]) is not DatabaseFault.AWAY
    return True


def _replace_pool() -> Any:
    """Puts a new pool in the place of the one there was, so that nobody meets none or a closed one; returns that."""
    ours: Any = connections["default"]
    pools: dict[str, Any] = getattr(ours, "_connection_pools", {})
    if ours.alias not in pools:
        return None
    ours.copy(NEW_POOL_ALIAS).pool.open()
    before, pools[ours.alias] = pools[ours.alias], pools.pop(NEW_POOL_ALIAS)
    return before


def unreachable_sentence(error: BaseException) -> str:
    """The sentence of a command whose database does not answer."""
    return f"The database does not answer ({_first_line(error)}): start it, or check DATABASE_URL."


def _pool_was_replaced(error: BaseException) -> bool:
    """Who waited for a pool that has just been replaced: that the database is back is known already."""
    return type(error.__cause__).__name__ == "PoolClosed"


def _first_line(error: BaseException) -> str:
    """The first line of what it says."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
