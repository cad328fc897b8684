"""An event that many phones play in waves on a cluster, and the checks after each wave."""

import itertools
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field

from deploy.bench.faults.cluster import Cluster, Site
from deploy.bench.faults.phones import OpenMatch, Phone, PhoneLog, open_matches, simulate_games
from deploy.bench.steps import LONGEST_WAIT, draw_tournament, until, until_all_advanced
from matches.models import CardRow
from rules.ruleset import Ruleset
from rules.score import Game, Side
from tournament.corrections import consistency
from tournament.models import Result, Tournament
from tournament.rehearsal.wire import Wire

ENTRIES, MATCHES_IN_A_WAVE = 64, 4


class StateDiffers(RuntimeError):
    """The stored state differs from what the phones received; the text gives the difference."""


class NoMatchesLeft(RuntimeError):
    """Fewer matches are open than a wave needs."""


@dataclass(frozen=True)
class Reconciliation:
    """`applied` and `lost` count the acknowledged games and results that are stored and missing."""

    requests: int
    refused: int
    acknowledged: int
    applied: int
    lost: int
    twice: int

    def __str__(self) -> str:
        return (
            f"{self.requests} requests, {self.refused} refused, {self.acknowledged} acknowledged, "
            f"{self.applied} applied, {self.lost} lost, {self.twice} twice"
        )


def reconcile(tournament: Tournament, log: PhoneLog) -> Reconciliation:
    """Compares what was acknowledged to phones with the stored games and results."""
    stored = CardRow.objects.filter(card__match__pairing__round__bracket__tournament=tournament)
    keys = set(stored.values_list("key", flat=True))
    results = current_results(tournament)
    posted = Counter(result.match_id for result in results)
    advanced = {result.match_id for result in results if result.advanced_at}
    games_twice = len(keys - log.games)  # a second row of one game has a key that was never acknowledged
    results_twice = sum(times - 1 for times in posted.values())
    return Reconciliation(
        requests=log.requests,
        refused=log.refused,
        acknowledged=log.acknowledged,
        applied=len(keys & log.games) + len(advanced & set(log.winners)),
        lost=len(log.games - keys) + len(set(log.winners) - advanced),
        twice=games_twice + results_twice,
    )


def current_results(tournament: Tournament) -> list[Result]:
    """Results that are not superseded, in the order of posting."""
    rows = Result.objects.filter(pairing__round__bracket__tournament=tournament)
    return list(rows.filter(superseded_by__isnull=True).order_by("posted_at"))


@dataclass
class DrawnEvent:
    """A released tournament, the token of each entry, and what its phones sent and received."""

    site: Site
    tournament: Tournament
    tokens: dict[uuid.UUID, str]
    seed: int = 1
    log: PhoneLog = field(default_factory=PhoneLog)

    @classmethod
    def draw(cls, site: Site, entries: int, length: int = 3) -> "DrawnEvent":
        """Call it within the database of the site."""
        tournament, tokens = draw_tournament(entries, length)
        return cls(site, tournament, tokens)

    @property
    def bracket_path(self) -> str:
        return f"/api/v1/tournaments/{self.tournament.pk}/brackets/main/"

    def games_of(self, match: OpenMatch) -> list[Game]:
        """The same games each time."""
        return simulate_games(match, Ruleset.from_json(self.tournament.ruleset), self.seed)

    def winner_of(self, match: OpenMatch) -> uuid.UUID:
        return match.left if self.games_of(match)[-1].winner is Side.LEFT else match.right


@dataclass
class PlayedEvent:
    """An event that is played in waves on a cluster.

    `page_is_current` returns True when a page that was opened once shows the same as a new request for it.
    `recovery_seconds` is the time from the end of the last fault until the page was current again.
    """

    cluster: Cluster
    drawn: DrawnEvent
    page_is_current: Callable[[], bool]
    phone_class: type[Phone] = Phone
    recovery_seconds: float = 0.0
    players: list[Future[None]] = field(default_factory=list)
    _played: set[uuid.UUID] = field(default_factory=set)
    _released: threading.Event = field(default_factory=threading.Event)

    @property
    def path(self) -> str:
        return f"/e/{self.drawn.tournament.event.slug}/{self.drawn.tournament.slug}/"

    @property
    def bracket(self) -> str:
        """The bracket's id on the live stream."""
        return str(Wire(self.cluster.proxy.url).get(self.drawn.bracket_path).body["id"])

    @property
    def log(self) -> PhoneLog:
        return self.drawn.log

    def play_wave(self, fault: Callable[["PlayedEvent"], None]) -> Reconciliation:
        """Plays some matches and runs the fault when each has its first game.

        Phones send the other games when the fault calls `release_phones`, or when it returns. Raises NoMatchesLeft,
        and StateDiffers or NotInTime when a check fails.
        """
        matches = list(itertools.islice(self._unplayed_matches(), MATCHES_IN_A_WAVE))
        if len(matches) < MATCHES_IN_A_WAVE:
            raise NoMatchesLeft
        first_games = self.log.acknowledged + len(matches)
        self._released.clear()
        with ThreadPoolExecutor(MATCHES_IN_A_WAVE) as threads:
            self.players = [threads.submit(self._play, match) for match in matches]
            try:
                until(lambda: self.log.acknowledged >= first_games, "every match has its first game")
                fault(self)
            finally:
                self.release_phones()
            fault_ended = time.monotonic()
            for player in self.players:
                player.result()
        self._played |= {match.match for match in matches}
        reconciliation = self.check()
        self.recovery_seconds = time.monotonic() - fault_ended
        return reconciliation

    def release_phones(self) -> None:
        self._released.set()

    def check(self) -> Reconciliation:
        """Waits until everything is advanced and the page is current. Raises StateDiffers or NotInTime."""
        reconciliation = self.cluster.site.query(self._check_database)
        until(self.page_is_current, "the open page shows the same as a new one")
        return reconciliation

    def _check_database(self) -> Reconciliation:
        tournament = self.drawn.tournament
        until_all_advanced(self.cluster.site)
        differences = consistency.differences(tournament.event)
        if differences:
            raise StateDiffers(f"The bracket differs from a rebuild: {differences}")
        posted = {result.match_id: result.winner_id for result in current_results(tournament)}
        if posted != self.log.winners:
            raise StateDiffers(f"Posted: {posted}. The phones received: {self.log.winners}.")
        return reconcile(tournament, self.log)

    def _unplayed_matches(self) -> Iterator[OpenMatch]:
        matches = open_matches(Wire(self.cluster.proxy.url).get(self.drawn.bracket_path))
        return (match for match in matches if match.match not in self._played)

    def _play(self, match: OpenMatch) -> None:
        left, right = (
            self.phone_class(self.cluster.proxy.url, self.drawn.tokens[entry], self.log)
            for entry in (match.left, match.right)
        )
        first, *others = self.drawn.games_of(match)
        tail = left.enter(match.match, [first])
        self._released.wait(LONGEST_WAIT)
        tail = left.enter(match.match, others, tail) if others else tail
        right.confirm(match.match, tail)
        self.log.winners[match.match] = self.drawn.winner_of(match)
