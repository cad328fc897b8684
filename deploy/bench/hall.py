"""What a hall does to the product: a long outage with phones that go on, and a crowd that looks on meanwhile.

In the outage every phone keeps its games with their keys and sends them in order, again and again, until they are
acknowledged; then what the database holds is compared with what was entered, game by game.
"""

import threading
import time
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http.client import HTTPException
from random import Random
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from deploy.bench.air import Air, Weather
from deploy.bench.answers import BadAnswer
from deploy.bench.crowd import Crowd
from deploy.bench.drawn import drawn
from deploy.bench.figures import Figures
from deploy.bench.memory import megabytes
from deploy.loose_parts import LooseParts
from matches.models import Card, CardRow
from rules.ruleset import Ruleset
from rules.score import Game
from tournament.draw.formats import Format, Kind
from tournament.models import Bracket, Pairing, Result, Tournament
from tournament.rehearsal.play import play_match
from tournament.rehearsal.wire import Answer, Wire

FAIR, CUT, FOUL = Weather(0.1, 0.05), Weather(is_cut=True), Weather(3.0, 0.3)
LENGTH = 11
FIRST_WAIT = 0.125
PATIENCE = 600.0
SETTLE_SECONDS = 20.0
Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many phones are how many seconds without a network, and the weather when it comes back; how many spectators
    look on while results come in at this rate a second, for so many seconds. A phone tries again after an eighth of a
    second, and waits twice as long each time up to the longest."""

    phones: int = 40
    outage: float = 600.0
    afterwards: Weather = FOUL
    longest_wait: float = 30.0
    active: int = 60
    spectators: int = 1000
    rate: float = 5.0
    seconds: float = 60.0


TRIAL = Sizes(
    phones=4, outage=2.0, afterwards=FAIR, longest_wait=0.5, active=4, spectators=10, rate=5.0, seconds=1.0
)


@dataclass
class Counts:
    """Of the outage: requests sent, games entered on phones, games that stand, of them out of order, results posted."""

    requests: int = 0
    lost: int = 0
    entered: int = 0
    applied: int = 0
    missing: int = 0
    twice_or_unknown: int = 0
    disordered: int = 0
    matches: int = 0
    posted: int = 0
    seconds: float = 0.0
    _alone: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def sent(self) -> None:
        with self._alone:
            self.requests += 1

    @property
    def is_whole(self) -> bool:
        """Whether every game arrived once and in order, and every match was decided."""
        return not (self.missing or self.twice_or_unknown or self.disordered) and self.posted == self.matches

    def as_json(self) -> dict[str, float]:
        return {name: value for name, value in vars(self).items() if not name.startswith("_")}


class Decided(NamedTuple):
    """When a confirmation was sent (`time.perf_counter`), and the seconds until it was acknowledged."""

    sent: float
    seconds: float


@dataclass
class Phone:
    """A player's phone: what it has entered, in order, and how much of it is acknowledged."""

    match: uuid.UUID
    keeper: str
    wire: Wire
    games: list[Game]
    moments: list[float]
    queue: list[dict[str, Any]] = field(default_factory=list)
    arrived: int = 0

    def play(self, began: float, longest_wait: float, counts: Counts) -> None:
        """Enters each game at its moment, and sends whenever something is kept; until all have arrived."""
        wait, ends = FIRST_WAIT, time.monotonic() + PATIENCE + self.moments[-1]
        while self.arrived < len(self.games):
            if time.monotonic() > ends:
                return
            while (
                len(self.queue) < len(self.games)
                and time.monotonic() - began >= self.moments[len(self.queue)]
            ):
                self._enter()
            if self.arrived == len(self.queue):
                time.sleep(0.05)
            elif self._send(counts):
                wait = FIRST_WAIT
            else:
                time.sleep(wait)
                wait = min(wait * 2, longest_wait)

    def _enter(self) -> None:
        game = self.games[len(self.queue)]
        self.queue.append(
            {
                "key": str(uuid.uuid4()),
                "predecessor": self.queue[-1]["key"] if self.queue else str(self.match),
                "winner": game.winner.value,
                "win": game.win.name.lower(),
                "ending": game.ending.value,
                "cube": game.cube,
            }
        )

    def _send(self, counts: Counts) -> bool:
        counts.sent()
        try:
            answer = self.wire.post(f"/api/v1/matches/{self.match}/games/", self.queue[self.arrived])
        except (OSError, HTTPException):
            self.wire.close()
            return False
        if answer.status >= 500:
            return False
        _expect(answer)
        self.arrived += 1
        return True


def outage(parts: LooseParts, sizes: Sizes, say: Say) -> Counts:
    """Two phones at each match keep a card; the network goes away, comes back badly, and everything arrives."""
    counts = Counts()
    with parts.database(), Air(int(urlsplit(parts.url).port or 0), weather=FAIR) as air:
        tournament, tokens = drawn(sizes.phones, LENGTH, Format(Kind.SWISS, rounds=1))
        phones = _phones(tournament, tokens, sizes, air.url)
        posted = Result.objects.filter(pairing__round__bracket__tournament=tournament)
        counts.entered = sum(len(phone.games) for phone in phones)
        began = time.monotonic()
        with ThreadPoolExecutor(len(phones)) as threads:
            playing = [threads.submit(phone.play, began, sizes.longest_wait, counts) for phone in phones]
            _weather(air, sizes, began, say)
            for one in playing:
                one.result()
        counts.seconds, counts.lost = round(time.monotonic() - began, 1), air.lost
        counts.matches = len(phones) // 2
        _await(lambda: posted.count() >= counts.matches)
        counts.posted = posted.count()
        _compare(phones, counts)
    return counts


def crowd(parts: LooseParts, sizes: Sizes, say: Say) -> tuple[dict[str, Figures], dict[str, float]]:
    """Results at a steady rate before so many spectators: when each was accepted, and seen by each; and memory."""
    results = int(sizes.rate * sizes.seconds) + 1  # the first one waits for the worker to come up
    with parts.database():
        entries = 4
        while entries // 2 < results:
            entries *= 2
        tournament, tokens = drawn(entries, LENGTH)
        bracket = Bracket.objects.get(tournament=tournament)
        pairings = list(Pairing.objects.filter(round__bracket=bracket, match__isnull=False)[:results])
        _decide_all(parts, sizes, pairings[:1], tokens)
        _await(lambda: Result.objects.filter(advanced_at__isnull=False).exists())
        bracket.refresh_from_db()
        pairings = pairings[1:]
        say("the spectators come in")
        with Crowd(parts.url, str(bracket.pk), sizes.spectators) as looking:
            said = _decide_all(parts, sizes, pairings, tokens)
            _await(lambda: not Result.objects.filter(advanced_at__isnull=True).exists())
            time.sleep(1)
            versions = _versions(bracket, pairings)
            seen = looking.seen([(said[pairing].sent, version) for pairing, version in versions.items()])
            broken = looking.saw.broken
    figures = {"accepted": Figures.of([one.seconds for one in said.values()])}
    if seen:
        figures["seen"] = Figures.of(seen)
    counts = {"results": len(said), "spectators": sizes.spectators, "streams broken": broken}
    counts["seen"], counts["never seen"] = len(seen), len(said) * sizes.spectators - len(seen)
    return figures, {**counts, **megabytes(parts)}


def _phones(tournament: Tournament, tokens: dict[uuid.UUID, str], sizes: Sizes, url: str) -> list[Phone]:
    ruleset, chance = Ruleset.from_json(tournament.ruleset), Random("hall")  # noqa: S311 (made-up games)
    phones = []
    for pairing in Pairing.objects.filter(round__bracket__tournament=tournament, match__isnull=False):
        games = [played.game for played in play_match(LENGTH, ruleset, 0.5, chance)]
        for keeper, entry in (("left", pairing.left_id), ("right", pairing.right_id)):
            moments = sorted(chance.uniform(0, sizes.outage * 1.2) for _ in games)
            if entry is not None and pairing.match_id is not None:
                wire = Wire(url, tokens[entry])
                phones.append(Phone(pairing.match_id, keeper, wire, games, moments))
    return phones


def _weather(air: Air, sizes: Sizes, began: float, say: Say) -> None:
    """A tenth of the time fair, then nothing at all, then three seconds late with three in ten lost."""
    say("fair weather")
    time.sleep(sizes.outage / 10)
    air.turn(CUT)
    say(f"no network for {sizes.outage:.0f} s")
    time.sleep(max(0.0, began + sizes.outage * 1.1 - time.monotonic()))
    say(f"the network comes back: {sizes.afterwards.delay:g} s late, {sizes.afterwards.loss:.0%} lost")
    air.turn(sizes.afterwards)


def _compare(phones: list[Phone], counts: Counts) -> None:
    for phone in phones:
        card = Card.objects.filter(match_id=phone.match, keeper=phone.keeper).first()
        stored = (
            [str(row.key) for row in CardRow.objects.filter(card=card).order_by("number")] if card else []
        )
        wanted = [row["key"] for row in phone.queue]
        counts.applied += len(stored)
        counts.missing += len(set(wanted) - set(stored))
        counts.twice_or_unknown += len(stored) - len(set(stored) & set(wanted))
        counts.disordered += stored != [key for key in wanted if key in set(stored)]


def _versions(bracket: Bracket, pairings: list[Pairing]) -> dict[int, int]:
    """The bracket's version that shows each result and who moved on by it, by pairing.

    Every posting and every advance made one, each under the tournament's lock, so their order tells them. Counted
    back from the last, so that one more version from elsewhere makes a result look late, never early.
    """
    results = list(Result.objects.filter(pairing__in=pairings, advanced_at__isnull=False))
    moments = [(result.posted_at, result.pairing_id, False) for result in results]
    moments += [(result.advanced_at, result.pairing_id, True) for result in results if result.advanced_at]
    last = Bracket.objects.values_list("version", flat=True).get(pk=bracket.pk)
    numbered = enumerate(sorted(moments), start=last - len(moments) + 1)
    return {pairing: version for version, (_, pairing, is_advance) in numbered if is_advance}


def _decide_all(
    parts: LooseParts, sizes: Sizes, pairings: list[Pairing], tokens: dict[uuid.UUID, str]
) -> dict[int, Decided]:
    """Each result at its moment, by pairing."""
    began = time.monotonic()

    def decide(number: int, pairing: Pairing) -> Decided:
        time.sleep(max(0.0, began + number / sizes.rate - time.monotonic()))
        left, right = (Wire(parts.url, tokens[pk]) for pk in (pairing.left_id, pairing.right_id) if pk)
        row = {"key": str(uuid.uuid4()), "predecessor": str(pairing.match_id), "left": LENGTH, "right": 4}
        _expect(left.post(f"/api/v1/matches/{pairing.match_id}/final/", row))
        sent = time.perf_counter()
        answer = right.post(f"/api/v1/matches/{pairing.match_id}/confirm/")
        seconds = time.perf_counter() - sent
        _expect(answer)
        left.close()
        right.close()
        return Decided(sent, seconds)

    with ThreadPoolExecutor(sizes.active) as threads:
        decided = list(threads.map(decide, range(len(pairings)), pairings))
    return {pairing.pk: one for pairing, one in zip(pairings, decided, strict=True)}


def _await(condition: Callable[[], bool]) -> None:
    ends = time.monotonic() + SETTLE_SECONDS
    while time.monotonic() < ends and not condition():
        time.sleep(0.2)


def _expect(answer: Answer) -> None:
    if not answer.is_ok:
        raise BadAnswer(f"The product answered {answer.status}: {str(answer.body)[:300]}")
