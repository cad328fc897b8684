"""A PostgreSQL connection that stops waiting for a server that does not answer. Loaded by `database_timeouts`.

No option of libpq covers a server that is stopped while its kernel still acknowledges packets.
"""

from typing import Any

from django.conf import settings
from psycopg import Connection, OperationalError
from psycopg.abc import RV, PQGen
from psycopg.pq import TransactionStatus

WAIT_INTERVAL_SECONDS = 0.1


class TimeoutConnection(Connection[Any]):
    """Waits at most DATABASE_SECONDS for an answer, then closes itself."""

    def wait(
        self, gen: PQGen[RV], interval: float = WAIT_INTERVAL_SECONDS, timeout: float | None = None
    ) -> RV:
        """Raises OperationalError if the server does not answer in time."""
        try:
            return super().wait(gen, interval, timeout or settings.DATABASE_SECONDS)
        except OperationalError:
            # An error that the server sent ends the statement. ACTIVE means that no answer arrived.
            if self.info.transaction_status is not TransactionStatus.ACTIVE:
                raise
            self.close()
            reason = f"it has not answered for {settings.DATABASE_SECONDS:g} s"
            raise OperationalError(reason) from None
