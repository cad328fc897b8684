"""`manage.py test`: proves the product. What follows is handed to pytest: paths, -k, -x."""

import sys

from django.core.management.base import BaseCommand

from deploy import run_checks


class Command(BaseCommand):
    help = "Runs lint, types, contracts and every test, with real servers, on both databases."
    requires_system_checks = []

    def run_from_argv(self, argv: list[str]) -> None:
        """Everything after the command belongs to pytest, so Django's own options are not read."""
        sys.exit(run_checks.run_all(argv[2:]))
