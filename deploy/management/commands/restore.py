"""`manage.py restore`: restores a backup of `manage.py backup` into an empty database."""

import argparse
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db.utils import DatabaseError

from deploy.archive.content import NotAnArchive
from deploy.archive.restore import NotEmpty, open_archive


class Command(BaseCommand):
    help = "Restores a backup into an empty database, also on another machine or another kind of database."
    requires_system_checks = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="a file that “backup” wrote")

    def handle(self, **options: Any) -> None:
        file = options["file"]
        call_command("migrate", verbosity=0, interactive=False)
        try:
            counts = open_archive(file)
        except NotEmpty:
            raise CommandError(
                "This database contains events: set DATABASE_URL to an empty one, or DATA_DIR to a new folder."
            ) from None
        except (NotAnArchive, ValidationError, DatabaseError) as error:
            raise CommandError(f"{file} was not restored, and nothing was changed. {error}") from None
        except OSError as error:
            raise CommandError(f"Cannot read {file} ({error.strerror or error}).") from None
        events, results = counts["tournament.event"], counts["tournament.result"]
        self.stdout.write(
            f"{file} is restored. Events: {events}, results: {results}, rows: {sum(counts.values())}."
        )
