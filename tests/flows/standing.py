"""A stage that stands from test to test: whoever leaves it whole leaves it empty, and nobody waits for its parts again.

For tests that break nothing for good. One that failed, or lost a part, is the last on its stage.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import redis
from django.core.management import call_command
from django.db import connection

from deploy.bench.faults import injection
from deploy.bench.installation import BROKER_PREFIX
from tests.flows.installations import Laptop
from tests.flows.stage import Stage
from tests.flows.stores import Stores
from tests.flows.waiting import until
from tournament.runtime.publish import EVERYTHING

OTHERS_AT_WORK = """
SELECT count(*) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'
"""


class Standing:
    """Has a stage of this kind at hand, with all of its parts."""

    def __init__(self, kind: Callable[[Stores], Laptop], stores: Stores) -> None:
        self.kind, self.stores = kind, stores
        self.stage: Laptop | None = None
        self._parts = 0

    def open(self) -> Laptop:
        if self.stage is None:
            self.stage = self.kind(self.stores)
            self._parts = len(self.stage.running)
        return self.stage

    def clear(self) -> None:
        """Forgets every row, in another thread: where this one drives a browser it cannot ask the database."""
        assert self.stage is not None
        with injection.suspended(self.stage.clock), ThreadPoolExecutor(1) as threads:
            threads.submit(_empty, self.stage).result()

    @property
    def is_whole(self) -> bool:
        return self.stage is not None and len(self.stage.running) == self._parts

    def put_down(self) -> None:
        """Leaves it empty to whoever comes next, or not at all where a part is missing."""
        if self.is_whole:
            self.clear()
        else:
            self.close()

    def close(self) -> str:
        """Ends the stage, if there is one; returns what its parts said last."""
        if self.stage is None:
            return ""
        stage, self.stage = self.stage, None
        stage.close()
        said = f"\nstage {stage.number}\n{stage.logs()}"
        stage.forget()
        return said


def _empty(stage: Stage) -> None:
    """Ids are not used again, so that nothing remembered of the old ones fits the new ones; addresses are."""
    with stage.database():
        until(lambda: not _is_at_work(stage), "nobody is at work", stage)
        call_command("flush", interactive=False, verbosity=0, reset_sequences=False)
    with redis.Redis.from_url(stage.broker_url) as client:
        client.publish(f"{BROKER_PREFIX}live", EVERYTHING)


def _is_at_work(stage: Stage) -> bool:
    """Whether a message waits or is worked on, or somebody asks the database."""
    with redis.Redis.from_url(stage.broker_url) as client:
        taken = client.hlen(f"{BROKER_PREFIX}unacked")
    if stage.waiting_messages() or taken:
        return True
    if connection.vendor == "sqlite":  # it gives its writers turns by itself
        return False
    with connection.cursor() as cursor:
        cursor.execute(OTHERS_AT_WORK)
        return bool(cursor.fetchone()[0])
