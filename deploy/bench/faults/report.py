"""Plays events with one fault in each wave for a given time and reports the counts of each fault."""

import shutil
import sys
import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any, TextIO

from deploy import embedded_broker
from deploy.bench import postgresql
from deploy.bench.faults import injection, scenarios
from deploy.bench.faults.cluster import VARIABLES, Cluster, Site, start_cluster
from deploy.bench.faults.event import (
    ENTRIES,
    DrawnEvent,
    NoMatchesLeft,
    PlayedEvent,
    Reconciliation,
    StateDiffers,
)
from deploy.bench.faults.scenarios import Fault
from deploy.bench.faults.spectator import Spectator
from deploy.bench.installation import Installation, PartFailed
from deploy.bench.machine import describe_machine
from deploy.bench.postgresql import Postgresql
from deploy.bench.progress import ProgressBar
from deploy.bench.steps import NotInTime, UnexpectedAnswer
from deploy.bench.temporary import CannotMeasure, migrate, temporary_folder

SEED = 2048
MINUTES = 10.0
SLOW_CLIENTS = 5
NO_VACUUM = ("autovacuum=off",)
"""Vacuum leaves gaps in a table, so that its disk does not fill up."""
NOTHING = Reconciliation(0, 0, 0, 0, 0, 0)
COLUMNS = ("waves", "requests", "refused", "acknowledged", "applied", "lost", "twice", "recovered s", "lines")


@dataclass
class FaultCounts:
    """Sums of all waves with one fault; of `recovered` (seconds) and `lines` (of a log) the highest."""

    waves: int = 0
    requests: int = 0
    refused: int = 0
    acknowledged: int = 0
    applied: int = 0
    lost: int = 0
    twice: int = 0
    recovered: float = 0.0
    lines: int = 0

    def add(self, now: Reconciliation, before: Reconciliation, recovered: float, lines: int) -> None:
        self.waves += 1
        for name in ("requests", "refused", "acknowledged", "applied", "lost", "twice"):
            setattr(self, name, getattr(self, name) + getattr(now, name) - getattr(before, name))
        self.recovered, self.lines = max(self.recovered, recovered), max(self.lines, lines)

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "recovered": round(self.recovered, 2)}


CountsByFault = dict[str, FaultCounts]


class FaultBench:
    """Plays events on one cluster. `counts` are updated after each wave, so that they survive an error."""

    def __init__(self, cluster: Cluster, faults: Iterable[Fault]) -> None:
        self.cluster, self.counts = cluster, CountsByFault()
        self.fault = "before the first fault"
        self._faults = iter(faults)

    def play(self, seconds: float, show_progress: Callable[[float], None]) -> None:
        """Raises StateDiffers, NotInTime or UnexpectedAnswer when a check fails."""
        began = time.monotonic()
        while (elapsed := time.monotonic() - began) < seconds:
            show_progress(elapsed)
            self._play_event(began + seconds, lambda: show_progress(time.monotonic() - began))

    def _play_event(self, deadline: float, show_progress: Callable[[], None]) -> None:
        site, url = self.cluster.site, self.cluster.proxy.url
        event = PlayedEvent(self.cluster, site.query(lambda: DrawnEvent.draw(site, ENTRIES)), lambda: True)
        streams = [f"/live/?bracket={event.bracket}", event.path]
        reconciliation = NOTHING
        with (
            Spectator(url, event.bracket, f"{event.path}fragment/") as spectator,
            injection.slow_clients(url, streams, SLOW_CLIENTS),
        ):
            event.page_is_current = spectator.page_is_current
            while time.monotonic() < deadline:
                show_progress()
                try:
                    reconciliation = self.play_wave(event, reconciliation)
                except NoMatchesLeft:
                    return

    def play_wave(self, event: PlayedEvent, before: Reconciliation = NOTHING) -> Reconciliation:
        """Injects the next fault. `before` is the reconciliation before this wave; the new one is returned."""
        fault = next(self._faults)
        event.phone_class = scenarios.phone_class(fault)
        lines_before = self.cluster.warning_lines()
        self.fault = fault.__name__.replace("_", " ")
        reconciliation = event.play_wave(fault)
        lines = max((self.cluster.warning_lines() - lines_before).values(), default=0)
        counts = self.counts.setdefault(self.fault, FaultCounts())
        counts.add(reconciliation, before, event.recovery_seconds, lines)
        return reconciliation


def shuffle_repeatedly(faults: Sequence[Fault], chance: Random) -> Iterator[Fault]:
    """An endless sequence in which each fault comes as often as any other."""
    while True:
        yield from chance.sample(faults, len(faults))


@contextmanager
def temporary_cluster(kind: str) -> Iterator[tuple[Cluster, str]]:
    """A cluster on a new database of this kind, and the name of the database. Raises CannotMeasure."""
    if not sys.platform.startswith("linux") or shutil.which("prlimit") is None:
        raise CannotMeasure("This bench needs Linux and the command prlimit.")
    with temporary_folder() as folder:
        folder.chmod(0o755)  # the server runs as another user when we are root
        try:
            with _database(kind, folder) as (url, server, vendor):
                migrate(Installation(folder, url, Path(), VARIABLES))
                site = Site(folder, url, embedded_broker.broker_binary(), VARIABLES)
                try:
                    with start_cluster(site, server) as cluster:
                        yield cluster, vendor
                finally:
                    site.stop()
        except (embedded_broker.NoBroker, postgresql.NoPostgresql) as missing:
            raise CannotMeasure(str(missing)) from None


@contextmanager
def _database(kind: str, folder: Path) -> Iterator[tuple[str, Postgresql | None, str]]:
    """Never the server of DATABASE_URL: the bench stops its server."""
    if kind == "sqlite":
        yield f"sqlite://{folder}/bench.sqlite3", None, "SQLite"
        return
    server = postgresql.start(folder, NO_VACUUM)
    try:
        yield server.url, server, "PostgreSQL, started for this bench"
    finally:
        server.stop()


@dataclass
class FaultsReport:
    """By database: the counts of each fault, the error that ended the bench, and why something was not measured."""

    machine: str
    at: str
    seed: int
    minutes: float
    counts: dict[str, CountsByFault] = field(default_factory=dict)
    wrong: dict[str, str] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        return {
            "bench": "faults",
            "machine": self.machine,
            "at": self.at,
            "seed": self.seed,
            "minutes": self.minutes,
            "databases": {
                name: {fault: counts.as_json() for fault, counts in by_fault.items()}
                for name, by_fault in self.counts.items()
            },
            "wrong": self.wrong,
            "not_measured": self.missing,
        }


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--minutes", type=float, default=MINUTES, help=f"duration on each database ({MINUTES:g})"
    )
    parser.add_argument("--seed", type=int, default=SEED, help=f"seed for the order of faults ({SEED})")


def run(
    kinds: Iterable[str], options: dict[str, Any], screen: TextIO = sys.stderr
) -> tuple[str, dict[str, Any]]:
    at = datetime.now(UTC).isoformat(timespec="seconds")
    report = FaultsReport(describe_machine(), at, options["seed"], options["minutes"])
    for kind in kinds:
        bar = ProgressBar(kind, screen)
        try:
            _run_on(kind, report, bar)
        except CannotMeasure as missing:
            report.missing[kind] = str(missing)
        bar.clear()
    return as_text(report), report.as_json()


def _run_on(kind: str, report: FaultsReport, bar: ProgressBar) -> None:
    seconds = round(60 * report.minutes)
    with temporary_cluster(kind) as (cluster, vendor):
        chance = Random(report.seed)  # noqa: S311 (the order of faults)
        bench = FaultBench(cluster, shuffle_repeatedly(scenarios.all_faults(cluster.server), chance))
        report.counts[vendor] = bench.counts
        try:
            bench.play(seconds, lambda elapsed: bar.show(min(seconds, round(elapsed)), max(1, seconds)))
        except (StateDiffers, NotInTime, UnexpectedAnswer, PartFailed) as wrong:
            report.wrong[vendor] = f"{bench.fault}: {wrong}\n{cluster.site.logs()}"


def as_text(report: FaultsReport) -> str:
    lines = [f"{report.machine}; seed {report.seed}"]
    for name, counts in report.counts.items():
        width = max(map(len, counts), default=0)
        lines += ["", name, f"  {'':<{width}}  {'  '.join(COLUMNS)}"]
        lines += [f"  {fault:<{width}}  {_cells(counts[fault])}" for fault in sorted(counts)]
        lines.append(f"  {_verdict(counts, report.wrong.get(name, ''))}")
    lines += ["", *(f"Not measured on {kind}: {reason}" for kind, reason in report.missing.items())]
    return "\n".join(lines).rstrip()


def _cells(counts: FaultCounts) -> str:
    values = [f"{value:.1f}" if isinstance(value, float) else str(value) for value in vars(counts).values()]
    return "  ".join(f"{value:>{len(column)}}" for value, column in zip(values, COLUMNS, strict=True))


def _verdict(by_fault: CountsByFault, wrong: str) -> str:
    if wrong:
        return f"WRONG: {wrong}"
    acknowledged, applied, lost, twice = (
        sum(getattr(counts, name) for counts in by_fault.values())
        for name in ("acknowledged", "applied", "lost", "twice")
    )
    is_met = acknowledged == applied and not lost and not twice
    totals = f"{acknowledged} acknowledged, {applied} applied, {lost} lost, {twice} twice"
    return f"Mark: {'met' if is_met else 'MISSED'} ({totals})"
