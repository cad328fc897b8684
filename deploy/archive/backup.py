"""Writes an archive from a consistent snapshot of the database while the installation runs. Changes no rows."""

import gzip
import json
import os
from collections.abc import Iterator
from pathlib import Path

from django.apps import apps
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from deploy.archive.content import APPS, FORMAT, batch_size, encode, fields_of, tables
from tournament.runtime.snapshot import consistent_read


def write_archive(file: Path) -> dict[str, int]:
    """Writes the archive and returns the number of rows per table. Raises OSError.

    The file gets its name when it is complete. Only its owner can read it, because it contains digests of links and
    passwords.
    """
    unfinished = file.with_name(f".{file.name}.unfinished")
    try:
        handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "wb") as raw_file:
            with gzip.open(raw_file, "wt", encoding="utf-8", compresslevel=6) as out, consistent_read():
                counts: dict[str, int] = {}
                for line in _lines(counts):
                    out.write(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n")
            raw_file.flush()
            os.fsync(raw_file.fileno())
        unfinished.rename(file)
    finally:
        unfinished.unlink(missing_ok=True)
    return counts


def _lines(counts: dict[str, int]) -> Iterator[object]:
    yield {
        "backgammon tournament director": FORMAT,
        "at": timezone.now().isoformat(),
        "database": connection.vendor,
        "migrations": _newest_migrations(),
    }
    for name, model in tables(apps).items():
        fields = fields_of(model)
        yield {"table": name, "fields": [field.attname for field in fields]}
        counts[name] = 0
        for row in model._base_manager.order_by("pk").iterator(batch_size(model)):
            yield [encode(field, row) for field in fields]
            counts[name] += 1
    yield {"rows": counts}


def _newest_migrations() -> list[list[str]]:
    """Returns the newest migration of each app; it defines the tables of the archive."""
    leaves = MigrationExecutor(connection).loader.graph.leaf_nodes()
    return sorted([app, name] for app, name in leaves if app in APPS)
