"""The previous release works with the tables of this one, because its nodes still answer during an update.

last_release.json lists its columns. At each release: `manage.py columns > tests/deploy/last_release.json`.
"""

import json
from pathlib import Path

import pytest
from django.apps import apps
from django.db import connection

# Columns that a node of the last release cannot fill, with the consequence.
NOT_WRITTEN: set[tuple[str, str]] = set()


def tables_of_last_release() -> list[tuple[str, list[str]]]:
    """Returns tables and columns. Omits apps that are no longer installed; their tables do not change."""
    lines = json.loads(Path(__file__).with_name("last_release.json").read_text())
    return [(table, columns) for app, table, columns in lines if apps.is_installed(_module(app))]


def _module(label: str) -> str:
    return next((config.name for config in apps.get_app_configs() if config.label == label), "")


TABLES = tables_of_last_release()


@pytest.mark.django_db
@pytest.mark.parametrize(("table", "columns"), TABLES, ids=[table for table, _ in TABLES])
def test_the_last_release_can_read_the_tables_of_this_release(table, columns):
    column_names = ", ".join(connection.ops.quote_name(column) for column in columns)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {column_names} FROM {connection.ops.quote_name(table)} LIMIT 1")


@pytest.mark.django_db
@pytest.mark.parametrize(("table", "columns"), TABLES, ids=[table for table, _ in TABLES])
def test_the_last_release_can_write_to_the_tables_of_this_release(table, columns):
    model = next(
        model for model in apps.get_models(include_auto_created=True) if model._meta.db_table == table
    )
    required = [
        field.column
        for field in model._meta.local_concrete_fields
        if field.column not in columns and not (field.null or field.has_db_default() or field.primary_key)
    ]
    assert [name for name in required if (table, name) not in NOT_WRITTEN] == [], (
        "give these columns a db_default, or allow NULL: the last release inserts rows without them"
    )
