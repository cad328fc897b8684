"""The two installations of a stage: one laptop in a hall, and the servers of a federation.

A federation has two web nodes behind one address and three workers, on one database and one broker. Each connection
reaches the next node, so reads mostly reach another node than the write before them.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from deploy.bench.proxy import NetworkProxy
from tests.flows.databases import Stores
from tests.flows.stage import Stage


class Laptop(Stage):
    """One web server, one worker, the clock of the sweep; all log in detail."""

    most_workers = 1

    def __init__(self, stores: Stores) -> None:
        super().__init__(stores, LOG_LEVEL="DEBUG")
        self.start_workers()
        self.clock = self.start_beat()
        self.start_web()

    @property
    def addresses(self) -> list[str]:
        """Each node's own."""
        return [self.url]

    @contextmanager
    def one_node_less(self) -> Iterator[None]:
        """A laptop has but one."""
        yield

    def start_workers(self) -> None:
        """As many as it has when it is whole."""
        for _ in range(self.most_workers):
            self.add_worker()

    def kill_workers(self) -> None:
        for part in list(self.parts):
            if part.name.startswith("worker"):
                self.kill(part)

    def kill_webs(self) -> None:
        """At every node."""
        for node in (self, *self.nodes):
            for part in [process for process in node.parts if process.name == "web"]:
                node.kill(part)

    def bring_webs_back(self) -> None:
        for node in (self, *self.nodes):
            node.start_web()


class Federation(Laptop):
    """Two web servers, three workers; one clock."""

    most_workers = 3
    proxy: NetworkProxy | None = None

    def __init__(self, stores: Stores) -> None:
        super().__init__(stores)
        self.add_node().start_web()
        self.proxy = NetworkProxy(*self._ports).__enter__()

    @property
    def url(self) -> str:
        """Where both nodes are reached; before there are two, the first."""
        return self.proxy.url if self.proxy else super().url

    @property
    def addresses(self) -> list[str]:
        return [super().url, *(node.url for node in self.nodes)]

    @property
    def _ports(self) -> list[int]:
        return [int(urlsplit(address).port or 0) for address in self.addresses]

    @contextmanager
    def one_node_less(self) -> Iterator[None]:
        """Ends the second node as a power failure does: nothing listens at its port within the block."""
        assert self.proxy is not None
        [node] = self.nodes
        node.close_port()
        for part in list(node.parts):
            node.kill(part)
        yield
        node.start_web()
        self.proxy.ports = tuple(self._ports)

    def close(self) -> None:
        proxy, self.proxy = self.proxy, None
        if proxy is not None:
            proxy.__exit__()
        super().close()
