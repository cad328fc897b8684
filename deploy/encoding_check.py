"""A system check that a PostgreSQL database uses UTF-8. `migrate` runs it before the first row is written."""

from collections.abc import Sequence
from typing import Any

from django.core.checks import CheckMessage, Error
from django.db import connections


def check_database_encoding(*, databases: Sequence[str] | None = None, **_: Any) -> list[CheckMessage]:
    """Returns an error for each PostgreSQL database with another encoding than UTF-8."""
    checked = [connections[alias] for alias in databases or ()]
    encodings = [_encoding(connection) for connection in checked if connection.vendor == "postgresql"]
    return [encoding_error(encoding) for encoding in encodings if encoding != "UTF8"]


def encoding_error(encoding: str) -> CheckMessage:
    return Error(
        f"The database has the encoding {encoding} and cannot store every name.",
        hint="Create it again with UTF-8: createdb --encoding UTF8 --template template0 --owner director director",
        id="deploy.E001",
    )


def _encoding(connection: Any) -> str:
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_encoding")
        return str(cursor.fetchone()[0])
