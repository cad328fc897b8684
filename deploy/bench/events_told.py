"""Runs the bench of many events on each kind of database and tells it, held against its marks."""

import sys
from argparse import ArgumentParser
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, TextIO

from deploy.bench import disk, events
from deploy.bench.answers import BadAnswer
from deploy.bench.events import TRIAL, Played, Sizes
from deploy.bench.figures import Figures
from deploy.bench.grounds import CannotMeasure, ground
from deploy.bench.report import Bar, machine

LEAST_RATE, MOST_P99 = 0.95, 1.5


@dataclass
class EventsTold:
    """By database: one event alone, and all at once; and why something was not measured."""

    machine: str
    at: str
    sizes: Sizes
    played: dict[str, tuple[Played, Played]] = field(default_factory=dict)
    disks: dict[str, Figures] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        return {
            "bench": "events",
            "unit": "ms",
            "machine": self.machine,
            "at": self.at,
            "databases": {
                name: {"one event": _as_json(alone), "all at once": _as_json(crowd)}
                for name, (alone, crowd) in self.played.items()
            },
            "fsync": {name: value.as_json() for name, value in self.disks.items()},
            "not_measured": self.missing,
        }


def options(parser: ArgumentParser) -> None:
    parser.add_argument("--events", type=int, default=Sizes.events, help="events at once (20)")
    parser.add_argument("--trial", action="store_true", help="small and quick, held against no mark")


def bench(
    kinds: Iterable[str], asked: dict[str, Any], screen: TextIO = sys.stderr
) -> tuple[str, dict[str, Any]]:
    """The figures as text and for keeping."""
    sizes = TRIAL if asked["trial"] else Sizes(events=max(2, asked["events"]))
    told = EventsTold(machine(), datetime.now(UTC).isoformat(timespec="seconds"), sizes)
    for kind in kinds:
        bar = Bar(kind, screen)
        try:
            with ground(kind, workers=2, API_REQUESTS_A_MINUTE="0") as running:
                told.disks[running.vendor] = disk.fsync_time(running.parts.folder)
                told.played[running.vendor] = events.measure(running, sizes, bar.say)
        except (CannotMeasure, BadAnswer, TimeoutError) as error:
            told.missing[kind] = str(error)
        bar.clear()
    return as_text(told), told.as_json()


def as_text(told: EventsTold) -> str:
    lines = [told.machine]
    for name, (alone, crowd) in told.played.items():
        lines += [
            "",
            f"{name} (fsync of its disk: {told.disks[name]})",
            f"  one event, {told.sizes.events} phones          {alone.rate:6.0f} posts/s   {alone.figures}",
            f"  {told.sizes.events:2} events, a phone in each     {crowd.rate:6.0f} posts/s   {crowd.figures}",
            f"     of these the event that waited longest      {crowd.worst}",
            f"  {_verdict(told, alone, crowd)}",
        ]
    lines += ["", *(f"Not measured on {kind}: {why}" for kind, why in told.missing.items())]
    return "\n".join(lines).rstrip()


def _verdict(told: EventsTold, alone: Played, crowd: Played) -> str:
    rate, wait = crowd.rate / alone.rate, crowd.worst.p99 / alone.figures.p99
    marks = [
        (rate >= LEAST_RATE, f"posts a second {rate:.2f} of one event's, at least {LEAST_RATE}"),
        (wait <= MOST_P99, f"p99 of the slowest event {wait:.2f} of one event's, at most {MOST_P99}"),
    ]
    if told.sizes == TRIAL:
        return "No marks: " + "; ".join(words for _, words in marks)
    return "Marks: " + "; ".join(f"{'met' if met else 'MISSED'} ({words})" for met, words in marks)


def _as_json(played: Played) -> dict[str, Any]:
    return {
        "posts_a_second": round(played.rate, 1),
        "all": played.figures.as_json(),
        "slowest_event": played.worst.as_json(),
    }
