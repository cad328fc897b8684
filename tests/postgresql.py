"""A PostgreSQL for the tests, fast because it may forget everything; fetched as root where there is none.

Nothing is vacuumed: counted between two tests, whose rows are taken back, every table would pass for an empty one,
and a draw of 1,024 would be joined row by row for minutes.
"""

from pathlib import Path

from deploy.bench import postgresql
from deploy.bench.postgresql import NoPostgresql, NotInstalled, Postgresql
from tests import apt

FAST = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "autovacuum=off")


def start(folder: Path) -> Postgresql:
    """Starts a server in `folder`; raises Missing when there is none and none can be fetched."""
    try:
        return _started(folder)
    except NotInstalled:
        apt.install("postgresql", "PostgreSQL")
    return _started(folder)


def _started(folder: Path) -> Postgresql:
    try:
        return postgresql.start(folder, FAST)
    except NotInstalled:
        raise
    except NoPostgresql as error:
        raise apt.Missing(f"The tests need PostgreSQL: {error}") from None
