"""Nodes that start at the same time migrate one after the other."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.core.management import CommandError, call_command, get_commands
from django.core.management.commands import migrate as django_migrate
from django.db import OperationalError, connection, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.recorder import MigrationRecorder

from deploy import command_line, release_guard
from deploy.management.commands import migrate
from deploy.management.commands.migrate import migration_lock
from tests.flows.waiting import until

TRIED = """
SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
AND (query LIKE '%pg_try_advisory_xact_lock%' OR query = 'ROLLBACK')
"""


def take_lock_after(kind: type[BaseDatabaseWrapper], settings: dict[str, Any], done: list[str]) -> None:
    """Takes the lock with another connection, as another process would."""
    options = {key: value for key, value in settings["OPTIONS"].items() if key != "pool"}
    second_connection = kind({**settings, "OPTIONS": options}, connection.alias)
    with migration_lock(second_connection):
        done.append("the second")
    second_connection.close()


def both_wait() -> bool:
    with connection.cursor() as cursor:
        cursor.execute(TRIED)
        return int(cursor.fetchone()[0]) == 2


@pytest.mark.django_db(transaction=True)
def test_a_second_migration_waits_for_the_first():
    assert get_commands()["migrate"] == "deploy"
    done: list[str] = []
    with ThreadPoolExecutor(1) as threads:
        with migration_lock(connection):
            own = connections[connection.alias]
            second = threads.submit(take_lock_after, type(own), own.settings_dict, done)
            if connection.vendor == "postgresql":
                until(both_wait, "the second node waits for the first")
            else:
                second.result(60)
            done.append("the first")
        second.result(60)
    in_turn = ["the first", "the second"]
    assert done == (in_turn if connection.vendor == "postgresql" else in_turn[::-1])


def lock_event_table() -> None:
    """Locks a table, as a migration does. SQLite has no table locks; there the error of a busy writer is raised."""
    if connection.vendor == "sqlite":
        cause = sqlite3.OperationalError("database is locked")
        cause.sqlite_errorcode = sqlite3.SQLITE_BUSY
        raise OperationalError from cause
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("LOCK TABLE tournament_event IN ACCESS EXCLUSIVE MODE")


@pytest.mark.django_db(transaction=True)
def test_a_table_in_use_ends_the_migration_with_one_sentence(monkeypatch):
    attempts = []

    def fail_to_migrate(*_args: Any, **_options: Any) -> None:
        attempts.append(1)
        lock_event_table()

    monkeypatch.setattr(migrate, "LOCK_SECONDS", 0.1)
    monkeypatch.setattr(django_migrate.Command, "handle", fail_to_migrate)
    options = {key: value for key, value in connection.settings_dict["OPTIONS"].items() if key != "pool"}
    reader = type(connections[connection.alias])(
        {**connection.settings_dict, "OPTIONS": options}, connection.alias
    )
    reader.set_autocommit(False)
    with reader.cursor() as cursor:
        cursor.execute("SELECT 1 FROM tournament_event")
        with pytest.raises(CommandError, match="A table is in use"):
            call_command("migrate")
    reader.rollback()
    reader.close()
    assert len(attempts) == migrate.MAX_ATTEMPTS


@pytest.mark.django_db(transaction=True)
def test_no_process_starts_with_tables_of_a_newer_release(capsys):
    assert release_guard.problem() == ""
    release_guard.check()
    MigrationRecorder(connection).record_applied("tournament", "9999_of_a_newer_release")
    try:
        assert "from a newer release" in release_guard.problem()
        with pytest.raises(SystemExit) as exit_info:
            release_guard.check()
        with pytest.raises(CommandError, match="from a newer release") as refused:
            call_command("migrate")
    finally:
        MigrationRecorder(connection).record_unapplied("tournament", "9999_of_a_newer_release")
    assert refused.value.returncode == 2
    assert exit_info.value.code == 2
    assert "from a newer release" in capsys.readouterr().err


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("command", [("person", "Ana"), ("backup", "a.archive"), ("rebuild", "--all")])
def test_a_command_names_the_next_step_if_the_tables_are_older(command, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    recorder = MigrationRecorder(connection)
    last = max(name for app, name in recorder.applied_migrations() if app == "tournament")
    recorder.record_unapplied("tournament", last)
    rename_column("venue", "not_yet")
    try:
        with pytest.raises(SystemExit) as exit_info:
            command_line.run(["manage.py", *command])
    finally:
        rename_column("not_yet", "venue")
        recorder.record_applied("tournament", last)
    assert exit_info.value.code == 2
    error = capsys.readouterr().err.splitlines()
    assert len(error) == 1
    assert error[0].endswith("Run: python3 manage.py migrate")


def rename_column(old: str, new: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE tournament_event RENAME COLUMN {old} TO {new}")
