"""A running installation that several tests of a package use in turn, because starting its processes takes seconds.

For tests after which the installation works as before. It is emptied after each test. After a failed test, or when a
process is missing, it is stopped, and the next test starts a new one.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import redis
from django.core.management import CommandError, call_command
from django.db import connection

from deploy.bench.faults import injection
from deploy.bench.installation import BROKER_PREFIX
from tests.flows.databases import Stores
from tests.flows.installations import Laptop
from tests.flows.stage import Stage
from tests.flows.waiting import until
from tournament.runtime.publish import EVERYTHING

ACTIVE_CONNECTIONS = """
SELECT count(*) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'
"""


FLUSH_ATTEMPTS = 3
"""The last request of a page that was just closed can block the deletion."""


class SharedStage:
    """Starts a stage of this kind for the first test and keeps it for the next ones."""

    def __init__(self, kind: Callable[[Stores], Laptop], stores: Stores) -> None:
        self.kind, self.stores = kind, stores
        self.stage: Laptop | None = None
        self._process_count = 0

    def open(self) -> Laptop:
        if self.stage is None:
            self.stage = self.kind(self.stores)
            self._process_count = len(self.stage.running)
        return self.stage

    def clear(self) -> None:
        """Deletes every row. Uses another thread, because Playwright's event loop runs in the thread of the test."""
        assert self.stage is not None
        with injection.suspended(self.stage.clock), ThreadPoolExecutor(1) as threads:
            threads.submit(_delete_rows, self.stage).result()

    @property
    def is_whole(self) -> bool:
        return self.stage is not None and len(self.stage.running) == self._process_count

    def release(self) -> None:
        """Empties the stage for the next test. Stops it if a process is missing."""
        if self.is_whole:
            self.clear()
        else:
            self.close()

    def close(self) -> str:
        """Stops the stage, if there is one. Returns its logs."""
        if self.stage is None:
            return ""
        stage, self.stage = self.stage, None
        stage.close()
        logs = f"\nstage {stage.number}\n{stage.logs()}"
        stage.forget()
        return logs


def _delete_rows(stage: Stage) -> None:
    """Keeps the sequences of ids, so that cached data of a deleted row never belongs to a new one."""
    with stage.database():
        for attempt in range(1, FLUSH_ATTEMPTS + 1):
            until(lambda: not _is_busy(stage), "an idle installation", stage)
            try:
                call_command("flush", interactive=False, verbosity=0, reset_sequences=False)
                break
            except CommandError:
                if attempt == FLUSH_ATTEMPTS:
                    raise
    with redis.Redis.from_url(stage.broker_url) as client:
        client.publish(f"{BROKER_PREFIX}live", EVERYTHING)


def _is_busy(stage: Stage) -> bool:
    """True while a task waits or runs, or a connection executes a statement."""
    with redis.Redis.from_url(stage.broker_url) as client:
        running_tasks = client.hlen(f"{BROKER_PREFIX}unacked")
    if stage.waiting_messages() or running_tasks:
        return True
    if connection.vendor == "sqlite":  # its lock makes the deletion wait for other writers
        return False
    with connection.cursor() as cursor:
        cursor.execute(ACTIVE_CONNECTIONS)
        return bool(cursor.fetchone()[0])
