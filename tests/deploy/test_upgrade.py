"""An older installation is upgraded to the tables of a new one."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from tests import database_template
from tests.database_template import ROOT

OLDER = "0031_event_logos"
SETTINGS_OF_OLDER_RELEASE = """
from deploy.settings import *
MIGRATION_MODULES = {"tournament": "single_migrations"}
"""
COLUMNS = """
SELECT table_name, column_name, data_type, character_maximum_length, is_nullable, column_default
FROM information_schema.columns WHERE table_schema = 'public'
"""
CONSTRAINTS = """
SELECT conrelid::regclass::text, contype, pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid <> 0
"""
NAMED_CHECKS_AND_TRIGGERS = """
SELECT conrelid::regclass::text, conname FROM pg_constraint WHERE contype = 'c' AND conname NOT LIKE '%\\_check'
UNION SELECT tgrelid::regclass::text, tgname FROM pg_trigger WHERE NOT tgisinternal
"""


@pytest.fixture
def database() -> Iterator[str]:
    name = f"upgraded_{os.getpid()}"
    yield database_template.create(name, "template0")
    database_template.drop(name)


def migrate(database: str, *target: str, **variables: str) -> None:
    command = [
        sys.executable,
        str(ROOT / "manage.py"),
        "migrate",
        "--verbosity",
        "0",
        "--skip-checks",
        *target,
    ]
    environment = {**os.environ, "DATABASE_URL": database, "SELF_SETUP": "off", **variables}
    subprocess.run(command, cwd=ROOT, env=environment, check=True, stdin=subprocess.DEVNULL)


def write_older_release(folder: Path) -> None:
    """Writes a package with the single migrations only, and settings that use it."""
    shutil.copytree(
        ROOT / "tournament" / "migrations",
        folder / "single_migrations",
        ignore=shutil.ignore_patterns("*_squashed_*", "__pycache__"),
    )
    (folder / "older_settings.py").write_text(SETTINGS_OF_OLDER_RELEASE)


def tables_of(database: str) -> list[set[tuple[object, ...]]]:
    name = database_template.database_name(database)
    with psycopg.connect(os.environ["DATABASE_URL"], dbname=name) as server:
        return [set(server.execute(query)) for query in (COLUMNS, CONSTRAINTS, NAMED_CHECKS_AND_TRIGGERS)]


def test_an_older_installation_gets_the_tables_of_a_new_one(database, tmp_path):
    write_older_release(tmp_path)
    older = {"PYTHONPATH": str(tmp_path), "DJANGO_SETTINGS_MODULE": "older_settings"}
    migrate(database, "tournament", OLDER, **older)
    migrate(database)
    for upgraded, new in zip(tables_of(database), tables_of(database_template.template_url()), strict=True):
        assert upgraded == new
