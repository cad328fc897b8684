"""Stops a process that starts with tables of a newer release, before it fails in the middle of an event."""

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from django.db import Error, connection

from tournament.runtime import migration_state

if TYPE_CHECKING:
    from django.db.backends.postgresql.base import DatabaseWrapper


def problem() -> str:
    """Returns an error message if this release must not start, else an empty string. Leaves no connection open.

    A database that does not answer is not an error here: processes start without it and wait.
    """
    try:
        return migration_state.refusal_to_start()
    except Error:
        return ""
    finally:
        connection.close()
        if connection.vendor == "postgresql":
            cast("DatabaseWrapper", connection).close_pool()


def check(end: Callable[[int], object] = sys.exit) -> None:
    """Prints the error message, if any, and ends this process with exit code 2."""
    sentence = problem()
    if sentence:
        print(sentence, file=sys.stderr, flush=True)
        end(2)
