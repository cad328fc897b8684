"""The servers under test match the header of the test run."""

import os

import pytest
from django.db import connection

from tests import brokers, browsers, servers


@pytest.mark.django_db
def test_the_database_has_the_requested_vendor() -> None:
    expected = "sqlite" if servers.uses_sqlite() else "postgresql"
    assert connection.vendor == expected


@pytest.mark.django_db
def test_sqlite_uses_wal_mode_and_postgresql_reports_its_version() -> None:
    with connection.cursor() as cursor:
        if servers.uses_sqlite():
            cursor.execute("PRAGMA journal_mode")
            assert cursor.fetchone() == ("wal",)
            assert str(connection.settings_dict["NAME"]).startswith("/")
        else:
            cursor.execute("SHOW server_version")
            assert cursor.fetchone()[0] == servers.database_vendor().split()[1]


def test_the_broker_is_redis_with_postgresql_and_valkey_with_sqlite() -> None:
    expected = "Valkey" if servers.uses_sqlite() else "Redis"
    assert brokers.vendor(os.environ["REDIS_URL"]).split()[0] == expected


def test_chromium_is_installed() -> None:
    assert browsers.chromium()
    assert "Chrom" in browsers.vendor()
