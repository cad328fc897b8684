"""Runs the bench of formats and tells it: every figure with its spread, and the mark it is held against."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, TextIO

from deploy.bench.formats import pure, stored
from deploy.bench.formats.measures import Measure, Sizes
from deploy.bench.grounds import CannotMeasure, store
from deploy.bench.report import Bar, machine

PURE = "In memory"


@dataclass
class FormatsTold:
    """What was measured, by where; and why something was not."""

    machine: str
    at: str
    measures: dict[str, list[Measure]] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)

    @property
    def missed(self) -> list[Measure]:
        return [one for those in self.measures.values() for one in those if one.is_met is False]

    def as_json(self) -> dict[str, Any]:
        return {
            "bench": "formats",
            "unit": "ms",
            "machine": self.machine,
            "at": self.at,
            "measures": {name: [one.as_json() for one in those] for name, those in self.measures.items()},
            "not_measured": self.missing,
        }


def formats_told(kinds: Iterable[str], sizes: Sizes, screen: TextIO) -> FormatsTold:
    """Measures in memory, then on each of these kinds of database."""
    told = FormatsTold(machine(), datetime.now(UTC).isoformat(timespec="seconds"))
    told.measures[PURE] = _watched(PURE, pure.measured(sizes), screen)
    for kind in kinds:
        try:
            with store(kind) as (parts, vendor), parts.database():
                told.measures[vendor] = _watched(vendor, stored.measured(sizes), screen)
        except CannotMeasure as error:
            told.missing[kind] = str(error)
    return told


def _watched(name: str, measures: Iterable[Measure], screen: TextIO) -> list[Measure]:
    bar, found = Bar(name, screen), []
    for measure in measures:
        found.append(measure)
        bar.say(measure.what)
    bar.clear()
    return found


def as_text(told: FormatsTold) -> str:
    lines = [told.machine]
    for name, measures in told.measures.items():
        lines += ["", name, *(f"  {_line(one)}" for one in measures)]
    missed = [one.what for one in told.missed]
    lines += ["", f"Marks MISSED: {'; '.join(missed)}" if missed else "Marks: none missed"]
    lines += [f"Not measured on {kind}: {why}" for kind, why in told.missing.items()]
    return "\n".join(lines)


def _line(one: Measure) -> str:
    verdict = {True: "met", False: "MISSED", None: ""}[one.is_met]
    if one.figures is None:
        figures, mark = f"{one.ratio:10.2f} times", f"at most {one.most} times" if one.most else ""
    else:
        at = one.figures
        spread = f"p10 {_ms(at.p10)}, p90 {_ms(at.p90)}, longest {_ms(at.longest)}; {at.count} times"
        figures = f"{_ms(at.p50):>10} ms   ({spread})"
        mark = f"at most {one.mark:g} ms" if one.mark is not None else ""
    against = f"{mark}: {verdict}" if mark else ""
    return "   ".join(part for part in (f"{one.what:<74}", figures, against, one.note) if part)


def _ms(value: float) -> str:
    return f"{value:.3f}" if value < 1 else f"{value:.1f}"
