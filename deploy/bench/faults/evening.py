"""An event of many phones on two web nodes and three workers, played in waves; what holds after each of them.

Phones reach the nodes in turn; somebody looks on all the time, at a page that was opened once.
"""

import itertools
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field

from deploy.bench.faults import replay
from deploy.bench.faults.cluster import Cluster
from deploy.bench.faults.hall import Hall
from deploy.bench.faults.phones import Phone, Table, Told, pairings_told, table_of
from deploy.bench.faults.replay import Account
from deploy.bench.faults.waiting import LONGEST, until, until_all_advanced
from tournament.corrections import rebuilding
from tournament.rehearsal.wire import Wire

ENTRIES, TABLES_IN_A_WAVE = 64, 4


class Wrong(RuntimeError):
    """What is stored is not what the phones were told; the text says what differs."""


class NoMoreMatches(RuntimeError):
    """Too few are open for another wave."""


@dataclass
class Evening:
    """An event, and what its phones were told. `sees_all` says whether the page that somebody opened once, and never
    loaded again, shows what a fresh one does."""

    cluster: Cluster
    hall: Hall
    sees_all: Callable[[], bool]
    played: set[uuid.UUID] = field(default_factory=set)
    kind: type[Phone] = Phone
    recovered: float = 0.0
    """Seconds from the end of the last fault until the page was right again."""
    playing: list[Future[None]] = field(default_factory=list)
    _gate: threading.Event = field(default_factory=threading.Event)

    @property
    def slugs(self) -> str:
        return f"{self.hall.tournament.event.slug}/{self.hall.tournament.slug}"

    @property
    def bracket(self) -> str:
        """Its name on the live stream."""
        return str(Wire(self.cluster.air.url).get(self.hall.bracket).body["id"])

    @property
    def told(self) -> Told:
        return self.hall.told

    def wave(self, hurt: Callable[["Evening"], None]) -> Account:
        """Some matches are played while this is done to the parts: when every table has its first game, it begins, and
        when it lets them `go_on` the others follow. Returns what became of everything so far. Raises NoMoreMatches,
        and Wrong for what must not be.
        """
        tables = list(itertools.islice(self._unplayed(), TABLES_IN_A_WAVE))
        if len(tables) < TABLES_IN_A_WAVE:
            raise NoMoreMatches
        begun = self.told.acknowledged + len(tables)
        self._gate.clear()
        with ThreadPoolExecutor(TABLES_IN_A_WAVE) as threads:
            self.playing = [threads.submit(self._play, table) for table in tables]
            try:
                until(lambda: self.told.acknowledged >= begun, "every table has its first game")
                hurt(self)
            finally:
                self.go_on()
            healed = time.monotonic()
            for one in self.playing:
                one.result()
        self.played |= {table.match for table in tables}
        account = self.account()
        self.recovered = time.monotonic() - healed
        return account

    def go_on(self) -> None:
        self._gate.set()

    def account(self) -> Account:
        """Once everything is advanced and the page shows it: nothing derived differs from what the facts come to."""
        account = self.cluster.stage.ask(self._account)
        until(self.sees_all, "the open page shows what a fresh one does")
        return account

    def _account(self) -> Account:
        until_all_advanced(self.cluster.stage)
        differences = rebuilding.differences(self.hall.tournament.event)
        if differences:
            raise Wrong(f"The bracket differs from a rebuild: {differences}")
        posted = {row.match_id: row.winner_id for row in replay.results(self.hall.tournament)}
        if posted != self.told.winners:
            raise Wrong(f"Posted was {posted}, the phones were told {self.told.winners}.")
        return replay.account(self.hall.tournament, self.told)

    def _unplayed(self) -> Iterator[Table]:
        answer = Wire(self.cluster.air.url).get(self.hall.bracket)
        open_now = [table_of(pairing) for pairing in pairings_told(answer) if pairing["match_id"]]
        return (table for table in open_now if table.match not in self.played)

    def _play(self, table: Table) -> None:
        left, right = (
            self.kind(self.cluster.air.url, self.hall.tokens[entry], self.told)
            for entry in (table.left, table.right)
        )
        first, *others = self.hall.games_at(table)
        tail = left.enter(table.match, [first])
        self._gate.wait(LONGEST)
        tail = left.enter(table.match, others, tail) if others else tail
        right.confirm(table.match, tail)
        self.told.winners[table.match] = self.hall.winner_at(table)
