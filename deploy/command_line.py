"""Runs a command of `manage.py`. Prints one sentence for invalid settings, an unreachable database or old tables."""

import os
import sys
from contextlib import suppress
from typing import NoReturn

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line
from django.db import Error

from tournament.runtime import database_faults, migration_state
from tournament.runtime.database_faults import DatabaseFault

MIGRATING_COMMANDS = ("migrate", "restore", "up")
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
        sentence = _sentence_for(error, argv[1])
        if not sentence:
            raise
        _exit(sentence)


def _sentence_for(error: Error, command: str) -> str:
    """Returns an empty string for an error that has another reason."""
    if database_faults.classify(error) is DatabaseFault.AWAY:
        return database_faults.unreachable_sentence(error)
    if command in MIGRATING_COMMANDS:
        return ""
    with suppress(Error):
        return str(migration_state.SENTENCES[migration_state.state_of_tables()])
    return ""


def _exit(sentence: str) -> NoReturn:
    sys.stderr.write(f"{sentence}\n")
    raise SystemExit(2)
