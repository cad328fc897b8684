"""Write transactions of one SQLite file wait in a fair queue, with a timeout."""

import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import OperationalError, connection

from deploy.sqlite.base import DatabaseWrapper, FifoLock
from tests.flows.waiting import LONGEST_WAIT, until


@pytest.fixture
def new_connection(tmp_path):
    opened = []

    def connect(**options) -> DatabaseWrapper:
        base = {**connection.settings_dict, "NAME": str(tmp_path / "one.sqlite3")}
        options = {"transaction_mode": "IMMEDIATE", "timeout": LONGEST_WAIT, **options}
        opened.append(DatabaseWrapper({**base, "OPTIONS": options}, "default"))
        opened[-1].inc_thread_sharing()
        return opened[-1]

    yield connect
    for wrapper in opened:
        wrapper.close()


def write(wrapper: DatabaseWrapper, value: int) -> None:
    wrapper.set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)
    wrapper.cursor().execute("INSERT INTO rows VALUES (%s)", [value])


def commit(wrapper: DatabaseWrapper) -> None:
    wrapper.commit()
    wrapper.set_autocommit(True)


def test_threads_get_the_lock_in_order_of_arrival():
    lock, order = FifoLock(), []
    assert lock.acquire(0)

    def take(number: int) -> None:
        assert lock.acquire(LONGEST_WAIT)
        order.append(number)
        lock.release()

    with ThreadPoolExecutor(5) as threads:
        for number in range(5):
            threads.submit(take, number)
            until(lambda number=number: len(lock._waiting) == number + 1, "the next thread waits")
        lock.release()
    assert order == [0, 1, 2, 3, 4]
    assert not lock.has_waiters


def test_a_thread_that_timed_out_leaves_the_queue():
    lock = FifoLock()
    assert lock.acquire(0)
    assert not lock.acquire(0.01)
    lock.release()
    assert lock.acquire(0)


@pytest.mark.django_db
def test_a_transaction_waits_for_the_previous_one_however_it_ends(new_connection):
    first, second, impatient = new_connection(), new_connection(), new_connection(timeout=0.01)
    first.cursor().execute("CREATE TABLE rows (value integer)")
    endings = {
        "commit": commit,
        "rollback": lambda wrapper: wrapper.rollback(),
        "interrupted": lambda wrapper: wrapper.set_autocommit(True),
        "close": lambda wrapper: wrapper.close(),
    }
    for name, ending in endings.items():
        write(first, 1)
        with pytest.raises(OperationalError, match="locked") as locked:
            write(impatient, 3)
        assert locked.value.__cause__.sqlite_errorcode == sqlite3.SQLITE_BUSY
        waiting_thread = threading.Thread(target=write, args=(second, 2))
        waiting_thread.start()
        until(lambda: first._write_lock.has_waiters, "the second transaction waits")
        ending(first)
        waiting_thread.join(LONGEST_WAIT)
        assert not waiting_thread.is_alive(), name
        assert second._holds_lock, name
        commit(second)
        if name != "close":
            first.set_autocommit(True)
    values = [value for (value,) in first.cursor().execute("SELECT value FROM rows")]
    assert sorted(values) == [1, 1, 2, 2, 2, 2]


@pytest.mark.django_db
def test_a_transaction_waits_for_another_process(new_connection, tmp_path):
    own = new_connection()
    own.cursor().execute("CREATE TABLE rows (value integer)")
    other_process = sqlite3.connect(tmp_path / "one.sqlite3", isolation_level=None, check_same_thread=False)
    other_process.execute("BEGIN IMMEDIATE")
    waiting_thread = threading.Thread(target=write, args=(own, 2))
    waiting_thread.start()
    until(lambda: own._holds_lock, "this process has the lock")
    other_process.execute("COMMIT")
    waiting_thread.join(LONGEST_WAIT)
    commit(own)
    assert own.cursor().execute("SELECT value FROM rows").fetchall() == [(2,)]
    assert own.cursor().execute("PRAGMA busy_timeout").fetchone() == (1000 * LONGEST_WAIT,)
