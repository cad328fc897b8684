"""Sets timeouts on the PostgreSQL connections of web processes and workers. Commands of `manage.py` have none.

libpq waits without a limit for a server that hangs or for a network that drops packets, which would block a thread or a
worker. So the client closes its connection after DATABASE_SECONDS, and the server cancels slow statements and
transactions of clients that hang.
"""

from importlib import import_module
from typing import Any

from django.conf import settings
from django.db import connections
from django.utils.module_loading import import_string

# Imported only for PostgreSQL: a laptop with SQLite does not load the driver.
CONNECTION_CLASS = "deploy.timeout_connection.TimeoutConnection"
POOL = "psycopg_pool"
# The server cancels a statement before the client gives up, because its error has a reason and keeps the connection.
STATEMENT_SHARE = 0.8
# A client that hangs inside a transaction holds its locks. The factor protects clients that are only slow.
IDLE_FACTOR = 3


def apply_timeouts() -> None:
    """Adds the timeouts to all new connections of this process. Options in DATABASE_URL take precedence.

    Must be called before the first query. Does nothing for SQLite, whose writers have their own queue.
    """
    options = connections.settings["default"]["OPTIONS"]
    if "pool" in options:
        import_module(POOL)
    if settings.DATABASE_SECONDS and "pool" in options:
        options["pool"] = {**options["pool"], "connection_class": import_string(CONNECTION_CLASS)}
        options |= {**timeout_options(settings.DATABASE_SECONDS), **options}


def timeout_options(seconds: float) -> dict[str, Any]:
    """Returns libpq connection options for a timeout of `seconds`."""
    milliseconds = round(seconds * 1000)
    server_options = {
        "statement_timeout": round(milliseconds * STATEMENT_SHARE),
        "idle_in_transaction_session_timeout": milliseconds * IDLE_FACTOR,
        "tcp_user_timeout": milliseconds,
    }
    return {
        "connect_timeout": max(2, round(seconds / 2)),
        "keepalives_idle": max(1, round(seconds)),
        "tcp_user_timeout": milliseconds,
        "options": " ".join(f"-c {name}={value}" for name, value in server_options.items()),
    }
