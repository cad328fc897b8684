"""Writers of one SQLite file take turns: in order, not for ever, and the next one whatever became of the last."""

import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import OperationalError, connection

from deploy.sqlite.base import DatabaseWrapper, FifoLock
from tests.flows.waiting import until


@pytest.fixture
def new_connection(tmp_path):
    opened = []

    def new(**options) -> DatabaseWrapper:
        base = {**connection.settings_dict, "NAME": str(tmp_path / "one.sqlite3")}
        options = {"transaction_mode": "IMMEDIATE", "timeout": 20, **options}
        opened.append(DatabaseWrapper({**base, "OPTIONS": options}, "default"))
        opened[-1].inc_thread_sharing()
        return opened[-1]

    yield new
    for one in opened:
        one.close()


def write(one: DatabaseWrapper, value: int) -> None:
    one.set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)
    one.cursor().execute("INSERT INTO rows VALUES (%s)", [value])


def end(one: DatabaseWrapper) -> None:
    one.commit()
    one.set_autocommit(True)


def test_threads_get_the_lock_in_order_of_arrival():
    turns, order = FifoLock(), []
    assert turns.acquire(0)

    def take(number: int) -> None:
        assert turns.acquire(20)
        order.append(number)
        turns.release()

    with ThreadPoolExecutor(5) as threads:
        for number in range(5):
            threads.submit(take, number)
            until(lambda number=number: len(turns._waiting) == number + 1, "the next one waits")
        turns.release()
    assert order == [0, 1, 2, 3, 4]
    assert not turns.has_waiters


def test_a_thread_that_timed_out_leaves_the_queue():
    turns = FifoLock()
    assert turns.acquire(0)
    assert not turns.acquire(0.01)
    turns.release()
    assert turns.acquire(0)


@pytest.mark.django_db
def test_a_transaction_waits_for_the_previous_one_however_it_ends(new_connection):
    first, second, other = new_connection(), new_connection(), new_connection(timeout=0.01)
    first.cursor().execute("CREATE TABLE rows (value integer)")
    endings = {
        "commit": end,
        "rollback": lambda one: one.rollback(),
        "broken into": lambda one: one.set_autocommit(True),
        "hang up": lambda one: one.close(),
    }
    for name, ending in endings.items():
        write(first, 1)
        with pytest.raises(OperationalError, match="locked") as locked:
            write(other, 3)
        assert locked.value.__cause__.sqlite_errorcode == sqlite3.SQLITE_BUSY
        waiting = threading.Thread(target=write, args=(second, 2))
        waiting.start()
        until(lambda: first._write_lock.has_waiters, "the second one waits")
        ending(first)
        waiting.join(20)
        assert not waiting.is_alive(), name
        assert second._holds_lock, name
        end(second)
        if name != "hang up":
            first.set_autocommit(True)
    values = [value for (value,) in first.cursor().execute("SELECT value FROM rows")]
    assert sorted(values) == [1, 1, 2, 2, 2, 2]


@pytest.mark.django_db
def test_a_transaction_waits_for_another_process(new_connection, tmp_path):
    ours = new_connection()
    ours.cursor().execute("CREATE TABLE rows (value integer)")
    theirs = sqlite3.connect(tmp_path / "one.sqlite3", isolation_level=None, check_same_thread=False)
    theirs.execute("BEGIN IMMEDIATE")
    waiting = threading.Thread(target=write, args=(ours, 2))
    waiting.start()
    until(lambda: ours._holds_lock, "it is our turn here")
    theirs.execute("COMMIT")
    waiting.join(20)
    end(ours)
    assert ours.cursor().execute("SELECT value FROM rows").fetchall() == [(2,)]
    assert ours.cursor().execute("PRAGMA busy_timeout").fetchone() == (20_000,)
