"""Runs a command of `manage.py`. Prints one sentence for invalid settings or an unreachable database."""

import os
import sys
from typing import NoReturn

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line
from django.db import Error

from tournament.runtime import database_faults
from tournament.runtime.database_faults import DatabaseFault

ROOT_WARNING = (
    "Warning: this program and all its processes run as root. An ordinary user is sufficient and safer.\n"
)


def run(argv: list[str]) -> None:
    """Exits with code 2 after an error message on standard error."""
    try:
        settings.DATABASES  # noqa: B018 (reads the environment)
    except ImproperlyConfigured as wrong:
        _exit(str(wrong))
    if argv[1:2] == ["up"] and os.geteuid() == 0:
        sys.stderr.write(ROOT_WARNING)
    try:
        execute_from_command_line(argv)
    except Error as error:
        if database_faults.classify(error) is not DatabaseFault.AWAY:
            raise
        _exit(database_faults.unreachable_sentence(error))


def _exit(sentence: str) -> NoReturn:
    sys.stderr.write(f"{sentence}\n")
    raise SystemExit(2)
