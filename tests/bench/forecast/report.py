"""Runs the bench of forecasts and tells it: how often they came true, how wide they were, how long they take."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from random import Random
from statistics import median
from time import perf_counter
from typing import Any, TextIO

from deploy.bench.figures import Figures
from deploy.bench.report import Bar, machine
from tests.bench.forecast.accuracy import EVENT, PART_WAYS, Checked, checked, many, moment
from tests.bench.forecast.simulation import Conditions, play_event
from tournament.draw.formats import Format
from tournament.forecast.forecast import TRIALS, forecast

SEED = 2026
TIMED = 10
ALL = "event"
SIXTY_FOUR = {
    "64 entries, tables for all": Conditions(Format(), 64, 7),
    "64 entries, 20 tables": Conditions(Format(), 64, 7, tables=20),
    "64 entries with consolation, 24 tables": Conditions(Format(consolation="progressive"), 64, 7, tables=24),
}


@dataclass(frozen=True, slots=True)
class Line:
    """So many forecasts of one kind: the share that came true, of the ends that were earlier and later, and the
    middle one of their widths in minutes."""

    name: str
    forecasts: int
    came_true: float
    earlier: float
    later: float
    width: float


@dataclass
class ForecastsTold:
    machine: str
    at: str
    lines: list[Line] = field(default_factory=list)
    times: dict[str, Figures] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        return {
            "bench": "forecast",
            "machine": self.machine,
            "at": self.at,
            "came_true": [
                {name: getattr(one, name) for name in Line.__dataclass_fields__} for one in self.lines
            ],
            "ms": {name: figures.as_json() for name, figures in self.times.items()},
        }


def forecasts_told(events: int, screen: TextIO, timed: int = TIMED, trials: int = TRIALS) -> ForecastsTold:
    """Plays and forecasts so many events, then times single forecasts of so many trials, each so often."""
    told = ForecastsTold(machine(), datetime.now(UTC).isoformat(timespec="seconds"))
    bar = Bar("forecasts", screen)
    ends: list[Checked] = []
    parts: list[Checked] = []
    for one in checked(many(events, SEED), SEED):
        (ends if one.kind == EVENT else parts).append(one)
        bar.show(len(ends), events * len(PART_WAYS))
    bar.clear()
    told.lines = [_line(ALL, ends)]
    told.lines += _lines(ends, lambda one: f"{one.way:.0%} of the way")
    told.lines += _lines(ends, lambda one: _format(one.conditions.chosen))
    told.lines += _lines(parts, lambda one: f"each {one.kind}")
    told.times = {name: Figures.of(list(_times(one, timed, trials))) for name, one in SIXTY_FOUR.items()}
    return told


def as_text(told: ForecastsTold) -> str:
    lines = [
        told.machine,
        "",
        f"  {'forecasts of the end of':<40} {'came true':>10} {'earlier':>8} {'later':>8}",
    ]
    lines += [
        f"  {f'{one.name} ({one.forecasts})':<40} {one.came_true:>10.1%} {one.earlier:>8.1%} {one.later:>8.1%}"
        f"   middle width {one.width:.0f} min"
        for one in told.lines
    ]
    lines += ["", f"  one forecast of {TRIALS} trials before the first match"]
    lines += [f"  {name:<40} {figures}" for name, figures in told.times.items()]
    return "\n".join(lines)


def _format(chosen: Format) -> str:
    return chosen.kind.value + (" with consolation" if chosen.consolation else "")


def _lines(found: Sequence[Checked], kind: Callable[[Checked], str]) -> Iterable[Line]:
    for name in dict.fromkeys(kind(one) for one in found):
        yield _line(name, [one for one in found if kind(one) == name])


def _line(name: str, found: Sequence[Checked]) -> Line:
    number = len(found)
    return Line(
        name,
        number,
        sum(one.came_true for one in found) / number,
        sum(one.end < one.likely.early for one in found) / number,
        sum(one.end > one.likely.late for one in found) / number,
        median(one.likely.late - one.likely.early for one in found),
    )


def _times(conditions: Conditions, timed: int, trials: int) -> Iterable[float]:
    history = play_event(conditions, Random(SEED))
    before = moment(history, -1.0)
    for number in range(timed):
        began = perf_counter()
        forecast(before, Random(number), trials)
        yield perf_counter() - began
