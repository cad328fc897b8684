"""The servers under test are what the header of the run says they are."""

import os

import pytest
from django.db import connection

from tests import brokers, browsers, servers


@pytest.mark.django_db
def test_the_database_is_the_vendor_that_the_run_asked_for() -> None:
    expected = "sqlite" if servers.uses_sqlite() else "postgresql"
    assert connection.vendor == expected


@pytest.mark.django_db
def test_the_sqlite_database_is_a_file_in_wal_mode_and_postgresql_answers_with_its_version() -> None:
    with connection.cursor() as cursor:
        if servers.uses_sqlite():
            cursor.execute("PRAGMA journal_mode")
            assert cursor.fetchone() == ("wal",)
            assert str(connection.settings_dict["NAME"]).startswith("/")
        else:
            cursor.execute("SHOW server_version")
            assert cursor.fetchone()[0] == servers.database_vendor().split()[1]


def test_the_broker_is_genuine_redis_with_postgresql_and_the_valkey_that_comes_along_with_sqlite() -> None:
    expected = "Valkey" if servers.uses_sqlite() else "Redis"
    assert brokers.vendor(os.environ["REDIS_URL"]).split()[0] == expected


def test_a_real_chromium_is_here() -> None:
    assert browsers.chromium()
    assert "Chrom" in browsers.vendor()
