"""Time of one result: the deciding post is accepted, a worker advances the players, a spectator receives the change.

A match is reported before the clock starts; the opponent's confirmation, which decides it, is timed.
"""

import http.client
import socket
import threading
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import NamedTuple
from urllib.parse import urlsplit

from deploy.bench.steps import UnexpectedAnswer, check_answer, draw_tournament
from deploy.bench.temporary import RunningInstallation
from tournament.models import Bracket, Pairing, Result, Tournament
from tournament.rehearsal.wire import Wire

WARM_UP = 12
LENGTH = 5
PAUSE = 0.2  # a live stream combines changes that come faster than people play
SECONDS_TO_CONNECT = 10.0
SECONDS_TO_WARM, SECONDS_TO_ADVANCE = 60.0, 20.0


@dataclass
class Times:
    """Seconds of each sample after the confirmation is sent; the `until_` lists are successive stages."""

    accepted: list[float] = field(default_factory=list)
    received: list[float] = field(default_factory=list)
    until_posted: list[float] = field(default_factory=list)
    until_advanced: list[float] = field(default_factory=list)
    until_received: list[float] = field(default_factory=list)


class Confirmation(NamedTuple):
    """The time when it was sent, by the calendar and by `time.perf_counter`, and the seconds until the answer."""

    at: datetime
    began: float
    seconds: float


class LiveStream:
    """A spectator's live stream of one bracket, read in its own thread until it is closed."""

    def __init__(self, url: str, bracket: uuid.UUID) -> None:
        address = urlsplit(url)
        self._connection = http.client.HTTPConnection(str(address.hostname), address.port, timeout=60)
        self._connection.request("GET", f"/live/?bracket={bracket}")
        self._socket: socket.socket = self._connection.sock
        self._response = self._connection.getresponse()
        self._changed = threading.Condition()
        self._version, self._received_at = -1, 0.0
        threading.Thread(target=self._read, daemon=True).start()
        self.wait_for(0, SECONDS_TO_CONNECT)

    def wait_for(self, version: int, seconds: float) -> float:
        """The time (`time.perf_counter`) when this version or a later one was received. Raises TimeoutError."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._version >= version, seconds):
                raise TimeoutError(f"Version {version} was not received in {seconds:.0f} s.")
            return self._received_at

    def close(self) -> None:
        """Shuts the socket down first: closing alone waits for the line that the thread is reading."""
        self._socket.shutdown(socket.SHUT_RDWR)
        self._connection.close()

    def _read(self) -> None:
        try:
            for line in self._response:
                self._receive(line, time.perf_counter())
        except (OSError, ValueError, AttributeError, http.client.HTTPException):
            return  # closed while it waited

    def _receive(self, line: bytes, now: float) -> None:
        words = line.decode().split()
        if words[:1] == ["data:"]:
            version = int(words[2]) if len(words) == 3 else 0
            with self._changed:
                if version > self._version:
                    self._version, self._received_at = version, now
                self._changed.notify_all()


@dataclass
class PlayedTournament:
    """A drawn tournament, a phone for each entry, and the live stream of one spectator."""

    tournament: Tournament
    bracket: Bracket
    phones: dict[uuid.UUID, Wire]
    stream: LiveStream
    version: int

    @classmethod
    def draw(cls, url: str, entries: int) -> "PlayedTournament":
        tournament, tokens = draw_tournament(entries, LENGTH)
        bracket = Bracket.objects.get(tournament=tournament)
        phones = {entry: Wire(url, token) for entry, token in tokens.items()}
        return cls(tournament, bracket, phones, LiveStream(url, bracket.pk), bracket.version)

    def matches(self) -> Iterator[Pairing]:
        """Every match of the bracket, round by round."""
        number = 1
        rows = Pairing.objects.filter(round__bracket=self.bracket, match__isnull=False)
        while pairings := list(rows.filter(round__number=number).select_related("match")):
            yield from pairings
            number += 1

    def close(self) -> None:
        self.stream.close()
        for phone in self.phones.values():
            phone.close()


def measure(running: RunningInstallation, entries: int, samples: int) -> Times:
    """Plays single eliminations of that size, match by match, until there are `samples` after the warm-up."""
    times, warm_up = Times(), min(WARM_UP, samples)
    with running.installation.database():
        matches = _matches(running.installation.url, entries, warm_up + samples)
        for number, (tournament, pairing) in enumerate(matches):
            timeout = SECONDS_TO_WARM if number == 0 else SECONDS_TO_ADVANCE
            _sample(tournament, pairing, times if number >= warm_up else Times(), timeout)
    return times


def measure_without_broker(running: RunningInstallation, samples: int) -> list[float]:
    """Kills the broker and returns the seconds until each confirmation is answered."""
    with running.installation.database():
        matches = _matches(running.installation.url, max(4, 2 * samples), samples)
        first = next(matches)
        running.installation.kill(running.broker)
        return [_confirm(tournament, pairing).seconds for tournament, pairing in (first, *matches)]


def _matches(url: str, entries: int, count: int) -> Iterator[tuple[PlayedTournament, Pairing]]:
    """Draws another tournament of that size when all matches of one are played."""
    remaining = count
    while remaining:
        tournament = PlayedTournament.draw(url, entries)
        for pairing in tournament.matches():
            yield tournament, pairing
            remaining -= 1
            if not remaining:
                break
        tournament.close()


def _sample(tournament: PlayedTournament, pairing: Pairing, times: Times, timeout: float) -> None:
    time.sleep(PAUSE)
    confirmation = _confirm(tournament, pairing)
    tournament.version += 2  # one for the posted result, one for the advanced players
    received = tournament.stream.wait_for(tournament.version, timeout) - confirmation.began
    times.accepted.append(confirmation.seconds)
    times.received.append(received)
    result = Result.objects.get(pairing=pairing)
    advanced_at = result.advanced_at or result.posted_at
    times.until_posted.append((result.posted_at - confirmation.at).total_seconds())
    times.until_advanced.append((advanced_at - result.posted_at).total_seconds())
    times.until_received.append(received - (advanced_at - confirmation.at).total_seconds())


def _confirm(tournament: PlayedTournament, pairing: Pairing) -> Confirmation:
    """One player reports the final score; the opponent's confirmation is timed."""
    match = pairing.match
    if match is None:
        raise UnexpectedAnswer("A match that should be open is not.")
    row = {"key": str(uuid.uuid4()), "predecessor": str(match.pk), "left": LENGTH, "right": LENGTH - 2}
    check_answer(tournament.phones[match.left].post(f"/api/v1/matches/{match.pk}/final/", row))
    opponent = tournament.phones[match.right]
    check_answer(opponent.get(f"/api/v1/matches/{match.pk}/"))
    at, began = datetime.now(UTC), time.perf_counter()
    answer = opponent.post(f"/api/v1/matches/{match.pk}/confirm/")
    seconds = time.perf_counter() - began
    check_answer(answer)
    return Confirmation(at, began, seconds)
