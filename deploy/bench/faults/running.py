"""Plays events for as long as is asked, with one fault after the other, and counts what became of what was taken in."""

import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Any

from deploy import embedded
from deploy.bench import postgresql
from deploy.bench.faults import hands, harm
from deploy.bench.faults.cluster import SWITCHES, Cluster, cluster
from deploy.bench.faults.evening import ENTRIES, Evening, NoMoreMatches
from deploy.bench.faults.hall import drawn_hall
from deploy.bench.faults.harm import Fault
from deploy.bench.faults.onlooker import Onlooker
from deploy.bench.faults.replay import Account
from deploy.bench.faults.site import Site
from deploy.bench.grounds import ON_DISK, CannotMeasure
from deploy.bench.postgresql import Postgresql
from deploy.loose_parts import LooseParts

SLOW_CLIENTS = 5
# What is cleaned up would leave gaps in a table, and then its disk is not full.
NOT_VACUUMED = ("autovacuum=off",)
NOTHING = Account(0, 0, 0, 0, 0, 0)
Say = Callable[[float], None]
"""How many seconds have passed."""


@dataclass
class Row:
    """What one fault did, in all waves that it befell: counts, and the worst of its seconds and lines."""

    waves: int = 0
    requests: int = 0
    refused: int = 0
    acknowledged: int = 0
    applied: int = 0
    lost: int = 0
    twice: int = 0
    recovered: float = 0.0
    lines: int = 0

    def add(self, now: Account, before: Account, recovered: float, lines: int) -> None:
        self.waves += 1
        for name in ("requests", "refused", "acknowledged", "applied", "lost", "twice"):
            setattr(self, name, getattr(self, name) + getattr(now, name) - getattr(before, name))
        self.recovered, self.lines = max(self.recovered, recovered), max(self.lines, lines)

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "recovered": round(self.recovered, 2)}


Rows = dict[str, Row]


class Bench:
    """All that is played on one cluster, a fault in each wave. `rows` are filled as it goes on, so that they are there
    whatever happens."""

    def __init__(self, it: Cluster, faults: Iterable[Fault]) -> None:
        self.it, self.rows = it, Rows()
        self.fault = "before the first fault"
        self._faults = iter(faults)

    def play(self, seconds: float, say: Say) -> None:
        """Raises Wrong, NotInTime or BadAnswer for what must not be."""
        began = time.monotonic()
        while time.monotonic() - began < seconds:
            self._event(lambda: time.monotonic() - began < seconds, lambda: say(time.monotonic() - began))

    def _event(self, is_time: Callable[[], bool], say: Callable[[], None]) -> None:
        hall = self.it.stage.ask(lambda: drawn_hall(self.it.stage, ENTRIES))
        evening = Evening(self.it, hall, lambda: True)
        page, streams = f"/e/{evening.slugs}/", [f"/live/?bracket={evening.bracket}", f"/e/{evening.slugs}/"]
        account = NOTHING
        with (
            Onlooker(self.it.air.url, evening.bracket, f"{page}fragment/") as onlooker,
            hands.slow_clients(self.it.air.url, streams, SLOW_CLIENTS),
        ):
            evening.sees_all = onlooker.sees_all
            while is_time():
                say()
                try:
                    account = self.wave(evening, account)
                except NoMoreMatches:
                    return

    def wave(self, evening: Evening, before: Account = NOTHING) -> Account:
        """What became of everything so far; `before` is what it was before this wave."""
        fault = next(self._faults)
        evening.kind = harm.before(fault)
        quiet = self.it.loud_lines()
        self.fault = fault.__name__.replace("_", " ")
        account = evening.wave(fault)
        loudest = max((self.it.loud_lines() - quiet).values(), default=0)
        row = self.rows.setdefault(self.fault, Row())
        row.add(account, before, evening.recovered, loudest)
        return account


def in_any_order(faults: Sequence[Fault], chance: Random) -> Iterator[Fault]:
    """For ever, each as often as any other."""
    while True:
        yield from chance.sample(faults, len(faults))


@contextmanager
def hurt_ground(kind: str) -> Iterator[tuple[Cluster, str]]:
    """A cluster on a database of this kind that is made for this alone, and what to call it. Raises CannotMeasure."""
    if not sys.platform.startswith("linux") or shutil.which("prlimit") is None:
        raise CannotMeasure("Faults are made with Linux's own means, among them the command prlimit.")
    folder = Path(tempfile.mkdtemp(prefix="bgb-", dir=ON_DISK if ON_DISK.is_dir() else None))
    folder.chmod(0o755)  # the server runs as another user when we are root
    try:
        with _database(kind, folder) as (url, server, vendor):
            LooseParts(folder, url, Path(), SWITCHES).manage("migrate", "--verbosity", "0", "--skip-checks")
            site = Site(folder, url, embedded.broker_binary(), SWITCHES)
            try:
                with cluster(site, server) as it:
                    yield it, vendor
            finally:
                site.stop()
    except (embedded.NoBroker, postgresql.NoPostgresql) as missing:
        raise CannotMeasure(str(missing)) from None
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _database(kind: str, folder: Path) -> Iterator[tuple[str, Postgresql | None, str]]:
    """Never the operator's own: its plug is pulled."""
    if kind == "sqlite":
        yield f"sqlite://{folder}/bench.sqlite3", None, "SQLite"
        return
    server = postgresql.start(folder, NOT_VACUUMED)
    try:
        yield server.url, server, "PostgreSQL, started for this bench"
    finally:
        server.stop()
