"""Two web nodes behind one address, three workers, one clock of the sweep: what is hurt, and how loudly it says so."""

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit

import redis

from deploy.bench.air import Air
from deploy.bench.faults.hands import Clock
from deploy.bench.faults.site import Site
from deploy.bench.postgresql import Postgresql
from deploy.loose_parts import LooseParts, Part

WORKERS = 3
# Nobody waits here as long for a database that hangs as in a club, so that much can be tried.
PATIENCE = 3
SWITCHES = {
    "SWEEP_SECONDS": "1",
    "LOG_LEVEL": "WARNING",
    "WEB_THREADS": "8",
    "DATABASE_SECONDS": str(PATIENCE),
}
TOLD_LOUDLY = re.compile(r"^\S+ \S+ (?:WARNING|ERROR|CRITICAL) (?!django.request: Conflict)|^Traceback", re.M)


@dataclass
class Cluster:
    """On a database of their own; `server` is None where that is a file."""

    stage: Site
    server: Postgresql | None
    clock: Clock
    air: Air
    node: LooseParts
    webs: list[Part]
    workers: list[Part]
    beat: Part

    @property
    def parts(self) -> list[Part]:
        return [*self.webs, *self.workers, self.beat]

    @property
    def is_whole(self) -> bool:
        return all(part.is_running for part in [*self.parts, self.stage.broker])

    def waiting_workers(self) -> int:
        """How many have come up and wait for a message at this moment."""
        with redis.Redis.from_url(self.stage.broker_url) as client:
            return int(client.info("clients")["blocked_clients"])

    def loud_lines(self) -> Counter[str]:
        """How often each part has raised its voice so far."""
        logs = {f"{log.parent.name}/{log.stem}": log for log in self.stage.folder.rglob("*.log")}
        return Counter(
            {name: len(TOLD_LOUDLY.findall(log.read_text(errors="replace"))) for name, log in logs.items()}
        )


@contextmanager
def cluster(stage: Site, server: Postgresql | None) -> Iterator[Cluster]:
    """Starts all parts of the site, which has the SWITCHES; whoever made it ends it."""
    clock = Clock(stage.folder)
    stage.switches = {**stage.switches, **clock.switches}
    webs = [stage.start_web()]
    node = stage.another_node()
    webs.append(node.start_web())
    workers = [stage.start_another_worker() for _ in range(WORKERS)]
    ports = [int(urlsplit(one.url).port or 0) for one in (stage, node)]
    with Air(*ports) as air:
        yield Cluster(stage, server, clock, air, node, webs, workers, stage.start_beat())
