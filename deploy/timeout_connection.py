"""A connection to PostgreSQL that is given up when the server says nothing; loaded by `deadline` where there is one."""

from typing import Any

from django.conf import settings
from psycopg import Connection, OperationalError
from psycopg.abc import RV, PQGen
from psycopg.errors import _WaitTimeout

WAIT_INTERVAL_SECONDS = 0.1


class TimeoutConnection(Connection[Any]):
    """Nobody waits for it longer than DATABASE_SECONDS; then it is closed."""

    def wait(
        self, gen: PQGen[RV], interval: float = WAIT_INTERVAL_SECONDS, timeout: float | None = None
    ) -> RV:
        """Raises OperationalError for a server that does not answer."""
        try:
            return super().wait(gen, interval, timeout or settings.DATABASE_SECONDS)
        except _WaitTimeout:
            self.close()
            reason = f"it has not answered for {settings.DATABASE_SECONDS:g} s"
            raise OperationalError(reason) from None
