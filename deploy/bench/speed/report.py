"""Runs both halves of the bench, `writing` and `reading`, on each database and reports their figures.

Figures are compared with their marks, saved as JSON, and compared with the saved figures of an earlier run.
"""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TextIO

from deploy.bench.figures import Figure, Figures, Mark
from deploy.bench.machine import describe_machine, idle_megabytes
from deploy.bench.progress import ProgressBar
from deploy.bench.speed import reading, writing
from deploy.bench.steps import NotInTime, UnexpectedAnswer
from deploy.bench.temporary import CannotMeasure, running_installation

WORKERS = 2
RATE = " a second"
"""Part of the name of each figure of which more is better."""
TOLERANCE = 1.1
"""A single figure without a spread is worse when it is a tenth worse."""
SQLITE_RATIO = "p99 of a game's submit on SQLite, times PostgreSQL's"
SQLITE_RATIO_MARKS = [Mark(1.5)]
WIDTH = 66
HEAD = f"{'median':>9}{'p99':>9}{'p10':>9}{'p90':>9}{'times':>7}"
FIELD_LABELS = {"p50": "median", "p99": "p99", "longest": "longest"}
FiguresByName = dict[str, Figure]


@dataclass(frozen=True, slots=True)
class Sizes:
    to_write: writing.Sizes = field(default_factory=writing.Sizes)
    to_read: reading.Sizes = field(default_factory=reading.Sizes)

    @property
    def steps(self) -> int:
        """The number of progress messages of both halves."""
        return 2 * len(self.to_write.entries) + 1 + len(self.to_read.entries) + 1


TRIAL = Sizes(writing.TRIAL, reading.TRIAL)


@dataclass
class SpeedReport:
    """Figures by database and name, figures that compare both databases, and why something was not measured."""

    machine: str
    at: str
    databases: dict[str, FiguresByName] = field(default_factory=dict)
    both: FiguresByName = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)
    is_trial: bool = False

    def as_json(self) -> dict[str, Any]:
        return {
            "bench": "speed",
            "unit": "ms, unless the name gives another unit",
            "machine": self.machine,
            "at": self.at,
            "databases": {name: _figures_json(figures) for name, figures in self.databases.items()},
            "both": _figures_json(self.both),
            "not_measured": self.missing,
        }


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--trial", action="store_true", help="small and quick; does not compare with the targets"
    )
    parser.add_argument(
        "--against", type=Path, metavar="FILE", help="an earlier --json: lists the figures that got slower"
    )


def run(
    kinds: Iterable[str], options: dict[str, Any], screen: TextIO = sys.stderr
) -> tuple[str, dict[str, Any]]:
    before = json.loads(options["against"].read_text()) if options["against"] else None
    report = measure(kinds, TRIAL if options["trial"] else Sizes(), screen)
    return as_text(report, None if before is None else slower_figures(report, before)), report.as_json()


def measure(kinds: Iterable[str], sizes: Sizes, screen: TextIO) -> SpeedReport:
    at = datetime.now(UTC).isoformat(timespec="seconds")
    report = SpeedReport(describe_machine(), at, is_trial=sizes == TRIAL)
    for kind in kinds:
        bar = ProgressBar(kind, screen)
        try:
            start_step = bar.steps(sizes.steps)
            with running_installation(
                kind, WORKERS, WEB_PROCESSES="1"
            ) as running:  # figures are of one process
                read = reading.measure(running, sizes.to_read, start_step)
            with running_installation(kind, WORKERS) as running:
                idle = idle_megabytes(running.installation)
                written = writing.measure(running, sizes.to_write, start_step)
            report.databases[kind] = {**written, **read, **({reading.IDLE_MEMORY: idle} if idle else {})}
        except (CannotMeasure, UnexpectedAnswer, NotInTime, TimeoutError) as error:
            report.missing[kind] = str(error)
        bar.clear()
    report.both = compare_databases(report.databases)
    return report


def compare_databases(databases: dict[str, FiguresByName]) -> FiguresByName:
    """Ratios of SQLite's figures to PostgreSQL's; empty unless both were measured."""
    sqlite, postgresql = databases.get("sqlite", {}), databases.get("postgresql", {})
    ratios: FiguresByName = {}
    for name, slow in sqlite.items():
        fast = postgresql.get(name)
        is_submit = writing.without_size(name) == writing.SUBMIT
        if is_submit and isinstance(slow, Figures) and isinstance(fast, Figures):
            size = name.rpartition(", ")[2]
            ratios[f"{SQLITE_RATIO}, {size}"] = round(slow.p99 / fast.p99, 3)
    return ratios


def marks_of(kind: str, name: str) -> list[Mark]:
    plain_name = writing.without_size(name)
    if plain_name == SQLITE_RATIO:
        return SQLITE_RATIO_MARKS
    if kind == "postgresql" and plain_name in writing.POSTGRESQL_MARKS:
        return writing.POSTGRESQL_MARKS[plain_name]
    return writing.MARKS.get(plain_name, []) or reading.MARKS.get(name, [])


def slower_figures(report: SpeedReport, before: dict[str, Any]) -> list[str]:
    """A sentence for each figure that is worse than in the JSON of an earlier run, beyond the spread of both."""
    sentences = []
    for kind, figures in report.databases.items():
        saved = before.get("databases", {}).get(kind, {})
        for name, now in figures.items():
            then = _figure_from_json(saved.get(name))
            if then is not None and _is_worse(name, now, then):
                sentences.append(f"{kind}: {name}: {_with_spread(then)} before, {_with_spread(now)} now")
    return sentences


def _is_worse(name: str, now: Figure, then: Figure) -> bool:
    if isinstance(now, Figures) and isinstance(then, Figures):
        if RATE in name:
            return now.p50 < then.p10 and now.p90 < then.p50
        return now.p50 > then.p90 and now.p10 > then.p50
    if isinstance(now, Figures) or isinstance(then, Figures):
        return False
    return now > max(then, then * TOLERANCE)  # a small difference of memory may even be negative


def _with_spread(figure: Figure) -> str:
    if isinstance(figure, Figures):
        return f"{figure.p50:,.1f} ({figure.p10:,.1f} to {figure.p90:,.1f})"
    return f"{figure:,.2f}"


def _figures_json(figures: FiguresByName) -> dict[str, Any]:
    return {
        name: figure.as_json() if isinstance(figure, Figures) else figure for name, figure in figures.items()
    }


def _figure_from_json(saved: Any) -> Figure | None:
    return Figures(**saved) if isinstance(saved, dict) else saved


def as_text(report: SpeedReport, slower: list[str] | None = None) -> str:
    """`slower` are the sentences of a comparison with an earlier run; None without one."""
    lines = [report.machine, "Times in milliseconds."]
    missed: list[str] = []
    for kind, figures in report.databases.items():
        lines += ["", f"{kind:<{WIDTH}}{HEAD}", *_lines(report, kind, figures, missed)]
    if report.both:
        lines += ["", *_lines(report, "both", report.both, missed)]
    if not report.is_trial:
        lines += ["", f"Marks MISSED: {'; '.join(missed)}" if missed else "Marks: all met that were measured"]
    lines += [f"Not measured on {kind}: {reason}" for kind, reason in report.missing.items()]
    if slower is not None:
        sentences = [f"Slower: {sentence}" for sentence in slower]
        lines += ["", *(sentences or ["Nothing got slower, beyond its spread."])]
    return "\n".join(lines)


def _lines(report: SpeedReport, kind: str, figures: FiguresByName, missed: list[str]) -> Iterator[str]:
    """A line for each figure; appends the names of figures that miss a mark to `missed`."""
    for name, figure in figures.items():
        if writing.without_size(name) == writing.FSYNC:
            continue
        marks = [] if report.is_trial else marks_of(kind, name)
        if not all(mark.is_met(figure) for mark in marks):
            missed.append(f"{kind}: {name}")
        verdicts = ", ".join(_verdict(mark, name, figure) for mark in marks)
        line = f"{name:<{WIDTH}}{_columns(figure)}  {verdicts}".rstrip()
        yield line + _fsync_of_disk(name, figures)


def _columns(figure: Figure) -> str:
    if not isinstance(figure, Figures):
        return f"{figure:>9,.2f}"
    values = (figure.p50, figure.p99, figure.p10, figure.p90)
    return "".join(f"{value:>9,.1f}" for value in values) + f"{figure.count:>7}"


def _verdict(mark: Mark, name: str, figure: Figure) -> str:
    limit = f"{'at least' if mark.at_least else 'at most'} {mark.limit:g}"
    label = f" {FIELD_LABELS[mark.field]}" if isinstance(figure, Figures) and RATE not in name else ""
    return f"{'met' if mark.is_met(figure) else 'MISSED'}:{label} {limit}"


def _fsync_of_disk(name: str, figures: FiguresByName) -> str:
    if writing.without_size(name) not in writing.BESIDE_DISK:
        return ""
    disk = figures.get(f"{writing.FSYNC},{name.rpartition(',')[2]}")
    return f"  [fsync {disk.p50:.1f}, p99 {disk.p99:.1f}]" if isinstance(disk, Figures) else ""
