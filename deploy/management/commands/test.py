"""`manage.py test`: runs all checks and tests. Arguments are passed to pytest: paths, -k, -x."""

import sys

from django.core.management.base import BaseCommand

from deploy import run_checks


class Command(BaseCommand):
    help = "Runs all checks and all tests on both databases. Arguments are passed to pytest: paths, -k, -x."
    requires_system_checks = []

    def run_from_argv(self, argv: list[str]) -> None:
        """Passes all arguments to pytest, so Django's options are not parsed."""
        sys.exit(run_checks.run_all(argv[2:]))
