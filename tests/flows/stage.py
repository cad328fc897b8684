"""A stage on which a whole event is played: the real parts of the product against a database and a broker of their own.

Nothing here is shared with another stage, so that a test may kill what it likes.
"""

import itertools
import shutil
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

import redis

from deploy.loose_parts import PREFIX, LooseParts, Part
from tests import brokers, servers
from tests.flows.stores import Stores

Told = TypeVar("Told")
_numbers = itertools.count(1)


class Stage(LooseParts):
    """Broker and an empty database from the start; web, workers and beat as a test starts them.

    `nodes` are other machines, as it were, of the same installation.
    """

    def __init__(self, stores: Stores, **switches: str) -> None:
        self.number = next(_numbers)
        self.stores = stores
        super().__init__(
            folder=Path(tempfile.mkdtemp(prefix="stage-", dir=stores.folder)),
            database_url=stores.fresh(f"stage{self.number}"),
            broker_binary=_binary(),
            switches={"SWEEP_SECONDS": "2", "WEB_THREADS": "8", **switches},
        )
        self._workers = itertools.count(1)
        self.nodes: list[LooseParts] = []
        self.broker = self.start_broker()

    def start_another_worker(self) -> Part:
        return self.start_worker(f"worker{next(self._workers)}")

    def another_node(self) -> LooseParts:
        """A folder and a port of its own; database, broker and secret are the same, told by the environment alone."""
        folder = Path(tempfile.mkdtemp(prefix="node-", dir=self.folder))
        key = self.folder / "secret.key"
        shared = {"REDIS_URL": self.broker_url, "DJANGO_SECRET_KEY": key.read_text()}
        node = LooseParts(folder, self.database_url, self.broker_binary, {**self.switches, **shared})
        self.nodes.append(node)
        return node

    def restart_broker(self) -> None:
        """The broker dies with all that it held and comes back empty."""
        self.kill(self.broker)
        self.broker = self.start_broker()

    def ask(self, question: Callable[[], Told]) -> Told:
        """What the stage's database says, asked in another thread: one that drives a browser may not."""
        with ThreadPoolExecutor(1) as threads:
            return threads.submit(self._asked, question).result()

    def _asked(self, question: Callable[[], Told]) -> Told:
        with self.database():
            return question()

    def waiting_messages(self) -> int:
        """How many messages lie in the queue that workers take from."""
        with redis.Redis.from_url(self.broker_url) as client:
            return int(client.llen(f"{PREFIX}celery"))

    def close(self) -> None:
        """Ends every part and forgets the database."""
        for node in self.nodes:
            node.stop()
        self.stop()
        self.stores.drop(self.database_url)

    def forget(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


def _binary() -> Path:
    return brokers.redis_binary() if servers.broker_kind() == "redis" else brokers.valkey_binary()
