"""How long one result takes: the deciding post, accepted, advanced by a worker, told to a spectator.

A match is reported before the clock starts; what is timed is the opponent's confirmation, which decides it.
"""

import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import NamedTuple

from deploy.bench.answers import BadAnswer, expect
from deploy.bench.drawn import drawn
from deploy.bench.grounds import Ground
from deploy.bench.listening import Spectator
from tournament.models import Bracket, Pairing, Result, Tournament
from tournament.rehearsal.wire import Wire

WARM_UP = 12  # at most: no more than there are samples
LENGTH = 5
PAUSE = 0.2  # a live stream gathers what comes faster than people play
SECONDS_TO_WARM, SECONDS_TO_ADVANCE = 60.0, 20.0


@dataclass
class Times:
    """Seconds of each sample, from the moment the confirmation is sent; `until_posted` and on are stages of the way."""

    accepted: list[float] = field(default_factory=list)
    told: list[float] = field(default_factory=list)
    until_posted: list[float] = field(default_factory=list)
    until_advanced: list[float] = field(default_factory=list)
    until_told: list[float] = field(default_factory=list)


class Decided(NamedTuple):
    """When a confirmation was sent, by the calendar and by the stop-watch, and how long the answer took."""

    at: datetime
    began: float
    seconds: float


@dataclass
class Hall:
    """A drawn tournament, a phone for each entry, and one spectator."""

    tournament: Tournament
    bracket: Bracket
    phones: dict[uuid.UUID, Wire]
    spectator: Spectator
    version: int

    @classmethod
    def of(cls, url: str, entries: int) -> "Hall":
        tournament, tokens = drawn(entries, LENGTH)
        bracket = Bracket.objects.get(tournament=tournament)
        phones = {entry: Wire(url, token) for entry, token in tokens.items()}
        return cls(tournament, bracket, phones, Spectator(url, bracket.pk), bracket.version)

    def matches(self) -> Iterator[Pairing]:
        """Every match of the bracket in the order of the rounds; nobody has to wait for anybody."""
        number = 1
        rows = Pairing.objects.filter(round__bracket=self.bracket, match__isnull=False).select_related(
            "match"
        )
        while pairings := list(rows.filter(round__number=number)):
            yield from pairings
            number += 1

    def close(self) -> None:
        self.spectator.close()
        for phone in self.phones.values():
            phone.close()


def measure(ground: Ground, entries: int, samples: int) -> Times:
    """Plays single eliminations of that size match after match until there are so many samples."""
    times, warm_up = Times(), min(WARM_UP, samples)
    with ground.parts.database():
        for number, (hall, pairing) in enumerate(_one_after_another(ground, entries, warm_up + samples)):
            patience = SECONDS_TO_WARM if number == 0 else SECONDS_TO_ADVANCE
            _sample(hall, pairing, times if number >= warm_up else Times(), patience)
    return times


def without_broker(ground: Ground, samples: int) -> list[float]:
    """How long the answer takes while the broker is dead; it stays dead."""
    with ground.parts.database():
        pairs = _one_after_another(ground, max(4, 2 * samples), samples)
        first = next(pairs)
        ground.parts.kill(ground.broker)
        return [_decide(hall, pairing).seconds for hall, pairing in (first, *pairs)]


def _one_after_another(ground: Ground, entries: int, matches: int) -> Iterator[tuple[Hall, Pairing]]:
    """So many matches, in another tournament of that size where one has not enough."""
    left = matches
    while left:
        hall = Hall.of(ground.parts.url, entries)
        for pairing in hall.matches():
            yield hall, pairing
            left -= 1
            if not left:
                break
        hall.close()


def _sample(hall: Hall, pairing: Pairing, times: Times, patience: float) -> None:
    time.sleep(PAUSE)
    decided = _decide(hall, pairing)
    hall.version += 2  # one for the posted result, one for whoever moves on
    told = hall.spectator.wait_for(hall.version, patience)
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
    expect(hall.phones[match.left].post(f"/api/v1/matches/{match.pk}/final/", row))
    opponent = hall.phones[match.right]
    expect(opponent.get(f"/api/v1/matches/{match.pk}/"))
    at, began = datetime.now(UTC), time.perf_counter()
    answer = opponent.post(f"/api/v1/matches/{match.pk}/confirm/")
    seconds = time.perf_counter() - began
    expect(answer)
    return Decided(at, began, seconds)
