"""`manage.py columns`: lists tables and columns, so that a test can keep the next release compatible with them."""

import json
from typing import Any

from django.apps import apps
from django.core.management.base import BaseCommand


class Command(BaseCommand):
    help = (
        "Prints the tables and columns of this release. Store the output in tests/deploy/last_release.json."
    )
    requires_system_checks = []

    def handle(self, **_options: Any) -> None:
        lines = sorted(
            json.dumps([model._meta.app_label, model._meta.db_table, columns_of(model)])
            for model in apps.get_models(include_auto_created=True)
        )
        self.stdout.write("[\n" + ",\n".join(lines) + "\n]")


def columns_of(model: Any) -> list[str]:
    return sorted(field.column for field in model._meta.local_concrete_fields)
