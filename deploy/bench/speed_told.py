"""Tells how fast the product is in a table: a line for each figure with its spread, and the mark it is held against."""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from deploy.bench import speed, writing
from deploy.bench.figures import Figures
from deploy.bench.reading.marks import Figure, Mark
from deploy.bench.speed import MORE_IS_BETTER, SpeedTold, Told, marks_of

WIDTH = 62
HEAD = f"{'':<{WIDTH}}{'median':>9}{'p99':>9}{'p10':>9}{'p90':>9}{'times':>7}"
WORDS = {"p50": "median", "p99": "p99", "longest": "longest"}


def options(parser: ArgumentParser) -> None:
    parser.add_argument("--trial", action="store_true", help="small and quick, held against no mark")
    parser.add_argument(
        "--against", type=Path, metavar="FILE", help="an earlier --json: says what got slower since"
    )


def bench(kinds: Iterable[str], chosen: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    before = json.loads(chosen["against"].read_text()) if chosen["against"] else None
    told = speed.speed_told(kinds, speed.TRIAL if chosen["trial"] else speed.Sizes(), sys.stderr)
    return as_text(told, None if before is None else speed.slower(told, before)), told.as_json()


def as_text(told: SpeedTold, slower: list[str] | None = None) -> str:
    """`slower` are sentences about what got worse since an earlier run; None where there was none to look at."""
    lines = [told.machine, "Times in milliseconds."]
    missed: list[str] = []
    for kind, figures in told.databases.items():
        lines += ["", f"{kind:<{WIDTH}}{HEAD[WIDTH:]}", *_lines(told, kind, figures, missed)]
    if told.both:
        lines += ["", *_lines(told, "both", told.both, missed)]
    if not told.is_trial:
        lines += ["", f"Marks MISSED: {'; '.join(missed)}" if missed else "Marks: all met that were measured"]
    lines += [f"Not measured on {kind}: {why}" for kind, why in told.missing.items()]
    if slower is not None:
        lines += ["", *([f"Slower: {one}" for one in slower] or ["Nothing got slower, beyond its spread."])]
    return "\n".join(lines)


def _lines(told: SpeedTold, kind: str, figures: Told, missed: list[str]) -> Iterator[str]:
    for name, figure in figures.items():
        if writing.without_size(name) == writing.FSYNC:
            continue
        marks = [] if told.is_trial else marks_of(kind, name)
        said = [_mark(mark, name, figure) for mark in marks]
        missed += [f"{kind}: {name}" for one in said if one.startswith("MISSED")][:1]
        line = f"{name:<{WIDTH}}{_numbers(figure)}  {', '.join(said)}".rstrip()
        yield line + _fsync(name, figures)


def _numbers(figure: Figure) -> str:
    if not isinstance(figure, Figures):
        return f"{figure:>9,.2f}"
    parts = (figure.p50, figure.p99, figure.p10, figure.p90)
    return "".join(f"{part:>9,.1f}" for part in parts) + f"{figure.count:>7}"


def _mark(mark: Mark, name: str, figure: Figure) -> str:
    wanted = f"{'at least' if mark.at_least else 'at most'} {mark.limit:g}"
    of = WORDS[mark.of] if isinstance(figure, Figures) and MORE_IS_BETTER not in name else ""
    return f"{'met' if mark.is_met(figure) else 'MISSED'}: {of} {wanted}".replace("  ", " ")


def _fsync(name: str, figures: Told) -> str:
    """What the disk took, beside what was written to it."""
    if writing.without_size(name) not in writing.BESIDE_DISK:
        return ""
    disk = figures.get(f"{writing.FSYNC},{name.rpartition(',')[2]}")
    return f"  [fsync {disk.p50:.1f}, p99 {disk.p99:.1f}]" if isinstance(disk, Figures) else ""
