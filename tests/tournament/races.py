"""Work of two transactions at the same moment.

In a `race` the first transaction stays open until the second one reaches its first lock or write. What the second one
read before that moment is stale when it continues, so a missing lock fails every run.
"""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

from django.db import connection

from tournament.runtime.errors import NotFound, Refused

T = TypeVar("T")
BEGIN = "BEGIN IMMEDIATE"
LOCKS = ("FOR UPDATE", "FOR NO KEY UPDATE")
LOCK_IS_AWAITED = """
SELECT EXISTS (SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid)))
"""
TAKES_LOCK = (BEGIN, "INSERT", "UPDATE", "DELETE")


def signal_first_lock(event: threading.Event, row: str):
    """Sets the event before the first statement of this thread that locks or writes, or does so in this row."""

    def watch(execute, sql, params, many, context):
        takes_lock = sql.startswith(TAKES_LOCK) or any(lock in sql for lock in LOCKS)
        if sql == BEGIN or (row in f"{params}" and takes_lock):
            event.set()
        return execute(sql, params, many, context)

    return connection.execute_wrapper(watch)


def race(first, second: Callable[[], object], row: str = "") -> None:
    """Runs `second` in a thread of its own while the transaction that the context manager `first` opened is open.

    With the id of a `row`, only the first lock or change of that row counts.
    """
    arrived = threading.Event()

    def run() -> None:
        try:
            with signal_first_lock(arrived, row):
                second()
        finally:
            arrived.set()
            connection.close()

    with ThreadPoolExecutor(1) as threads:
        with first:
            outcome = threads.submit(run)
            assert arrived.wait(60)
        outcome.result(60)


def wait_for_blocked_transaction() -> None:
    """Returns when another transaction waits for this one, and has therefore read old rows."""
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        for _ in range(12_000):
            cursor.execute(LOCK_IS_AWAITED)
            if cursor.fetchone()[0]:
                return
            time.sleep(0.005)
    raise TimeoutError("No other transaction waits for this one.")


def refusals(work: Callable[[], object], codes: list[str]) -> None:
    try:
        work()
    except Refused as refused:
        codes.append(refused.code)


def at_once(*works: Callable[[], T]) -> list[T]:
    """Runs them in threads that begin together; returns what they return."""
    ready = threading.Barrier(len(works))

    def run(work: Callable[[], T]) -> T:
        try:
            ready.wait(20)
            return work()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(works)) as threads:
        return [outcome.result(30) for outcome in [threads.submit(run, work) for work in works]]


def outcomes_at_once(*works: Callable[[], object]) -> list[str]:
    """Like `at_once`; returns `done`, `gone`, or the code of the refusal for each."""

    def outcome(work: Callable[[], object]) -> str:
        try:
            work()
        except Refused as refused:
            return refused.code
        except NotFound:
            return "gone"
        return "done"

    return at_once(*[partial(outcome, work) for work in works])
