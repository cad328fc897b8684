"""A stage on which a whole event is played: the real parts of the product against a database and a broker of their own.

Nothing here is shared with another stage, so that a test may kill what it likes.
"""

import itertools
import shutil
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import redis
from django.conf import settings
from django.db import connections

from deploy import environment
from deploy.loose_parts import LOOPBACK, Part, LooseParts, free_port
from tests import brokers, servers
from tests.flows.stores import Stores

_numbers = itertools.count(1)


class Stage:
    """Broker and database from the start; web, workers and beat as a test starts them."""

    def __init__(self, stores: Stores, **switches: str) -> None:
        self.number = next(_numbers)
        self.stores = stores
        self.folder = Path(tempfile.mkdtemp(prefix="stage-", dir=stores.folder))
        self.database_url = stores.fresh(f"stage{self.number}")
        self.broker = brokers.start(servers.broker_kind(), self.folder)
        self.port = free_port()
        self.parts = LooseParts(
            self.folder,
            {
                "DATABASE_URL": self.database_url,
                "REDIS_URL": self.broker.url,
                "REDIS_PREFIX": "stage:",
                "SWEEP_SECONDS": "2",
                "WEB_THREADS": "8",
                **switches,
            },
        )
        self._workers = itertools.count(1)

    @property
    def url(self) -> str:
        return f"http://{LOOPBACK}:{self.port}"

    def start_web(self) -> Part:
        return self.parts.start_web(self.port)

    def start_worker(self, processes: int = 1) -> Part:
        return self.parts.start_worker(f"worker{next(self._workers)}", processes)

    def start_beat(self) -> Part:
        return self.parts.start_beat()

    def kill(self, part: Part, sign: signal.Signals = signal.SIGKILL) -> None:
        """Ends a part as a crash would."""
        self.parts.end(part, sign)

    def kill_broker(self) -> None:
        self.broker.kill()

    def restart_broker(self) -> None:
        """The broker dies with all that it held and comes back empty."""
        self.broker.restart()

    def waiting_messages(self) -> int:
        """How many messages lie in the queue that workers take from."""
        client = redis.Redis.from_url(self.broker.url)
        with client:
            return int(client.llen("stage:celery"))

    def manage(self, *arguments: str) -> str:
        """Runs a command of the product on this stage; returns what it printed."""
        return self.parts.manage(*arguments)

    @contextmanager
    def database(self) -> Iterator[None]:
        """Within the block this process reads and writes the database of the stage."""
        ours = connections["default"]
        theirs = environment.database(self.database_url, self.folder)
        theirs["OPTIONS"].pop("pool", None)
        defaults = {**settings.DATABASES["default"], **theirs}
        connections["default"] = ours.__class__({**defaults, "OPTIONS": theirs["OPTIONS"]}, "default")
        try:
            yield
        finally:
            connections["default"].close()
            connections["default"] = ours

    def stop(self) -> None:
        """Ends every part and forgets the database."""
        self.parts.stop()
        self.broker.kill()
        self.stores.drop(self.database_url)

    def forget(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    def logs(self) -> str:
        """The last lines of every log of the stage."""
        kept = sorted(self.folder.glob("*.log"))
        return "\n".join(f"--- {log.name}\n{_tail(log)}" for log in kept)


def _tail(log: Path) -> str:
    return "\n".join(log.read_text(errors="replace").splitlines()[-60:])
