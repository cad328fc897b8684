"""Runs the bench of a hall on each kind of database and tells it: counts of the outage, figures of the crowd."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, TextIO

from deploy.bench import disk, hall
from deploy.bench.answers import BadAnswer
from deploy.bench.figures import Figures
from deploy.bench.grounds import CannotMeasure, ground
from deploy.bench.report import Bar, machine

MARK_SEEN = 1000.0
WORDS = {
    "accepted": "a confirmation, until it is acknowledged",
    "seen": "... until a spectator is told who moved on",
}


@dataclass
class HallTold:
    """What was counted and measured, by database; and why something was not."""

    machine: str
    at: str
    outages: dict[str, hall.Counts] = field(default_factory=dict)
    figures: dict[str, dict[str, Figures]] = field(default_factory=dict)
    counts: dict[str, dict[str, float]] = field(default_factory=dict)
    disks: dict[str, Figures] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        figures = {
            name: {one: value.as_json() for one, value in each.items()} for name, each in self.figures.items()
        }
        return {
            "bench": "hall",
            "unit": "ms",
            "machine": self.machine,
            "at": self.at,
            "outages": {name: counts.as_json() for name, counts in self.outages.items()},
            "crowds": figures,
            "counts": self.counts,
            "fsync": {name: value.as_json() for name, value in self.disks.items()},
            "not_measured": self.missing,
        }


def hall_told(kinds: Iterable[str], sizes: hall.Sizes, screen: TextIO) -> HallTold:
    """A crowd, then an outage, on each of these kinds of database."""
    told = HallTold(machine(), datetime.now(UTC).isoformat(timespec="seconds"))
    for kind in kinds:
        bar = Bar(kind, screen)
        try:
            with ground(kind, workers=2) as running:
                told.disks[running.vendor] = disk.fsync_time(running.parts.folder)
                figures, counts = hall.crowd(running.parts, sizes, bar.say)
                told.figures[running.vendor], told.counts[running.vendor] = figures, counts
                told.outages[running.vendor] = hall.outage(running.parts, sizes, bar.say)
        except (CannotMeasure, BadAnswer, TimeoutError) as error:
            told.missing[kind] = str(error)
        bar.clear()
    return told


def as_text(told: HallTold) -> str:
    lines = [told.machine]
    for name, figures in told.figures.items():
        lines += ["", f"{name} (fsync of its disk: {told.disks[name]})"]
        lines += [f"  {WORDS[figure]:<46} {figures[figure]}" for figure in WORDS if figure in figures]
        lines.append("  " + ", ".join(f"{what} {count:g}" for what, count in told.counts[name].items()))
        if name in told.outages:
            lines += [f"  {line}" for line in _of_outage(told.outages[name])]
        lines.append(f"  {_verdict(figures, told.outages.get(name))}")
    lines += ["", *(f"Not measured on {kind}: {why}" for kind, why in told.missing.items())]
    return "\n".join(lines).rstrip()


def _of_outage(counts: hall.Counts) -> list[str]:
    sent = f"{counts.entered} games entered, {counts.requests} requests sent, {counts.lost} lost on the way"
    stand = f"{counts.applied} games stand after {counts.seconds:.0f} s"
    wrong = (
        f"missing {counts.missing}, twice {counts.twice_or_unknown}, cards out of order {counts.disordered}"
    )
    return [
        f"outage: {sent}, {stand}",
        f"        {wrong}, matches decided {counts.posted} of {counts.matches}",
    ]


def _verdict(figures: dict[str, Figures], outage: hall.Counts | None) -> str:
    seen = figures.get("seen")
    marks = [
        (
            seen is not None and seen.p99 <= MARK_SEEN,
            f"p99 seen {seen.p99 if seen else 0:.0f} of {MARK_SEEN:.0f} ms",
        )
    ]
    if outage is not None:
        marks.append((outage.is_whole, "every game once and in order"))
    return "Marks: " + "; ".join(f"{'met' if met else 'MISSED'} ({words})" for met, words in marks)
