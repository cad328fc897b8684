"""Nobody waits for ever: not for a server that has fallen silent, nor for somebody who does not let go."""

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
from tournament.runtime.database_faults import Trouble, trouble_of

ONE_IS_IN = b"R" + struct.pack("!II", 8, 0) + b"Z" + struct.pack("!I", 5) + b"I"


@contextmanager
def silent_server() -> Iterator[int]:
    """Lets one in, as PostgreSQL does, and says nothing more; its port."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        kept: list[socket.socket] = []

        def let_in() -> None:
            client, _ = listening.accept()
            kept.append(client)
            client.recv(1024)
            client.sendall(ONE_IS_IN)

        threading.Thread(target=let_in, daemon=True).start()
        yield listening.getsockname()[1]
        for client in kept:
            client.close()


def test_a_server_that_stops_answering_counts_as_down(settings):
    settings.DATABASE_SECONDS = 0.2
    with silent_server() as port:
        asked = TimeoutConnection.connect(
            host="127.0.0.1", port=port, user="me", sslmode="disable", gssencmode="disable"
        )
        with pytest.raises(psycopg.OperationalError, match=r"it has not answered for 0\.2 s") as met:
            asked.execute("SELECT 1")
    error = OperationalError()
    error.__cause__ = met.value
    assert (asked.closed, trouble_of(error)) == (True, Trouble.AWAY)


def beside(seconds: float) -> BaseDatabaseWrapper:
    """Another connection to the same database, with this deadline."""
    other = connection.copy()
    options = {key: value for key, value in other.settings_dict["OPTIONS"].items() if key != "pool"}
    more = (
        {"timeout": seconds} if connection.vendor == "sqlite" else database_timeouts.timeout_options(seconds)
    )
    other.settings_dict = {**other.settings_dict, "OPTIONS": {**options, **more}}
    return type(other)(other.settings_dict, other.alias)


def take(one: BaseDatabaseWrapper) -> None:
    """What only one may have at a time, within a transaction."""
    one.set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)
    with one.cursor() as cursor:
        cursor.execute("SELECT 1" if one.vendor == "sqlite" else "SELECT pg_advisory_xact_lock(1)")


@pytest.mark.django_db(transaction=True)
def test_a_lock_that_is_not_released_gives_a_busy_error_in_time():
    holder, waiting = beside(60), beside(0.2)
    take(holder)
    with pytest.raises(OperationalError) as met:
        take(waiting)
    for one in (holder, waiting):
        one.close()
    assert trouble_of(met.value) is Trouble.BUSY


@pytest.mark.django_db(transaction=True)
def test_the_lock_of_a_hanging_transaction_is_released():
    hanging, patient = beside(0.1), beside(30)
    take(hanging)
    if connection.vendor == "sqlite":  # a file has nobody who could end it but whoever kills that node
        hanging.close()
    take(patient)
    for one in (hanging, patient):
        one.close()
