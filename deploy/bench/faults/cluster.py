"""Two web nodes behind one proxy, three workers and one beat: the installation that faults are injected into."""

import itertools
import re
import struct
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

import redis

from deploy.bench.installation import Installation, Part
from deploy.bench.postgresql import Postgresql
from deploy.bench.proxy import NetworkProxy

Value = TypeVar("Value")
WORKERS = 3
DATABASE_TIMEOUT = 3
"""Seconds; shorter than in use, so that more faults fit into the time."""
VARIABLES = {
    "SWEEP_SECONDS": "1",
    "LOG_LEVEL": "WARNING",
    "WEB_THREADS": "8",
    "DATABASE_SECONDS": str(DATABASE_TIMEOUT),
}
WARNING_LINE = re.compile(
    r"^\S+ \S+ (?:WARNING|ERROR|CRITICAL) (?!django.request: Conflict)|^Traceback", re.M
)
WRONG_CLOCK = Path(__file__).with_name("wrong_clock")


class Clock:
    """The time of day of every part that is started with `variables`."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "clock"
        self.set_offset(hours=0)
        self.variables = {"PYTHONPATH": str(WRONG_CLOCK), "WRONG_CLOCK": str(self._file)}

    def set_offset(self, *, hours: float) -> None:
        """The offset from the right time."""
        with open(self._file, "r+b" if self._file.exists() else "wb") as file:
            file.write(struct.pack("d", hours * 3600))


@dataclass
class Site(Installation):
    """An installation with several nodes. The broker runs from the start; other parts are started by the caller.

    `nodes` stand for the other machines of the installation.
    """

    nodes: list[Installation] = field(default_factory=list)
    broker: Part = field(init=False)
    _worker_numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def __post_init__(self) -> None:
        self.broker = self.start_broker()

    def add_worker(self) -> Part:
        return self.start_worker(f"worker{next(self._worker_numbers)}")

    def add_node(self) -> Installation:
        """Adds a node with its own folder and port; it gets database, broker and secret key from its environment."""
        folder = Path(tempfile.mkdtemp(prefix="node-", dir=self.folder))
        key = self.folder / "secret.key"
        shared = {"REDIS_URL": self.broker_url, "DJANGO_SECRET_KEY": key.read_text()}
        node = Installation(folder, self.database_url, self.broker_binary, {**self.variables, **shared})
        self.nodes.append(node)
        return node

    def restart_broker(self) -> None:
        """Kills the broker with all its messages and starts an empty one."""
        self.kill(self.broker)
        self.broker = self.start_broker()

    def query(self, function: Callable[[], Value]) -> Value:
        """Calls `function` within the database, in another thread: a thread that drives a browser cannot query."""

        def call() -> Value:
            with self.database():
                return function()

        with ThreadPoolExecutor(1) as threads:
            return threads.submit(call).result()

    def stop(self) -> None:
        for node in self.nodes:
            node.stop()
        super().stop()


@dataclass
class Cluster:
    """The parts of a site with two web nodes. `server` is None on SQLite."""

    site: Site
    server: Postgresql | None
    clock: Clock
    proxy: NetworkProxy
    node: Installation
    webs: list[Part]
    workers: list[Part]
    beat: Part

    @property
    def parts(self) -> list[Part]:
        return [*self.webs, *self.workers, self.beat]

    @property
    def all_parts_run(self) -> bool:
        return all(part.is_running for part in [*self.parts, self.site.broker])

    def idle_workers(self) -> int:
        """The number of workers that have started and wait for a message."""
        with redis.Redis.from_url(self.site.broker_url) as client:
            return int(client.info("clients")["blocked_clients"])

    def warning_lines(self) -> Counter[str]:
        """The number of warnings and errors in each log so far."""
        logs = {f"{log.parent.name}/{log.stem}": log for log in self.site.folder.rglob("*.log")}
        return Counter(
            {name: len(WARNING_LINE.findall(log.read_text(errors="replace"))) for name, log in logs.items()}
        )


@contextmanager
def start_cluster(site: Site, server: Postgresql | None) -> Iterator[Cluster]:
    """Starts all parts of a site that was created with VARIABLES. The caller stops the site."""
    clock = Clock(site.folder)
    site.variables = {**site.variables, **clock.variables}
    webs = [site.start_web()]
    node = site.add_node()
    webs.append(node.start_web())
    workers = [site.add_worker() for _ in range(WORKERS)]
    ports = [int(urlsplit(installation.url).port or 0) for installation in (site, node)]
    with NetworkProxy(*ports) as proxy:
        yield Cluster(site, server, clock, proxy, node, webs, workers, site.start_beat())
