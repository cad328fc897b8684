"""Database outages: classified by error code, answered with 503 and logged once."""

import logging
import socket
import sqlite3
import threading
import uuid
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager

import psycopg
import pytest
import redis
from celery.exceptions import CeleryError
from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.db import InterfaceError, InternalError, OperationalError, ProgrammingError, connection
from django.db.backends.postgresql.base import DatabaseWrapper as PostgreSQL
from django.test import Client
from redis.exceptions import ConnectionError as BrokerGone

from deploy import environment
from deploy.log_shortening import ShortenExpectedErrors
from tests import servers
from tournament import tasks
from tournament.runtime import database_faults, publish, queue
from tournament.runtime.database_faults import DatabaseFault, Outage, classify


def caused(kind: type[Exception], cause: BaseException) -> Exception:
    error = kind("it failed")
    error.__cause__ = cause
    return error


def of_sqlite(code: int) -> sqlite3.Error:
    error = sqlite3.OperationalError()
    error.sqlite_errorcode = code
    return error


@pytest.mark.parametrize(
    ("error", "fault"),
    [
        (caused(OperationalError, psycopg.OperationalError("connection refused")), DatabaseFault.AWAY),
        (caused(OperationalError, psycopg.errors.AdminShutdown()), DatabaseFault.AWAY),
        (caused(InterfaceError, psycopg.InterfaceError("the connection is closed")), DatabaseFault.AWAY),
        (caused(OperationalError, psycopg.errors.DiskFull()), DatabaseFault.CANNOT_WRITE),
        (caused(InternalError, psycopg.errors.InternalError_()), DatabaseFault.CANNOT_WRITE),
        (caused(InternalError, psycopg.errors.ReadOnlySqlTransaction()), DatabaseFault.CANNOT_WRITE),
        (caused(OperationalError, psycopg.errors.DeadlockDetected()), DatabaseFault.BUSY),
        (caused(InternalError, psycopg.errors.IdleInTransactionSessionTimeout()), DatabaseFault.BUSY),
        (caused(InternalError, psycopg.errors.InFailedSqlTransaction()), None),
        (caused(ProgrammingError, psycopg.errors.UndefinedTable()), None),
        (caused(OperationalError, of_sqlite(sqlite3.SQLITE_FULL)), DatabaseFault.CANNOT_WRITE),
        (caused(OperationalError, of_sqlite(sqlite3.SQLITE_IOERR_WRITE)), DatabaseFault.CANNOT_WRITE),
        (caused(OperationalError, of_sqlite(sqlite3.SQLITE_BUSY)), DatabaseFault.BUSY),
        (caused(OperationalError, of_sqlite(sqlite3.SQLITE_ERROR)), None),
        (caused(OperationalError, sqlite3.OperationalError("Could not decode to UTF-8 column")), None),
        (ValueError("ours"), None),
    ],
    ids=str,
)
def test_database_faults_are_distinguished_from_our_own_errors(error, fault):
    assert classify(error) == fault


def test_during_an_outage_every_response_has_retry_after():
    database_faults.database.failed(OperationalError("gone"))
    try:
        for path in ("/", "/api/v1/events/"):
            answer = Client().get(path)
            assert (answer.status_code, answer["Retry-After"]) == (503, "2")
            assert "The program cannot reach its database at the moment." in answer.content.decode()
        assert answer["Content-Type"] == "application/problem+json"
        assert answer.json()["code"] == "database-away"
        signed_in = Client(headers={"cookie": "sessionid=abc"})
        assert signed_in.get("/nothing-here/").status_code == 503
        for path in ("/healthz", "/manifest.webmanifest", "/worker.js"):
            assert signed_in.get(path).status_code == 200, path
    finally:
        database_faults.database.succeeded()


@pytest.mark.django_db
def test_a_list_during_an_outage_answers_503_and_not_404():
    def too_busy(*_):
        raise caused(OperationalError, psycopg.errors.DeadlockDetected())

    with connection.execute_wrapper(too_busy):
        answer = Client().get("/api/v1/events/")
    assert (answer.status_code, answer.json()["code"]) == (503, "database-busy")


@contextmanager
def server_whose_disk_hangs():
    """Accepts a login like PostgreSQL, receives a statement and stays silent.

    Yields its port, the received statement and the event that ends it.
    """
    statement: Future[bytes] = Future()
    ends = threading.Event()

    def serve() -> None:
        client, _ = listening.accept()
        with client:
            client.recv(1024)
            client.sendall(b"R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I")
            statement.set_result(client.recv(1024))
            ends.wait(60)

    with socket.create_server(("127.0.0.1", 0)) as listening, ThreadPoolExecutor(1) as thread:
        served = thread.submit(serve)
        try:
            yield listening.getsockname()[1], statement, ends
        finally:
            ends.set()
        served.result(60)


def test_a_read_only_server_has_not_recovered():
    with server_whose_disk_hangs() as (port, statement, ends), ThreadPoolExecutor(1) as thread:
        options = {"sslmode": "disable", "gssencmode": "disable"}
        address = {"NAME": "n", "USER": "me", "PASSWORD": "", "HOST": "127.0.0.1", "PORT": port}
        silent = PostgreSQL({**address, "OPTIONS": options, "TIME_ZONE": None})
        is_back = thread.submit(database_faults._accepts_writes, silent)
        assert b"pg_logical_emit_message" in statement.result(60)
        assert not is_back.done()
        ends.set()
        assert not is_back.result(60)


@pytest.mark.django_db
def test_a_writable_server_has_recovered():
    assert database_faults._accepts_writes(connection)


@pytest.mark.skipif(servers.uses_sqlite(), reason="SQLite has no connections that break")
@pytest.mark.django_db(transaction=True)
def test_after_an_outage_no_broken_connection_is_used():
    pooled = connection.copy("pooled")
    try:
        with pooled.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            [broken] = cursor.fetchone()
        pooled.close()
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [broken])
        database_faults._drop_old_connections(pooled)
        with pooled.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            assert cursor.fetchone() != (broken,)
    finally:
        pooled.close()
        pooled.close_pool()


def test_an_outage_is_logged_when_it_begins_and_when_it_ends(caplog):
    outage = Outage("it is away", "it is back")
    assert [outage.failed(OperationalError("first\nmore")) for _ in range(3)] == [True, False, False]
    outage.succeeded()
    outage.succeeded()
    assert [record.getMessage()[:20] for record in caplog.records] == [
        "it is away (first)",
        "it is back after 0.0",
    ]
    assert caplog.records[-1].getMessage().endswith("3 attempts had failed")


@pytest.mark.django_db
def test_a_sweep_whose_steps_all_fail_logs_the_first_error(caplog, monkeypatch):
    monkeypatch.setitem(database_faults.OUTAGES, DatabaseFault.BUSY, Outage("it is busy", "it is free"))
    reasons = iter([f"step {number} finds it locked" for number in range(1, 7)])

    def locked() -> None:
        raise OperationalError(next(reasons)) from of_sqlite(sqlite3.SQLITE_BUSY)

    for step in (
        "advancing.advance_waiting",
        "next_calls.call_in_all_rooms",
        "report_sweep.settle_reports",
        "checking.sweep",
        "delayed_scores.publish_due_scores",
        "cleanup.clean_up_if_due",
    ):
        monkeypatch.setattr(f"tournament.tasks.{step}", locked)
    monkeypatch.setattr("tournament.tasks._is_due", lambda: True)
    tasks.sweep()
    assert [record.getMessage() for record in caplog.records] == ["it is busy (step 1 finds it locked)"]
    assert next(reasons, None) is None


def test_intermittent_failures_are_one_outage_until_they_settle(caplog):
    outage = Outage("it cannot write", "it writes again", settles=60)
    for _ in range(3):
        outage.failed(OperationalError("full"))
        outage.succeeded()
    assert (outage.is_active, len(caplog.records)) == (True, 1)


def test_threads_that_wait_for_a_lock_leave_connections_for_others(monkeypatch, tmp_path):
    for threads in ("12", "64"):
        monkeypatch.setenv("WEB_THREADS", threads)
        pool = environment.database("postgres://here/director", tmp_path)["OPTIONS"]["pool"]
        assert pool["max_size"] > int(threads)


def record(error: Exception) -> logging.LogRecord:
    exc_info = (type(error), error, error.__traceback__)
    return logging.LogRecord(
        "celery.beat", logging.ERROR, "beat.py", 1, "No way: %s\nmore", ("sweep",), exc_info
    )


def test_an_expected_fault_is_one_line_and_soon_after_no_line():
    lines, gone = ShortenExpectedErrors(), CeleryError("sweep")
    gone.__cause__ = BrokerGone("no such socket\nmore")
    first = record(gone)
    assert lines.filter(first)
    assert (first.getMessage(), first.exc_info) == ("No way: sweep (CeleryError: sweep)", None)
    assert not lines.filter(record(gone))


def test_malformed_hosts_are_one_line_in_half_a_minute():
    lines, texts = ShortenExpectedErrors(), []
    for host in ("evil!", "other!"):
        error = record(DisallowedHost(host))
        error.msg, error.args = f"Invalid HTTP_HOST header: {host}", ()
        texts += [logging.Formatter().format(error)] if lines.filter(error) else []
    assert len(texts) == 1
    assert "\n" not in texts[0]


def test_an_error_of_our_own_keeps_its_traceback_each_time():
    lines, fault = ShortenExpectedErrors(), ValueError("ours")
    for _ in range(2):
        error = record(fault)
        assert lines.filter(error)
        assert error.exc_info is not None


@contextmanager
def full_broker():
    """The broker answers and publishes, but refuses to store anything."""
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        client.config_set("maxmemory", 1)
        try:
            yield
        finally:
            client.config_set("maxmemory", 0)


def test_a_broker_that_refuses_messages_is_logged_once(caplog, monkeypatch):
    monkeypatch.setattr(
        database_faults, "messages", Outage("it takes no messages", "it takes messages again")
    )
    monkeypatch.setattr(database_faults, "broker", Outage("it is away", "it is back"))
    with full_broker():
        for _ in range(3):
            queue.enqueue_advances([uuid.uuid4()])
            publish.publish_score(uuid.uuid4())
        assert not publish.is_reachable()
    queue.enqueue_advances([uuid.uuid4()])
    assert publish.is_reachable()
    assert [record.getMessage()[:20] for record in caplog.records] == [
        "it takes no messages",
        "it takes messages ag",
    ]
