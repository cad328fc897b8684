"""An installation of several nodes, any part of which may be killed, and which may be asked what it holds."""

import itertools
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from deploy.loose_parts import LooseParts, Part

Told = TypeVar("Told")


@dataclass
class Site(LooseParts):
    """Broker and database from the start; web, workers and clock as they are started.

    `nodes` are other machines, as it were, of the same installation.
    """

    nodes: list[LooseParts] = field(default_factory=list)
    broker: Part = field(init=False)
    _workers: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def __post_init__(self) -> None:
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
        """What the database says, asked in another thread: one that drives a browser may not."""
        with ThreadPoolExecutor(1) as threads:
            return threads.submit(self._asked, question).result()

    def _asked(self, question: Callable[[], Told]) -> Told:
        with self.database():
            return question()

    def stop(self) -> None:
        """Ends every part of every node."""
        for node in self.nodes:
            node.stop()
        super().stop()
