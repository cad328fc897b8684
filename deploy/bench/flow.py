"""How long one result takes: the deciding post, accepted, advanced by a worker, told to a spectator, shown again.

A match is reported before the clock starts; what is timed is the opponent's confirmation, which decides it.
"""

import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import NamedTuple

from deploy.bench.drawn import drawn
from deploy.bench.figures import Figures
from deploy.bench.grounds import Ground
from deploy.bench.listening import Spectator
from tournament.models import Bracket, Pairing, Result, Tournament
from tournament.rehearsal.wire import Answer, Wire

WARM_UP, WITHOUT_BROKER = 12, 20  # at most: no more than there are samples
LENGTH = 5
PAUSE = 0.2  # a live stream gathers what comes faster than people play
SECONDS_TO_WARM, SECONDS_TO_ADVANCE = 60.0, 20.0
Progress = Callable[[int, int], None]


class BadAnswer(RuntimeError):
    """The product answered something else than a bench can go on with."""


@dataclass
class Times:
    """Seconds of each sample, from the moment the confirmation is sent; `queued` and on are stages of the way."""

    accepted: list[float] = field(default_factory=list)
    told: list[float] = field(default_factory=list)
    shown: list[float] = field(default_factory=list)
    until_posted: list[float] = field(default_factory=list)
    until_advanced: list[float] = field(default_factory=list)
    until_told: list[float] = field(default_factory=list)
    without_broker: list[float] = field(default_factory=list)

    def figures(self) -> dict[str, Figures]:
        return {name: Figures.of(times) for name, times in vars(self).items() if times}


class Decided(NamedTuple):
    """When a confirmation was sent, by the calendar and by the stop-watch, and how long the answer took."""

    at: datetime
    began: float
    seconds: float


@dataclass
class Hall:
    """A drawn tournament, a phone for each entry, and one spectator."""

    ground: Ground
    tournament: Tournament
    bracket: Bracket
    phones: dict[uuid.UUID, Wire]
    spectator: Spectator
    browser: Wire
    page: str
    version: int

    def matches(self, number: int) -> list[Pairing]:
        """The open matches of a round."""
        rows = Pairing.objects.filter(round__bracket=self.bracket, round__number=number, match__isnull=False)
        return list(rows.select_related("match"))


def measure(ground: Ground, samples: int, progress: Progress) -> dict[str, Figures]:
    """Plays a single elimination match after match until there are so many samples."""
    times, warm_up, without = Times(), min(WARM_UP, samples), min(WITHOUT_BROKER, samples)
    with ground.parts.database():
        hall = _open(ground, warm_up + samples + without)
        pairings = _one_after_another(hall)
        for done in range(warm_up):
            _sample(hall, next(pairings), Times(), SECONDS_TO_WARM if done == 0 else SECONDS_TO_ADVANCE)
        for done in range(samples):
            _sample(hall, next(pairings), times, SECONDS_TO_ADVANCE)
            progress(done + 1, samples)
        ground.parts.kill(ground.broker)
        for _ in range(without):
            times.without_broker.append(_decide(hall, next(pairings)).seconds)
        hall.spectator.close()
    return times.figures()


def _open(ground: Ground, matches: int) -> Hall:
    """A released draw with at least so many matches; nobody has to wait for anybody in it."""
    entries = 2
    while entries - 1 < matches + entries // 4:
        entries *= 2
    tournament, tokens = drawn(entries, LENGTH)
    bracket = Bracket.objects.get(tournament=tournament)
    url = ground.parts.url
    return Hall(
        ground=ground,
        tournament=tournament,
        bracket=bracket,
        phones={entry: Wire(url, token) for entry, token in tokens.items()},
        spectator=Spectator(url, bracket.pk),
        browser=Wire(url),
        page=f"/e/{tournament.event.slug}/{tournament.slug}/fragment/",
        version=bracket.version,
    )


def _one_after_another(hall: Hall) -> Iterator[Pairing]:
    """Every match of the bracket in the order of the rounds."""
    number = 1
    while pairings := hall.matches(number):
        yield from pairings
        number += 1


def _sample(hall: Hall, pairing: Pairing, times: Times, patience: float) -> None:
    time.sleep(PAUSE)
    decided = _decide(hall, pairing)
    hall.version += 2  # one for the posted result, one for whoever moves on
    told = hall.spectator.wait_for(hall.version, patience)
    _expect(hall.browser.get(hall.page))
    times.shown.append(time.perf_counter() - decided.began)
    times.accepted.append(decided.seconds)
    times.told.append(told - decided.began)
    result = Result.objects.get(pairing=pairing)
    advanced = result.advanced_at or result.posted_at
    times.until_posted.append((result.posted_at - decided.at).total_seconds())
    times.until_advanced.append((advanced - result.posted_at).total_seconds())
    times.until_told.append(told - decided.began - (advanced - decided.at).total_seconds())


def _decide(hall: Hall, pairing: Pairing) -> Decided:
    """One player hands in the final score; the opponent's confirmation is timed."""
    match = pairing.match
    if match is None:
        raise BadAnswer("A match that should be open is not.")
    row = {"key": str(uuid.uuid4()), "predecessor": str(match.pk), "left": LENGTH, "right": LENGTH - 2}
    _expect(hall.phones[match.left].post(f"/api/v1/matches/{match.pk}/final/", row))
    opponent = hall.phones[match.right]
    _expect(opponent.get(f"/api/v1/matches/{match.pk}/"))
    at, began = datetime.now(UTC), time.perf_counter()
    answer = opponent.post(f"/api/v1/matches/{match.pk}/confirm/")
    seconds = time.perf_counter() - began
    _expect(answer)
    return Decided(at, began, seconds)


def _expect(answer: Answer) -> None:
    if not answer.is_ok:
        raise BadAnswer(f"The product answered {answer.status}: {str(answer.body)[:300]}")
