"""Health checks report a database that cannot write and tables that are from another release."""

import shutil
from collections import namedtuple
from contextlib import contextmanager

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import Error, connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families

from tests.servers import uses_sqlite
from tournament.runtime import database_faults, write_probe
from tournament.runtime.database_faults import DatabaseFault, Outage
from tournament.runtime.migration_state import Tables, refusal_to_start, state_of_tables

TOKEN = "let-me-watch"
SET, RESET = (
    ("PRAGMA query_only = 1", "PRAGMA query_only = 0")
    if uses_sqlite()
    else ("SET default_transaction_read_only = on", "RESET default_transaction_read_only")
)


@pytest.fixture(autouse=True)
def own_outage(monkeypatch):
    """Remembers nothing from other tests, and tries a write at each question."""
    disk = Outage("it cannot write", "it writes again")
    monkeypatch.setattr(database_faults, "disk", disk)
    monkeypatch.setitem(database_faults.OUTAGES, DatabaseFault.CANNOT_WRITE, disk)
    monkeypatch.setattr(write_probe, "PROBE_SECONDS", 0.0)
    monkeypatch.setattr(write_probe, "_next_probe", 0.0)


@contextmanager
def read_only():
    """The database refuses every write, as on a full disk or after a failover."""
    with connection.cursor() as cursor:
        cursor.execute(SET)
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute(RESET)


def ready():
    answer = Client().get("/readyz")
    return answer.status_code, answer.json()


def figure(settings, name):
    settings.METRICS_TOKEN = TOKEN
    text = Client(headers={"Authorization": f"Bearer {TOKEN}"}).get("/metrics").content.decode()
    families = text_string_to_metric_families(text)
    return next(sample.value for family in families for sample in family.samples if sample.name == name)


@pytest.mark.django_db(transaction=True)
def test_failed_writes_make_a_node_not_ready_until_a_write_succeeds(settings):
    assert ready()[0] == 200
    with read_only():
        with pytest.raises(Error) as refused:
            User.objects.create(username="late")
        assert database_faults.record_fault(refused.value) is DatabaseFault.CANNOT_WRITE
        status, text = ready()
        assert (status, text["ready"], text["writable"], text["database"]) == (503, False, False, True)
        assert text["says"].startswith("The database cannot write")
        assert figure(settings, "director_database_writable") == 0
    assert ready()[0] == 200
    assert figure(settings, "director_database_writable") == 1


@pytest.mark.django_db(transaction=True)
def test_the_probe_detects_a_full_disk_without_other_writes(monkeypatch):
    full = namedtuple("Usage", "total used free")(60_000_000, 60_000_000, 0)
    monkeypatch.setattr(shutil, "disk_usage", lambda _folder: full)
    with read_only():
        assert ready()[0] == 503


@pytest.mark.django_db
def test_the_probe_leaves_no_table():
    write_probe.probe()
    assert not database_faults.disk.is_active
    assert "director_write_probe" not in connection.introspection.table_names()


@pytest.fixture
def newer_tables(db):
    MigrationRecorder(connection).record_applied("tournament", "9999_of_a_newer_release")


def test_tables_of_a_newer_release_make_a_node_not_ready(newer_tables, settings):
    status, text = ready()
    assert (status, text["tables"]) == (503, "newer")
    assert "newer release" in text["says"]
    assert figure(settings, "director_tables_current") == 0


def test_tables_of_an_older_release_make_a_node_not_ready(db):
    assert state_of_tables() is Tables.CURRENT
    recorder = MigrationRecorder(connection)
    recorder.migration_qs.filter(app="tournament").order_by("-name")[0].delete()
    status, text = ready()
    assert (status, text["tables"]) == (503, "older")
    assert "manage.py migrate" in text["says"]
    assert refusal_to_start() == ""


def test_migrate_refuses_tables_of_a_newer_release(newer_tables):
    with pytest.raises(CommandError, match="from a newer release") as refused:
        call_command("migrate", verbosity=0)
    assert refused.value.returncode == 2
