"""Restores an archive into an empty database: migrates to the archive's release, loads rows, migrates to this release.

Atomic. This is the only module in `deploy` that writes rows.
"""

import gzip
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

from django.core.management import call_command
from django.core.management.color import no_style
from django.db import connection, models, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

from deploy.archive.content import FORMAT, Apps, NotAnArchive, batch_size, decode, fields_of, tables
from tournament.models import Event
from tournament.runtime import migration_state

MAX_LINE = 64 * 1024 * 1024
# Raised when a field cannot hold a value.
INVALID_VALUE_ERRORS = (AttributeError, KeyError, TypeError, ValueError, ArithmeticError, RecursionError)
SIGNATURE = "backgammon tournament director"
Line = Any


class NotEmpty(RuntimeError):
    """The database already contains events; an archive needs an empty database."""


def open_archive(file: Path) -> dict[str, int]:
    """Fills the empty database and returns the number of rows per table. Raises OSError, NotAnArchive and NotEmpty.

    The tables must exist. If an error is raised, they stay empty.
    """
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        parsed_lines = _parsed_lines(lines)
        head = _stored_migrations(next(parsed_lines, None))
        if Event.objects.exists():
            raise NotEmpty
        try:
            apps = _apps_at(head)
            with transaction.atomic():
                return _load_tables(apps, parsed_lines)
        except NotAnArchive:
            raise
        except INVALID_VALUE_ERRORS as error:
            raise NotAnArchive(f"The file contains an invalid value ({type(error).__name__}).") from error
        finally:
            call_command("migrate", verbosity=0, interactive=False)


def _parsed_lines(lines: TextIO) -> Iterator[Line]:
    """Yields the lines as JSON. Holds one line of limited length, so a file that unpacks to gigabytes is harmless."""
    try:
        while line := lines.readline(MAX_LINE):
            if len(line) == MAX_LINE:
                raise NotAnArchive("The file contains a line that is longer than any line of an archive.")
            yield json.loads(line)
    except NotAnArchive:
        raise
    except (ValueError, EOFError, RecursionError, gzip.BadGzipFile, zlib.error) as error:
        raise NotAnArchive(
            f"The file is damaged or not an archive ({error}): use another copy of it."
        ) from None


def _stored_migrations(line: Line) -> list[tuple[str, str]]:
    """Returns the newest migration of each app at the time of the backup."""
    if not isinstance(line, dict) or line.get(SIGNATURE) != FORMAT:
        raise NotAnArchive(
            "This is not an archive of this program: choose a file written by “manage.py backup”."
        )
    known_migrations = {(app, name) for app, name in MigrationExecutor(connection).loader.disk_migrations}
    try:
        migrations = [(str(app), str(name)) for app, name in line["migrations"]]
    except INVALID_VALUE_ERRORS:
        raise NotAnArchive("The first line of the file is damaged: use another copy of it.") from None
    if not known_migrations.issuperset(migrations):
        raise NotAnArchive(
            "This archive comes from a newer release: update the program first, then restore it."
        )
    return migrations


def _apps_at(targets: list[tuple[str, str]]) -> Apps:
    """Migrates the empty database to the targets. Returns their models.

    The single migrations that a squashed one replaces can only start from an app without tables.
    """
    executor = MigrationExecutor(connection)
    replaced = {key for squashed in executor.loader.replacements.values() for key in squashed.replaces}
    if replaced.intersection(targets):
        executor.migrate([(app, None) for app in migration_state.OWN_APPS])
        executor.loader = MigrationLoader(connection, replace_migrations=False)
    if executor.migration_plan(targets):
        executor.migrate(targets)
    apps: Apps = executor.loader.project_state(targets).apps
    return apps


def _load_tables(apps: Apps, lines: Iterator[Line]) -> dict[str, int]:
    models_by_table, counts = tables(apps), dict[str, int]()
    for empty in models_by_table.values():  # without events, no row that is left refers to another one
        empty._base_manager.all().delete()
    model: type[models.Model] | None = None
    fields: list[models.Field[Any, Any]] = []
    batch: list[models.Model] = []
    for line in lines:
        if isinstance(line, list) and model is not None:
            batch.append(_row(model, fields, line))
            if len(batch) == batch_size(model):
                _insert(model, batch, counts)
            continue
        if model is not None:
            _insert(model, batch, counts)
        if not isinstance(line, dict) or "rows" in line:
            return _verify_counts(models_by_table, counts, line)
        model = models_by_table.get(line.get("table", ""))
        if model is None:
            raise NotAnArchive(f"The file contains an unknown table: {line.get('table')!r}.")
        fields = _fields(model, line["fields"])
        counts[line["table"]] = 0
    raise NotAnArchive("The file is truncated: its end is missing. Use another copy of it.")


def _fields(model: type[models.Model], columns: list[str]) -> list["models.Field[Any, Any]"]:
    by_name = {field.attname: field for field in fields_of(model)}
    if set(columns) != set(by_name):
        raise NotAnArchive(f"The columns of {model._meta.label_lower} do not match the archive's release.")
    return [by_name[name] for name in columns]


def _row(
    model: type[models.Model], fields: list["models.Field[Any, Any]"], values: list[Any]
) -> models.Model:
    if len(values) != len(fields):
        raise NotAnArchive(f"A row of {model._meta.label_lower} has {len(values)} values, not {len(fields)}.")
    return model(**{field.attname: decode(field, value) for field, value in zip(fields, values, strict=True)})


def _insert(model: type[models.Model], batch: list[models.Model], counts: dict[str, int]) -> None:
    model._base_manager.bulk_create(batch)
    counts[model._meta.label_lower] += len(batch)
    batch.clear()


def _verify_counts(
    models_by_table: dict[str, type[models.Model]], counts: dict[str, int], line: Line
) -> dict[str, int]:
    if not isinstance(line, dict) or line.get("rows") != counts or set(counts) != set(models_by_table):
        raise NotAnArchive("The rows do not match the counts in the last line: use another copy of the file.")
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), list(models_by_table.values())):
            cursor.execute(statement)
    return counts
