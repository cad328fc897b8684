"""Nodes that start at once after an update change the tables one after the other."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.core.management import get_commands
from django.db import connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper

from deploy.management.commands.migrate import alone
from tests.flows.waiting import until

WAITING = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database = (%s)"
HERE = "SELECT oid FROM pg_database WHERE datname = current_database()"


def comes_after(kind: type[BaseDatabaseWrapper], settings: dict[str, Any], done: list[str]) -> None:
    """Another process would have a connection of its own, too."""
    options = {key: value for key, value in settings["OPTIONS"].items() if key != "pool"}
    other = kind({**settings, "OPTIONS": options}, connection.alias)
    with alone(other):
        done.append("the second")
    other.close()


def somebody_waits() -> bool:
    with connection.cursor() as cursor:
        cursor.execute(WAITING % HERE)
        return bool(cursor.fetchone()[0])


@pytest.mark.django_db
def test_who_comes_second_waits_until_the_tables_are_as_they_should_be():
    assert get_commands()["migrate"] == "deploy"
    done: list[str] = []
    with ThreadPoolExecutor(1) as threads:
        with alone(connection):
            ours = connections[connection.alias]
            second = threads.submit(comes_after, type(ours), ours.settings_dict, done)
            if connection.vendor == "postgresql":
                until(somebody_waits, "the second node waits for the first")
            else:
                second.result(60)
            done.append("the first")
        second.result(60)
    in_turn = ["the first", "the second"]
    assert done == (in_turn if connection.vendor == "postgresql" else in_turn[::-1])
