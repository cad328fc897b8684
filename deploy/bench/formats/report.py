"""Runs the bench of formats and reports every measurement with its spread and its mark."""

import sys
from argparse import ArgumentParser
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, TextIO

from deploy.bench.formats import in_memory, stored
from deploy.bench.formats.measures import TRIAL, Measure, Sizes
from deploy.bench.machine import describe_machine
from deploy.bench.progress import ProgressBar
from deploy.bench.temporary import CannotMeasure, migrated_database

IN_MEMORY = "In memory"


@dataclass
class FormatsReport:
    """Measurements by place (in memory or a database), and why something was not measured."""

    machine: str
    at: str
    measures: dict[str, list[Measure]] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)

    @property
    def missed(self) -> list[Measure]:
        return [measure for place in self.measures.values() for measure in place if measure.is_met is False]

    def as_json(self) -> dict[str, Any]:
        return {
            "bench": "formats",
            "unit": "ms",
            "machine": self.machine,
            "at": self.at,
            "measures": {
                place: [measure.as_json() for measure in measures]
                for place, measures in self.measures.items()
            },
            "not_measured": self.missing,
        }


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--trial", action="store_true", help="small and quick; does not compare with the targets"
    )


def run(
    kinds: Iterable[str], options: dict[str, Any], screen: TextIO = sys.stderr
) -> tuple[str, dict[str, Any]]:
    report = measure_formats(kinds, TRIAL if options["trial"] else Sizes(), screen)
    return as_text(report), report.as_json()


def measure_formats(kinds: Iterable[str], sizes: Sizes, screen: TextIO) -> FormatsReport:
    """Measures in memory, then on each of these kinds of database."""
    report = FormatsReport(describe_machine(), datetime.now(UTC).isoformat(timespec="seconds"))
    report.measures[IN_MEMORY] = _collect(IN_MEMORY, in_memory.measure_all(sizes), screen)
    for kind in kinds:
        try:
            with migrated_database(kind) as (installation, vendor), installation.database():
                report.measures[vendor] = _collect(vendor, stored.measure_all(sizes), screen)
        except CannotMeasure as error:
            report.missing[kind] = str(error)
    return report


def _collect(name: str, measures: Iterable[Measure], screen: TextIO) -> list[Measure]:
    """Shows the name of each measurement when it is done."""
    bar, collected = ProgressBar(name, screen), []
    for measure in measures:
        collected.append(measure)
        bar.message(measure.name)
    bar.clear()
    return collected


def as_text(report: FormatsReport) -> str:
    lines = [report.machine]
    for name, measures in report.measures.items():
        lines += ["", name, *(f"  {_line(measure)}" for measure in measures)]
    missed = [measure.name for measure in report.missed]
    lines += ["", f"Marks MISSED: {'; '.join(missed)}" if missed else "Marks: none missed"]
    lines += [f"Not measured on {kind}: {reason}" for kind, reason in report.missing.items()]
    return "\n".join(lines)


def _line(measure: Measure) -> str:
    verdict = {True: "met", False: "MISSED", None: ""}[measure.is_met]
    if measure.figures is None:
        figures, mark = (
            f"{measure.ratio:10.2f} times",
            f"at most {measure.most} times" if measure.most else "",
        )
    else:
        values = measure.figures
        spread = f"p10 {_number(values.p10)}, p90 {_number(values.p90)}, longest {_number(values.longest)}"
        figures = f"{_number(values.p50):>10} ms   ({spread}; {values.count} times)"
        mark = f"at most {measure.mark:g} ms" if measure.mark is not None else ""
    against = f"{mark}: {verdict}" if mark else ""
    return "   ".join(part for part in (f"{measure.name:<74}", figures, against, measure.note) if part)


def _number(value: float) -> str:
    return f"{value:.3f}" if value < 1 else f"{value:.1f}"
