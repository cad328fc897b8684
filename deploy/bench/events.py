"""Whether one event slows another: many events played at once by as many phones as play one event alone.

In both cases every phone writes without a pause, game after game, and the opponent confirms, so that matches end and
workers move players on. Only where they meet differs: under one tournament's lock, or each under its own.
"""

import itertools
import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from deploy.bench.answers import expect
from deploy.bench.drawn import drawn
from deploy.bench.figures import Figures
from deploy.bench.grounds import Ground
from tournament.models import Pairing
from tournament.rehearsal.wire import Wire

LENGTH = 3
Say = Callable[[str], None]


@dataclass(frozen=True)
class Sizes:
    """So many events of so many entries at once, and so many matches in each."""

    events: int = 20
    entries: int = 64
    matches: int = 6


TRIAL = Sizes(events=2, entries=8, matches=2)


@dataclass(frozen=True, slots=True)
class Table:
    """A match, and the tokens of its players."""

    match: str
    left: str
    right: str


@dataclass
class Played:
    """`rate`: posts a second of all phones together; `seconds`: how long each post took, by event."""

    rate: float
    seconds: list[list[float]] = field(default_factory=list)

    @property
    def figures(self) -> Figures:
        return Figures.of(list(itertools.chain.from_iterable(self.seconds)))

    @property
    def worst(self) -> Figures:
        """Of the event that waited longest."""
        return max((Figures.of(each) for each in self.seconds), key=lambda figures: figures.p99)


def measure(ground: Ground, sizes: Sizes, say: Say) -> tuple[Played, Played]:
    """One event alone, and all of them at once: by as many phones, and of as many matches."""
    with ground.parts.database():
        say("draws")
        halls = [_tables(sizes.entries) for _ in range(sizes.events)]
        spare = itertools.chain.from_iterable(_tables(sizes.entries) for _ in itertools.count())
        _play(ground.parts.url, [[next(spare)] for _ in range(sizes.events)])
        say("one event")
        alone = [_alone(ground.parts.url, sizes) for _ in range(_times(sizes))]
        say(f"{sizes.events} events")
        crowd = _play(ground.parts.url, [list(itertools.islice(hall, sizes.matches)) for hall in halls])
    seconds = [one for each in alone for phone in each.seconds for one in phone]
    return Played(sum(each.rate for each in alone) / len(alone), [seconds]), crowd


def _times(sizes: Sizes) -> int:
    """How many single events have as many matches as all of them are to play."""
    return max(1, sizes.events * sizes.matches // (sizes.entries // 2))


def _alone(url: str, sizes: Sizes) -> Played:
    """Every match of the first round, with as many phones as there will be events."""
    tables = list(_tables(sizes.entries))
    return _play(url, [tables[phone :: sizes.events] for phone in range(min(sizes.events, len(tables)))])


def _tables(entries: int) -> Iterator[Table]:
    """The open matches of a new event."""
    tournament, tokens = drawn(entries, LENGTH)
    found = Pairing.objects.filter(round__bracket__tournament=tournament, match__isnull=False, settled="")
    for match, left, right in found.values_list("match_id", "left_id", "right_id"):
        yield Table(str(match), tokens[left], tokens[right])


def _play(url: str, phones: list[list[Table]]) -> Played:
    """Each phone plays its tables one after the other, all phones at once."""
    began = time.perf_counter()
    with ThreadPoolExecutor(len(phones)) as threads:
        seconds = list(
            threads.map(lambda tables: [one for each in tables for one in _match(url, each)], phones)
        )
    return Played(sum(map(len, seconds)) / (time.perf_counter() - began), seconds)


def _match(url: str, table: Table) -> Iterator[float]:
    """The left side wins every game and the right side confirms; yields how long each post took."""
    left, right, tail = Wire(url, table.left), Wire(url, table.right), table.match
    for _ in range(LENGTH):
        row = {"key": str(uuid.uuid4()), "predecessor": tail, "winner": "left"}
        yield _timed(left, f"/api/v1/matches/{table.match}/games/", row)
        tail = row["key"]
    yield _timed(right, f"/api/v1/matches/{table.match}/confirm/", {})
    left.close()
    right.close()


def _timed(wire: Wire, path: str, body: dict[str, str]) -> float:
    began = time.perf_counter()
    answer = wire.post(path, body)
    seconds = time.perf_counter() - began
    expect(answer)
    return seconds
