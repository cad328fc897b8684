"""`bench speed`: how fast results are taken in and seen, and how fast whoever looks on is served, on each database.

Holds no clock of its own: `writing` and `reading` measure. Here their figures are put together, held against their
marks, kept as JSON, and held against figures that were kept before.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, TextIO

from deploy.bench import reading, writing
from deploy.bench.answers import BadAnswer
from deploy.bench.figures import Figures
from deploy.bench.grounds import CannotMeasure, ground
from deploy.bench.memory import idle_megabytes
from deploy.bench.reading import marks
from deploy.bench.reading.marks import Figure, Mark
from deploy.bench.report import Bar, machine

WORKERS = 2
MORE_IS_BETTER = " a second"
NOTICED = 1.1
"""A single figure that has no spread is worse when it is a tenth worse."""
WITHIN = [Mark(1.5)]
BESIDE = "p99 of a game's submit on SQLite, times PostgreSQL's"
Told = dict[str, Figure]


@dataclass(frozen=True, slots=True)
class Sizes:
    to_write: writing.Sizes = field(default_factory=writing.Sizes)
    to_read: marks.Sizes = field(default_factory=marks.Sizes)

    @property
    def steps(self) -> int:
        """How often both halves say what they are at."""
        return 2 * len(self.to_write.entries) + 1 + len(self.to_read.entries) + 1


TRIAL = Sizes(writing.TRIAL, marks.TRIAL)


@dataclass
class SpeedTold:
    """Figures by database and name; what concerns both; and why something was not measured."""

    machine: str
    at: str
    databases: dict[str, Told] = field(default_factory=dict)
    both: Told = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)
    is_trial: bool = False

    def as_json(self) -> dict[str, Any]:
        return {
            "bench": "speed",
            "unit": "ms, unless the name says what else",
            "machine": self.machine,
            "at": self.at,
            "databases": {name: _plain(told) for name, told in self.databases.items()},
            "both": _plain(self.both),
            "not_measured": self.missing,
        }


def speed_told(kinds: Iterable[str], sizes: Sizes, screen: TextIO) -> SpeedTold:
    told = SpeedTold(machine(), datetime.now(UTC).isoformat(timespec="seconds"), is_trial=sizes == TRIAL)
    for kind in kinds:
        bar = Bar(kind, screen)
        try:
            say = bar.steps(sizes.steps)
            with ground(kind, WORKERS, WEB_PROCESSES="1") as running:  # what one process serves
                seen = reading.reading(running, sizes.to_read, say)
            with ground(kind, WORKERS) as running:
                idle = idle_megabytes(running.parts)
                written = writing.writing(running, sizes.to_write, say)
            told.databases[kind] = {**written, **seen, **({marks.IDLE: idle} if idle else {})}
        except (CannotMeasure, BadAnswer, TimeoutError) as error:
            told.missing[kind] = str(error)
        bar.clear()
    told.both = beside(told.databases)
    return told


def beside(databases: dict[str, Told]) -> Told:
    """What is held against the other database; nothing where only one was measured."""
    slow, fast = databases.get("sqlite", {}), databases.get("postgresql", {})
    found: Told = {}
    for name in slow:
        one, other = slow[name], fast.get(name)
        if (
            writing.without_size(name) == writing.SUBMIT
            and isinstance(one, Figures)
            and isinstance(other, Figures)
        ):
            size = name.rpartition(", ")[2]
            found[f"{BESIDE}, {size}"] = round(one.p99 / other.p99, 3)
    return found


def marks_of(kind: str, name: str) -> list[Mark]:
    """What this figure is held against on this kind of database."""
    plain = writing.without_size(name)
    if plain == BESIDE:
        return WITHIN
    only = writing.ON_POSTGRESQL.get(plain, []) if kind == "postgresql" else []
    return only or writing.MARKS.get(plain, []) or marks.MARKS.get(name, [])


def slower(told: SpeedTold, before: dict[str, Any]) -> list[str]:
    """A sentence for each figure that is worse than in what was kept of an earlier run, beyond the spread of both."""
    found = []
    for kind, figures in told.databases.items():
        kept = before.get("databases", {}).get(kind, {})
        for name, now in figures.items():
            then = _from_json(kept.get(name))
            if then is not None and _is_worse(name, now, then):
                found.append(f"{kind}: {name}: {_short(then)} before, {_short(now)} now")
    return found


def _is_worse(name: str, now: Figure, then: Figure) -> bool:
    if isinstance(now, Figures) and isinstance(then, Figures):
        if MORE_IS_BETTER in name:
            return now.p50 < then.p10 and now.p90 < then.p50
        return now.p50 > then.p90 and now.p10 > then.p50
    if isinstance(now, Figures) or isinstance(then, Figures):
        return False
    return now > max(then, then * NOTICED)  # what little memory is measured of may even shrink


def _short(figure: Figure) -> str:
    if isinstance(figure, Figures):
        return f"{figure.p50:,.1f} ({figure.p10:,.1f} to {figure.p90:,.1f})"
    return f"{figure:,.2f}"


def _plain(told: Told) -> dict[str, Any]:
    return {name: one.as_json() if isinstance(one, Figures) else one for name, one in told.items()}


def _from_json(kept: Any) -> Figure | None:
    return Figures(**kept) if isinstance(kept, dict) else kept
