"""`bench events`: compares many events played at once with one event played by as many phones.

In both cases every phone posts game after game without a pause and the opponent confirms, so that matches end and
workers advance players. One event shares the lock of its tournament; many events have a lock each.
"""

import itertools
import sys
import time
import uuid
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, TextIO

from deploy.bench.figures import Figures
from deploy.bench.machine import describe_machine, fsync_time
from deploy.bench.progress import ProgressBar
from deploy.bench.steps import UnexpectedAnswer, check_answer, draw_tournament
from deploy.bench.temporary import CannotMeasure, RunningInstallation, running_installation
from tournament.models import Pairing
from tournament.rehearsal.wire import Wire

LENGTH = 3
LEAST_RATE, MOST_P99 = 0.95, 1.5


@dataclass(frozen=True)
class Sizes:
    """`matches` are played in each event."""

    events: int = 20
    entries: int = 64
    matches: int = 6


TRIAL = Sizes(events=2, entries=8, matches=2)


@dataclass(frozen=True, slots=True)
class OpenMatch:
    """A match and the tokens of its players."""

    match: str
    left: str
    right: str


@dataclass
class Load:
    """`rate`: posts a second of all phones together; `seconds`: the duration of each post, by event."""

    rate: float
    seconds: list[list[float]] = field(default_factory=list)

    @property
    def figures(self) -> Figures:
        return Figures.of(list(itertools.chain.from_iterable(self.seconds)))

    @property
    def slowest_event(self) -> Figures:
        return max(map(Figures.of, self.seconds), key=lambda figures: figures.p99)

    def as_json(self) -> dict[str, Any]:
        return {
            "posts_a_second": round(self.rate, 1),
            "all": self.figures.as_json(),
            "slowest_event": self.slowest_event.as_json(),
        }


@dataclass
class EventsReport:
    """By database: one event alone and all events at once, the fsync time, and why something was not measured."""

    machine: str
    at: str
    sizes: Sizes
    loads: dict[str, tuple[Load, Load]] = field(default_factory=dict)
    disks: dict[str, Figures] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        return {
            "bench": "events",
            "unit": "ms",
            "machine": self.machine,
            "at": self.at,
            "databases": {
                name: {"one event": alone.as_json(), "all at once": together.as_json()}
                for name, (alone, together) in self.loads.items()
            },
            "fsync": {name: figures.as_json() for name, figures in self.disks.items()},
            "not_measured": self.missing,
        }


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("--events", type=int, default=Sizes.events, help="events at once (20)")
    parser.add_argument(
        "--trial", action="store_true", help="small and quick; does not compare with the targets"
    )


def run(
    kinds: Iterable[str], options: dict[str, Any], screen: TextIO = sys.stderr
) -> tuple[str, dict[str, Any]]:
    sizes = TRIAL if options["trial"] else Sizes(events=max(2, options["events"]))
    report = EventsReport(describe_machine(), datetime.now(UTC).isoformat(timespec="seconds"), sizes)
    for kind in kinds:
        bar = ProgressBar(kind, screen)
        try:
            with running_installation(kind, workers=2, API_REQUESTS_A_MINUTE="0") as running:
                report.disks[running.vendor] = fsync_time(running.installation.folder)
                report.loads[running.vendor] = measure(running, sizes, bar.message)
        except (CannotMeasure, UnexpectedAnswer, TimeoutError) as error:
            report.missing[kind] = str(error)
        bar.clear()
    return as_text(report), report.as_json()


def as_text(report: EventsReport) -> str:
    lines, events = [report.machine], report.sizes.events
    for name, (alone, together) in report.loads.items():
        lines += [
            "",
            f"{name} (fsync of its disk: {report.disks[name]})",
            f"  one event, {events} phones          {alone.rate:6.0f} posts/s   {alone.figures}",
            f"  {events:2} events, one phone in each   {together.rate:6.0f} posts/s   {together.figures}",
            f"     slowest of these events                     {together.slowest_event}",
            f"  {_verdict(report, alone, together)}",
        ]
    lines += ["", *(f"Not measured on {kind}: {reason}" for kind, reason in report.missing.items())]
    return "\n".join(lines).rstrip()


def _verdict(report: EventsReport, alone: Load, together: Load) -> str:
    rate, p99 = together.rate / alone.rate, together.slowest_event.p99 / alone.figures.p99
    marks = [
        (rate >= LEAST_RATE, f"posts a second {rate:.2f} of one event's, at least {LEAST_RATE}"),
        (p99 <= MOST_P99, f"p99 of the slowest event {p99:.2f} of one event's, at most {MOST_P99}"),
    ]
    if report.sizes == TRIAL:
        return "No marks: " + "; ".join(words for _, words in marks)
    return "Marks: " + "; ".join(f"{'met' if met else 'MISSED'} ({words})" for met, words in marks)


def measure(
    running: RunningInstallation, sizes: Sizes, show_progress: Callable[[str], None]
) -> tuple[Load, Load]:
    """One event alone, then all events at once, with equally many phones and about equally many matches."""
    url = running.installation.url
    with running.installation.database():
        show_progress("draws")
        events = [_open_matches(sizes.entries) for _ in range(sizes.events)]
        warm_up = itertools.chain.from_iterable(_open_matches(sizes.entries) for _ in itertools.count())
        _play(url, [[next(warm_up)] for _ in range(sizes.events)])
        show_progress("one event")
        single_events = max(1, sizes.events * sizes.matches // (sizes.entries // 2))
        alone = [_play_alone(url, sizes) for _ in range(single_events)]
        show_progress(f"{sizes.events} events")
        together = _play(url, [list(itertools.islice(event, sizes.matches)) for event in events])
    seconds = [second for load in alone for phone in load.seconds for second in phone]
    return Load(sum(load.rate for load in alone) / len(alone), [seconds]), together


def _play_alone(url: str, sizes: Sizes) -> Load:
    """Plays the first round of one event with as many phones as there are events later."""
    matches = list(_open_matches(sizes.entries))
    return _play(url, [matches[phone :: sizes.events] for phone in range(min(sizes.events, len(matches)))])


def _open_matches(entries: int) -> Iterator[OpenMatch]:
    """Draws a new event when the first match is taken."""
    tournament, tokens = draw_tournament(entries, LENGTH)
    rows = Pairing.objects.filter(round__bracket__tournament=tournament, match__isnull=False, settled="")
    for match, left, right in rows.values_list("match_id", "left_id", "right_id"):
        yield OpenMatch(str(match), tokens[left], tokens[right])


def _play(url: str, phones: list[list[OpenMatch]]) -> Load:
    """Each phone plays its matches one after the other; all phones play at once."""

    def play_all(matches: list[OpenMatch]) -> list[float]:
        return [seconds for match in matches for seconds in _play_match(url, match)]

    began = time.perf_counter()
    with ThreadPoolExecutor(len(phones)) as threads:
        seconds = list(threads.map(play_all, phones))
    return Load(sum(map(len, seconds)) / (time.perf_counter() - began), seconds)


def _play_match(url: str, match: OpenMatch) -> Iterator[float]:
    """The left player wins every game and the right player confirms; yields the seconds of each post."""
    left, right, tail = Wire(url, match.left), Wire(url, match.right), match.match
    for _ in range(LENGTH):
        row = {"key": str(uuid.uuid4()), "predecessor": tail, "winner": "left"}
        yield _timed_post(left, f"/api/v1/matches/{match.match}/games/", row)
        tail = row["key"]
    yield _timed_post(right, f"/api/v1/matches/{match.match}/confirm/", {})
    left.close()
    right.close()


def _timed_post(wire: Wire, path: str, body: dict[str, str]) -> float:
    began = time.perf_counter()
    answer = wire.post(path, body)
    seconds = time.perf_counter() - began
    check_answer(answer)
    return seconds
