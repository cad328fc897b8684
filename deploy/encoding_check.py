"""A check: the database can hold every name. Asked by `migrate` before the first row, not found out on a Saturday."""

from collections.abc import Sequence
from typing import Any

from django.core.checks import CheckMessage, Error
from django.db import connections


def check_database_encoding(*, databases: Sequence[str] | None = None, **_: Any) -> list[CheckMessage]:
    """One error for each PostgreSQL database that was made with another encoding than UTF-8."""
    checked = [connections[alias] for alias in databases or ()]
    encodings = [_encoding(connection) for connection in checked if connection.vendor == "postgresql"]
    return [encoding_error(encoding) for encoding in encodings if encoding != "UTF8"]


def encoding_error(encoding: str) -> CheckMessage:
    return Error(
        f"The database is {encoding} and cannot hold every name.",
        hint="Make it anew: createdb --encoding UTF8 --template template0 --owner director director",
        id="deploy.E001",
    )


def _encoding(connection: Any) -> str:
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_encoding")
        return str(cursor.fetchone()[0])
