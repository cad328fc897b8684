"""`manage.py backup`: backs up a running installation to one file."""

import argparse
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from deploy.archive.backup import write_archive


class Command(BaseCommand):
    help = "Writes a backup of everything to one file while the installation runs. Restore it with “restore”."
    requires_system_checks = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "file", nargs="?", type=Path, help="default: backgammon-director-TIME.archive in this folder"
        )

    def handle(self, **options: Any) -> None:
        file = options["file"] or Path(f"backgammon-director-{datetime.now(UTC):%Y%m%dT%H%M%SZ}.archive")
        try:
            counts = write_archive(file)
        except OSError as error:
            raise CommandError(
                f"Cannot write {file} ({error.strerror}): name a file in another folder."
            ) from None
        events, results = counts["tournament.event"], counts["tournament.result"]
        self.stdout.write(
            f"{file} is written. Events: {events}, results: {results}, rows: {sum(counts.values())}, "
            f"bytes: {file.stat().st_size:,}."
        )
