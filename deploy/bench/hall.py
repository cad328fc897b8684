"""`bench hall`: a long network outage while phones keep scoring, and results before a crowd of spectators.

During the outage every phone keeps its games with their keys and retries them in order until they are acknowledged.
Then the stored games are compared with the entered ones.
"""

import sys
import threading
import time
import uuid
from argparse import ArgumentParser
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.client import HTTPException
from random import Random
from typing import Any, NamedTuple, TextIO
from urllib.parse import urlsplit

from deploy.bench.figures import Figures
from deploy.bench.installation import Installation
from deploy.bench.machine import describe_machine, fsync_time, megabytes
from deploy.bench.progress import ProgressBar
from deploy.bench.proxy import NetworkConditions, NetworkProxy
from deploy.bench.spectators import Spectators
from deploy.bench.steps import NotInTime, UnexpectedAnswer, check_answer, draw_tournament, until
from deploy.bench.temporary import CannotMeasure, running_installation
from matches.models import Card, CardRow
from rules.ruleset import Ruleset
from rules.score import Game
from tournament.draw.formats import Format, Kind
from tournament.models import Bracket, Pairing, Result, Tournament
from tournament.rehearsal.play import play_match
from tournament.rehearsal.wire import Wire

FAIR, CUT, BAD = NetworkConditions(0.1, 0.05), NetworkConditions(is_cut=True), NetworkConditions(3.0, 0.3)
LENGTH = 11
FIRST_RETRY_SECONDS = 0.125
GIVE_UP_SECONDS = 600.0
MOST_P99_SEEN = 1000.0
LABELS = {
    "accepted": "a confirmation, until it is acknowledged",
    "seen": "... until a spectator receives who advanced",
}


@dataclass(frozen=True, slots=True)
class Sizes:
    """`phones` are `outage` seconds without a network, which comes back as `afterwards`. They retry with a doubled
    delay, up to `longest_retry` seconds. `spectators` watch results at `rate` a second for `seconds`."""

    phones: int = 40
    outage: float = 600.0
    afterwards: NetworkConditions = BAD
    longest_retry: float = 30.0
    threads: int = 60
    spectators: int = 1000
    rate: float = 5.0
    seconds: float = 60.0


TRIAL = Sizes(
    phones=4, outage=2.0, afterwards=FAIR, longest_retry=0.5, threads=4, spectators=10, rate=5.0, seconds=1.0
)


@dataclass
class OutageCounts:
    """Requests sent and lost, games entered on phones and stored, and matches decided."""

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
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def count_request(self) -> None:
        with self._lock:
            self.requests += 1

    @property
    def is_complete(self) -> bool:
        """Every game is stored once and in order, and every match is decided."""
        return not (self.missing or self.twice_or_unknown or self.disordered) and self.posted == self.matches

    def as_json(self) -> dict[str, float]:
        return {name: value for name, value in vars(self).items() if not name.startswith("_")}


class Confirmation(NamedTuple):
    """The time when it was sent (`time.perf_counter`) and the seconds until it was acknowledged."""

    sent: float
    seconds: float


@dataclass
class Phone:
    """One player's phone: `queue` holds the entered games in order, of which the first `arrived` are acknowledged."""

    match: uuid.UUID
    keeper: str
    wire: Wire
    games: list[Game]
    moments: list[float]
    queue: list[dict[str, Any]] = field(default_factory=list)
    arrived: int = 0

    def play(self, began: float, longest_retry: float, counts: OutageCounts) -> None:
        """Enters each game at its moment and sends the queue until all games have arrived."""
        retry, deadline = FIRST_RETRY_SECONDS, time.monotonic() + GIVE_UP_SECONDS + self.moments[-1]
        while self.arrived < len(self.games) and time.monotonic() <= deadline:
            elapsed = time.monotonic() - began
            while len(self.queue) < len(self.games) and elapsed >= self.moments[len(self.queue)]:
                self._enter()
            if self.arrived == len(self.queue):
                time.sleep(0.05)
            elif self._send(counts):
                retry = FIRST_RETRY_SECONDS
            else:
                time.sleep(retry)
                retry = min(retry * 2, longest_retry)

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

    def _send(self, counts: OutageCounts) -> bool:
        counts.count_request()
        try:
            answer = self.wire.post(f"/api/v1/matches/{self.match}/games/", self.queue[self.arrived])
        except (OSError, HTTPException):
            self.wire.close()
            return False
        if answer.status >= 500:
            return False
        check_answer(answer)
        self.arrived += 1
        return True


@dataclass
class HallReport:
    """By database: counts of the outage, figures and counts of the crowd, and why something was not measured."""

    machine: str
    at: str
    outages: dict[str, OutageCounts] = field(default_factory=dict)
    figures: dict[str, dict[str, Figures]] = field(default_factory=dict)
    counts: dict[str, dict[str, float]] = field(default_factory=dict)
    disks: dict[str, Figures] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        return {
            "bench": "hall",
            "unit": "ms",
            "machine": self.machine,
            "at": self.at,
            "outages": {name: counts.as_json() for name, counts in self.outages.items()},
            "crowds": {
                name: {label: value.as_json() for label, value in figures.items()}
                for name, figures in self.figures.items()
            },
            "counts": self.counts,
            "fsync": {name: figures.as_json() for name, figures in self.disks.items()},
            "not_measured": self.missing,
        }


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("--outage", type=float, default=600, help="seconds without a network (600)")
    parser.add_argument("--spectators", type=int, default=1000, help="live streams (1000)")
    parser.add_argument(
        "--trial", action="store_true", help="small and quick; does not compare with the targets"
    )


def run(
    kinds: Iterable[str], options: dict[str, Any], screen: TextIO = sys.stderr
) -> tuple[str, dict[str, Any]]:
    sizes = TRIAL if options["trial"] else Sizes(outage=options["outage"], spectators=options["spectators"])
    report = HallReport(describe_machine(), datetime.now(UTC).isoformat(timespec="seconds"))
    for kind in kinds:
        bar = ProgressBar(kind, screen)
        try:
            with running_installation(kind, workers=2) as running:
                name, installation = running.vendor, running.installation
                report.disks[name] = fsync_time(installation.folder)
                report.figures[name], report.counts[name] = crowd(installation, sizes, bar.message)
                report.outages[name] = outage(installation, sizes, bar.message)
        except (CannotMeasure, UnexpectedAnswer, TimeoutError) as error:
            report.missing[kind] = str(error)
        bar.clear()
    return as_text(report), report.as_json()


def as_text(report: HallReport) -> str:
    lines = [report.machine]
    for name, figures in report.figures.items():
        lines += ["", f"{name} (fsync of its disk: {report.disks[name]})"]
        lines += [f"  {LABELS[label]:<46} {figures[label]}" for label in LABELS if label in figures]
        lines.append("  " + ", ".join(f"{label} {count:g}" for label, count in report.counts[name].items()))
        if name in report.outages:
            lines += [f"  {line}" for line in _outage_lines(report.outages[name])]
        lines.append(f"  {_verdict(figures, report.outages.get(name))}")
    lines += ["", *(f"Not measured on {kind}: {reason}" for kind, reason in report.missing.items())]
    return "\n".join(lines).rstrip()


def _outage_lines(counts: OutageCounts) -> list[str]:
    sent = (
        f"{counts.entered} games entered, {counts.requests} requests sent, {counts.lost} lost by the network"
    )
    stored = f"{counts.applied} games stored after {counts.seconds:.0f} s"
    wrong = f"missing {counts.missing}, duplicate or unknown {counts.twice_or_unknown}"
    order = f"cards out of order {counts.disordered}, matches decided {counts.posted} of {counts.matches}"
    return [f"outage: {sent}, {stored}", f"        {wrong}, {order}"]


def _verdict(figures: dict[str, Figures], counts: OutageCounts | None) -> str:
    p99 = figures["seen"].p99 if "seen" in figures else None
    marks = [(p99 is not None and p99 <= MOST_P99_SEEN, f"p99 seen {p99 or 0:.0f} of {MOST_P99_SEEN:.0f} ms")]
    if counts is not None:
        marks.append((counts.is_complete, "every game once and in order"))
    return "Marks: " + "; ".join(f"{'met' if met else 'MISSED'} ({words})" for met, words in marks)


def outage(installation: Installation, sizes: Sizes, show_progress: Callable[[str], None]) -> OutageCounts:
    """Two phones in each match keep a card; the network goes away and comes back badly."""
    counts, port = OutageCounts(), int(urlsplit(installation.url).port or 0)
    with installation.database(), NetworkProxy(port, conditions=FAIR) as proxy:
        tournament, tokens = draw_tournament(sizes.phones, LENGTH, Format(Kind.SWISS, rounds=1))
        phones = _phones(tournament, tokens, sizes, proxy.url)
        posted = Result.objects.filter(pairing__round__bracket__tournament=tournament)
        counts.entered = sum(len(phone.games) for phone in phones)
        began = time.monotonic()
        with ThreadPoolExecutor(len(phones)) as threads:
            players = [threads.submit(phone.play, began, sizes.longest_retry, counts) for phone in phones]
            _change_network(proxy, sizes, began, show_progress)
            for player in players:
                player.result()
        counts.seconds, counts.lost = round(time.monotonic() - began, 1), proxy.lost
        counts.matches = len(phones) // 2
        _wait(lambda: posted.count() >= counts.matches)
        counts.posted = posted.count()
        _compare(phones, counts)
    return counts


def crowd(
    installation: Installation, sizes: Sizes, show_progress: Callable[[str], None]
) -> tuple[dict[str, Figures], dict[str, float]]:
    """Posts results at a steady rate; measures when each was accepted and when each spectator received it."""
    results = int(sizes.rate * sizes.seconds) + 1  # the first result waits for the worker to start
    with installation.database():
        entries = 4
        while entries // 2 < results:
            entries *= 2
        tournament, tokens = draw_tournament(entries, LENGTH)
        bracket = Bracket.objects.get(tournament=tournament)
        pairings = list(Pairing.objects.filter(round__bracket=bracket, match__isnull=False)[:results])
        _confirm_all(installation.url, sizes, pairings[:1], tokens)
        _wait(lambda: Result.objects.filter(advanced_at__isnull=False).exists())
        pairings = pairings[1:]
        show_progress("the spectators connect")
        with Spectators(installation.url, str(bracket.pk), sizes.spectators) as spectators:
            sent = _confirm_all(installation.url, sizes, pairings, tokens)
            _wait(lambda: not Result.objects.filter(advanced_at__isnull=True).exists())
            versions = _versions(bracket, pairings)
            seen = spectators.delays([(sent[pairing].sent, version) for pairing, version in versions.items()])
            broken = spectators.close().broken
    figures = {"accepted": Figures.of([confirmation.seconds for confirmation in sent.values()])}
    if seen:
        figures["seen"] = Figures.of(seen)
    counts = {"results": len(sent), "spectators": sizes.spectators, "streams broken": broken}
    counts["seen"], counts["never seen"] = len(seen), len(sent) * sizes.spectators - len(seen)
    return figures, {**counts, **megabytes(installation)}


def _phones(tournament: Tournament, tokens: dict[uuid.UUID, str], sizes: Sizes, url: str) -> list[Phone]:
    ruleset, chance = Ruleset.from_json(tournament.ruleset), Random("hall")  # noqa: S311 (simulated games)
    phones = []
    for pairing in Pairing.objects.filter(round__bracket__tournament=tournament, match__isnull=False):
        games = [played.game for played in play_match(LENGTH, ruleset, 0.5, chance)]
        for keeper, entry in (("left", pairing.left_id), ("right", pairing.right_id)):
            moments = sorted(chance.uniform(0, sizes.outage * 1.2) for _ in games)
            if entry is not None and pairing.match_id is not None:
                wire = Wire(url, tokens[entry])
                phones.append(Phone(pairing.match_id, keeper, wire, games, moments))
    return phones


def _change_network(
    proxy: NetworkProxy, sizes: Sizes, began: float, show_progress: Callable[[str], None]
) -> None:
    """A tenth of the time good, then cut, then as `sizes.afterwards`."""
    show_progress("good network")
    time.sleep(sizes.outage / 10)
    proxy.change(CUT)
    show_progress(f"no network for {sizes.outage:.0f} s")
    time.sleep(max(0.0, began + sizes.outage * 1.1 - time.monotonic()))
    show_progress(f"network: {sizes.afterwards.delay:g} s late, {sizes.afterwards.loss:.0%} lost")
    proxy.change(sizes.afterwards)


def _compare(phones: list[Phone], counts: OutageCounts) -> None:
    for phone in phones:
        card = Card.objects.filter(match_id=phone.match, keeper=phone.keeper).first()
        rows = CardRow.objects.filter(card=card).order_by("number") if card else ()
        stored, entered = [str(row.key) for row in rows], [row["key"] for row in phone.queue]
        counts.applied += len(stored)
        counts.missing += len(set(entered) - set(stored))
        counts.twice_or_unknown += len(stored) - len(set(stored) & set(entered))
        counts.disordered += stored != [key for key in entered if key in set(stored)]


def _versions(bracket: Bracket, pairings: list[Pairing]) -> dict[int, int]:
    """The bracket version that shows who advanced by each result, by pairing.

    Every posting and every advance made one version under the tournament's lock, so their times give the order. The
    versions are counted back from the last: a version made elsewhere makes a result look late, never early.
    """
    results = list(Result.objects.filter(pairing__in=pairings, advanced_at__isnull=False))
    moments = [(result.posted_at, result.pairing_id, False) for result in results]
    moments += [(result.advanced_at, result.pairing_id, True) for result in results if result.advanced_at]
    last = Bracket.objects.values_list("version", flat=True).get(pk=bracket.pk)
    numbered = enumerate(sorted(moments), start=last - len(moments) + 1)
    return {pairing: version for version, (_, pairing, is_advance) in numbered if is_advance}


def _confirm_all(
    url: str, sizes: Sizes, pairings: list[Pairing], tokens: dict[uuid.UUID, str]
) -> dict[int, Confirmation]:
    """Reports and confirms a result for each pairing at the rate of `sizes`; returns confirmations by pairing."""
    began = time.monotonic()

    def confirm(number: int, pairing: Pairing) -> Confirmation:
        time.sleep(max(0.0, began + number / sizes.rate - time.monotonic()))
        left, right = (Wire(url, tokens[pk]) for pk in (pairing.left_id, pairing.right_id) if pk)
        row = {"key": str(uuid.uuid4()), "predecessor": str(pairing.match_id), "left": LENGTH, "right": 4}
        check_answer(left.post(f"/api/v1/matches/{pairing.match_id}/final/", row))
        sent = time.perf_counter()
        answer = right.post(f"/api/v1/matches/{pairing.match_id}/confirm/")
        seconds = time.perf_counter() - sent
        check_answer(answer)
        left.close()
        right.close()
        return Confirmation(sent, seconds)

    with ThreadPoolExecutor(sizes.threads) as threads:
        confirmations = threads.map(confirm, range(len(pairings)), pairings)
        return {pairing.pk: done for pairing, done in zip(pairings, confirmations, strict=True)}


def _wait(condition: Callable[[], bool]) -> None:
    """Gives up silently: the counts show what is missing."""
    with suppress(NotInTime):
        until(condition, "results are stored")
