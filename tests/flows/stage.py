"""A stage on which a whole event is played: the real parts of the product against a database and a broker of their own.

Nothing here is shared with another stage, so that a test may kill what it likes.
"""

import itertools
import shutil
import tempfile
from pathlib import Path

import redis

from deploy.bench.faults.cluster import Site
from deploy.bench.installation import BROKER_PREFIX, Part
from tests import brokers, servers
from tests.flows.databases import Stores

_numbers = itertools.count(1)


class Stage(Site):
    """Broker and an empty database from the start; web, workers and beat as a test starts them."""

    def __init__(self, stores: Stores, **variables: str) -> None:
        self.number = next(_numbers)
        self.stores = stores
        super().__init__(
            folder=Path(tempfile.mkdtemp(prefix="stage-", dir=stores.folder)),
            database_url=stores.fresh(f"stage{self.number}"),
            broker_binary=_binary(),
            variables={"SWEEP_SECONDS": "2", "WEB_THREADS": "8", **variables},
        )

    @property
    def running(self) -> list[Part]:
        """Whatever runs of it, at all its nodes."""
        return [part for node in (self, *self.nodes) for part in node.parts if part.is_running]

    def waiting_messages(self) -> int:
        """How many messages lie in the queues that workers take from."""
        with redis.Redis.from_url(self.broker_url) as client:
            return sum(client.llen(f"{BROKER_PREFIX}{queue}") for queue in ("celery", "records"))

    def close(self) -> None:
        """Ends every part and forgets the database."""
        self.stop()
        self.stores.drop(self.database_url)

    def forget(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


def _binary() -> Path:
    return brokers.redis_binary() if servers.broker_kind() == "redis" else brokers.valkey_binary()
