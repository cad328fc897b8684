"""How long whoever serves people waits for PostgreSQL: so long and no longer.

A server that is gone says so. One that hangs, or a network that swallows everything, says nothing at all, and libpq
would wait for ever, with a thread of the web or a whole worker. So each of their connections gives up by itself, and
the server ends by itself what took too long, or was begun by a node that hangs. Commands of `manage.py` take the time
that they need.
"""

from importlib import import_module
from typing import Any

from django.conf import settings
from django.db import connections
from django.utils.module_loading import import_string

# Loaded only for PostgreSQL: a laptop with SQLite has no need of its driver.
CONNECTION_CLASS = "deploy.timeout_connection.TimeoutConnection"
POOL = "psycopg_pool"
# The server ends a statement first: it says why, and its connection stays good.
STATEMENT_SHARE = 0.8
# A node that hangs in the middle of a change holds its locks; one that is only slow must not be taken for it.
IDLE_FACTOR = 3


def apply_timeouts() -> None:
    """From here on every new connection of this process has a deadline; what the address says goes first.

    Called by each process that serves people, before it asks for anything. Does nothing for SQLite, whose file never
    hangs by itself, and whose writers stand in a queue of their own.
    """
    options = connections.settings["default"]["OPTIONS"]
    if "pool" in options:
        import_module(POOL)
    if settings.DATABASE_SECONDS and "pool" in options:
        options["pool"] = {**options["pool"], "connection_class": import_string(CONNECTION_CLASS)}
        options |= {**timeout_options(settings.DATABASE_SECONDS), **options}


def timeout_options(seconds: float) -> dict[str, Any]:
    thousandths = round(seconds * 1000)
    said_to_server = {
        "statement_timeout": round(thousandths * STATEMENT_SHARE),
        "idle_in_transaction_session_timeout": thousandths * IDLE_FACTOR,
        "tcp_user_timeout": thousandths,
    }
    return {
        "connect_timeout": max(2, round(seconds / 2)),
        "keepalives_idle": max(1, round(seconds)),
        "tcp_user_timeout": thousandths,
        "options": " ".join(f"-c {name}={value}" for name, value in said_to_server.items()),
    }
