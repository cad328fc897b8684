"""Runs a bench on each kind of database and tells it: figures, the marks they are held against, what is missing."""

import os
import platform
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, TextIO

from deploy.bench import disk, flow
from deploy.bench.figures import Figures
from deploy.bench.grounds import CannotMeasure, ground

MARK_P50, MARK_P99, MARK_WITHOUT_BROKER = 15.0, 50.0, 100.0
WORDS = {
    "told": "confirmed -> advanced -> told to a spectator",
    "shown": "... -> the bracket fetched again",
    "accepted": "answer to the confirmation",
    "until_posted": "  of the way: until the result is written",
    "until_advanced": "  of the way: until a worker has moved the players",
    "until_told": "  of the way: until the spectator is told",
    "without_broker": "answer to the confirmation, broker dead",
}
BAR = 30


@dataclass
class Told:
    """What was measured, by database; and why something was not."""

    machine: str
    at: str
    databases: dict[str, dict[str, Figures]] = field(default_factory=dict)
    disks: dict[str, Figures] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        return {
            "bench": "flow",
            "unit": "ms",
            "machine": self.machine,
            "at": self.at,
            "databases": {
                name: {figure: value.as_json() for figure, value in figures.items()}
                for name, figures in self.databases.items()
            },
            "fsync": {name: value.as_json() for name, value in self.disks.items()},
            "not_measured": self.missing,
        }


def flow_told(kinds: Iterable[str], samples: int, workers: int, screen: TextIO) -> Told:
    """Measures the way of one result on each of these kinds of database."""
    told = Told(machine(), datetime.now(UTC).isoformat(timespec="seconds"))
    for kind in kinds:
        bar = Bar(kind, screen)
        try:
            with ground(kind, workers) as running:
                told.disks[running.vendor] = disk.fsync_time(running.parts.folder)
                told.databases[running.vendor] = flow.measure(running, samples, bar.show)
        except (CannotMeasure, flow.BadAnswer, TimeoutError) as error:
            told.missing[kind] = str(error)
        bar.clear()
    return told


def as_text(told: Told) -> str:
    lines = [told.machine]
    for name, figures in told.databases.items():
        lines += ["", f"{name} (fsync of its disk: {told.disks[name]})"]
        lines += [f"  {WORDS[figure]:<52} {figures[figure]}" for figure in WORDS if figure in figures]
        lines.append(f"  {_verdict(figures)}")
    lines += ["", *(f"Not measured on {kind}: {why}" for kind, why in told.missing.items())]
    return "\n".join(lines).rstrip()


def _verdict(figures: dict[str, Figures]) -> str:
    told, alone = figures["told"], figures["without_broker"]
    marks = [
        (told.p50 <= MARK_P50, f"median {told.p50:.1f} of {MARK_P50:.0f} ms"),
        (told.p99 <= MARK_P99, f"p99 {told.p99:.1f} of {MARK_P99:.0f} ms"),
        (
            alone.longest <= MARK_WITHOUT_BROKER,
            f"broker dead {alone.longest:.1f} of {MARK_WITHOUT_BROKER:.0f} ms",
        ),
    ]
    return "Marks: " + "; ".join(f"{'met' if met else 'MISSED'} ({words})" for met, words in marks)


def machine() -> str:
    """What the figures are figures of; a machine that is busy with other things has others."""
    load = os.getloadavg()[0]
    made_of = f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors"
    return f"{made_of} (load {load:.1f} before), Python {platform.python_version()}"


class Bar:
    """A line on the screen that grows; nothing where the screen is a file."""

    def __init__(self, name: str, screen: TextIO = sys.stderr) -> None:
        self.name, self.screen = name, screen

    def show(self, done: int, of: int) -> None:
        if self.screen.isatty():
            filled = BAR * done // of
            bar = "#" * filled + "." * (BAR - filled)
            self.screen.write(f"\r{self.name:<12}[{bar}] {done}/{of}")
            self.screen.flush()

    def say(self, what: str) -> None:
        if self.screen.isatty():
            self.screen.write(f"\r\033[K{self.name}: {what}")
            self.screen.flush()

    def clear(self) -> None:
        if self.screen.isatty():
            self.screen.write("\r\033[K")
