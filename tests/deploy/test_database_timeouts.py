"""Timeouts for a server that stops answering and for locks that are not released."""

import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest
from django.db import OperationalError, connection
from django.db.backends.base.base import BaseDatabaseWrapper

from deploy import database_timeouts
from deploy.timeout_connection import TimeoutConnection
from tests import servers
from tournament.runtime.database_faults import DatabaseFault, classify

AUTHENTICATED = b"R" + struct.pack("!II", 8, 0) + b"Z" + struct.pack("!I", 5) + b"I"


@contextmanager
def silent_server() -> Iterator[int]:
    """Yields the port of a server that accepts a login like PostgreSQL and then stays silent."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        clients: list[socket.socket] = []

        def accept_client() -> None:
            client, _ = listening.accept()
            clients.append(client)
            client.recv(1024)
            client.sendall(AUTHENTICATED)

        threading.Thread(target=accept_client, daemon=True).start()
        yield listening.getsockname()[1]
        for client in clients:
            client.close()


def test_a_server_that_stops_answering_counts_as_down(settings):
    settings.DATABASE_SECONDS = 0.2
    with silent_server() as port:
        client_connection = TimeoutConnection.connect(
            host="127.0.0.1", port=port, user="me", sslmode="disable", gssencmode="disable"
        )
        with pytest.raises(psycopg.OperationalError, match=r"it has not answered for 0\.2 s") as caught:
            client_connection.execute("SELECT 1")
    error = OperationalError()
    error.__cause__ = caught.value
    assert (client_connection.closed, classify(error)) == (True, DatabaseFault.AWAY)


def connect_with_timeout(seconds: float) -> BaseDatabaseWrapper:
    """Returns another connection to the same database with this timeout."""
    second = connection.copy()
    options = {key: value for key, value in second.settings_dict["OPTIONS"].items() if key != "pool"}
    more = (
        {"timeout": seconds} if connection.vendor == "sqlite" else database_timeouts.timeout_options(seconds)
    )
    second.settings_dict = {**second.settings_dict, "OPTIONS": {**options, **more}}
    return type(second)(second.settings_dict, second.alias)


def take_lock(wrapper: BaseDatabaseWrapper) -> None:
    """Starts a transaction that holds an exclusive lock."""
    wrapper.set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)
    with wrapper.cursor() as cursor:
        cursor.execute("SELECT 1" if wrapper.vendor == "sqlite" else "SELECT pg_advisory_xact_lock(1)")


@pytest.mark.django_db(transaction=True)
def test_a_lock_that_is_not_released_gives_a_busy_error_in_time():
    holder, waiter = connect_with_timeout(60), connect_with_timeout(1)
    take_lock(holder)
    with pytest.raises(OperationalError) as caught:
        take_lock(waiter)
    for wrapper in (holder, waiter):
        wrapper.close()
    assert classify(caught.value) is DatabaseFault.BUSY


@pytest.mark.skipif(servers.uses_sqlite(), reason="SQLite has no server that cancels a hanging transaction")
@pytest.mark.django_db(transaction=True)
def test_the_lock_of_a_hanging_transaction_is_released():
    hanging, patient = connect_with_timeout(1), connect_with_timeout(60)
    take_lock(hanging)
    take_lock(patient)
    for wrapper in (hanging, patient):
        wrapper.close()
