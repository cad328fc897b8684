"""Runs the bench of faults on each kind of database and tells, fault by fault, what became of what was taken in."""

import sys
from argparse import ArgumentParser
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from random import Random
from typing import Any, TextIO

from deploy.bench.answers import BadAnswer
from deploy.bench.faults import harm
from deploy.bench.faults.evening import Wrong
from deploy.bench.faults.running import Bench, Row, Rows, hurt_ground, in_any_order
from deploy.bench.faults.waiting import NotInTime
from deploy.bench.grounds import CannotMeasure
from deploy.bench.report import Bar, machine
from deploy.loose_parts import PartFailed

SEED = 2048
MINUTES = 10.0
COLUMNS = ("waves", "requests", "refused", "acknowledged", "applied", "lost", "twice", "recovered s", "lines")


@dataclass
class FaultsTold:
    """By database: what each fault did; what must not have been; and why something was not tried."""

    machine: str
    at: str
    seed: int
    minutes: float
    rows: dict[str, Rows] = field(default_factory=dict)
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
                name: {fault: row.as_json() for fault, row in rows.items()}
                for name, rows in self.rows.items()
            },
            "wrong": self.wrong,
            "not_measured": self.missing,
        }


def options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--minutes", type=float, default=MINUTES, help=f"how long, on each database ({MINUTES:g})"
    )
    parser.add_argument("--seed", type=int, default=SEED, help=f"the same order for the same number ({SEED})")


def bench(
    kinds: Iterable[str], asked: dict[str, Any], screen: TextIO = sys.stderr
) -> tuple[str, dict[str, Any]]:
    """The counts as text and for keeping."""
    at = datetime.now(UTC).isoformat(timespec="seconds")
    told = FaultsTold(machine(), at, asked["seed"], asked["minutes"])
    for kind in kinds:
        bar = Bar(kind, screen)
        try:
            _play(kind, told, bar)
        except CannotMeasure as missing:
            told.missing[kind] = str(missing)
        bar.clear()
    return as_text(told), told.as_json()


def as_text(told: FaultsTold) -> str:
    lines = [f"{told.machine}; order {told.seed}"]
    for name, rows in told.rows.items():
        width = max(map(len, rows), default=0)
        lines += ["", name, f"  {'':<{width}}  {'  '.join(COLUMNS)}"]
        lines += [f"  {fault:<{width}}  {_cells(rows[fault])}" for fault in sorted(rows)]
        lines.append(f"  {_verdict(rows, told.wrong.get(name, ''))}")
    lines += ["", *(f"Not measured on {kind}: {why}" for kind, why in told.missing.items())]
    return "\n".join(lines).rstrip()


def _play(kind: str, told: FaultsTold, bar: Bar) -> None:
    seconds = round(60 * told.minutes)
    with hurt_ground(kind) as (it, vendor):
        chance = Random(told.seed)  # noqa: S311 (the order of faults)
        playing = Bench(it, in_any_order(harm.all_faults(it.server), chance))
        told.rows[vendor] = playing.rows
        try:
            playing.play(seconds, lambda passed: bar.show(min(seconds, round(passed)), max(1, seconds)))
        except (Wrong, NotInTime, BadAnswer, PartFailed) as wrong:
            told.wrong[vendor] = f"{playing.fault}: {wrong}\n{it.stage.logs()}"


def _cells(row: Row) -> str:
    values = [f"{value:.1f}" if isinstance(value, float) else str(value) for value in vars(row).values()]
    return "  ".join(f"{value:>{len(column)}}" for value, column in zip(values, COLUMNS, strict=True))


def _verdict(rows: Rows, wrong: str) -> str:
    if wrong:
        return f"WRONG: {wrong}"
    names = ("acknowledged", "applied", "lost", "twice")
    acknowledged, applied, lost, twice = (sum(getattr(row, name) for row in rows.values()) for name in names)
    is_met = acknowledged == applied and not lost and not twice
    counts = f"{acknowledged} acknowledged, {applied} applied, {lost} lost, {twice} twice"
    return f"Mark: {'met' if is_met else 'MISSED'} ({counts})"
