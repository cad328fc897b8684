"""An event of many phones on two web nodes and three workers, played in waves; what holds after each of them.

Phones reach the nodes in turn, a spectator's stream and a page in a browser stay open all the time.
"""

import itertools
import re
import threading
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Page

from deploy.bench.air import Air
from deploy.bench.postgresql import Postgresql
from deploy.loose_parts import LooseParts, Part
from rules.score import Game
from tests.flows import replay
from tests.flows.faults import Clock, OwnServer
from tests.flows.hall import Hall, Phone, Table, Told, open_hall, pairings_told, row_of, table_of
from tests.flows.replay import Account
from tests.flows.stage import Stage
from tests.flows.waiting import LONGEST, until, until_all_advanced
from tournament import rebuilding
from tournament.rehearsal.wire import Wire

ENTRIES, TABLES_IN_A_WAVE, WORKERS = 64, 4, 3
TOLD_LOUDLY = re.compile(r"^\S+ \S+ (?:WARNING|ERROR|CRITICAL) (?!django.request: Conflict)|^Traceback", re.M)
IS_FRESH = """async () => {
  const parts = (root) => [...root.querySelectorAll("[data-live] [data-part]")]
    .map((part) => part.dataset.stamp || part.textContent.replace(/\\s+/g, " "));
  const answer = await fetch(location.href, { cache: "no-store" });
  const now = new DOMParser().parseFromString(await answer.text(), "text/html");
  return answer.ok && JSON.stringify(parts(now)) === JSON.stringify(parts(document));
}"""


@dataclass
class Cluster:
    """Two nodes behind one address, three workers and one clock of the sweep, on a database of their own."""

    stage: Stage
    server: Postgresql | None
    clock: Clock
    air: Air
    node: LooseParts
    webs: list[Part]
    workers: list[Part]
    beat: Part

    @property
    def parts(self) -> list[Part]:
        return [*self.webs, *self.workers, self.beat]

    @property
    def is_whole(self) -> bool:
        return all(part.is_running for part in [*self.parts, self.stage.broker])

    def loud_lines(self) -> Counter[str]:
        """How often each part has raised its voice so far."""
        logs = {f"{log.parent.name}/{log.stem}": log for log in self.stage.folder.rglob("*.log")}
        return Counter({name: len(TOLD_LOUDLY.findall(log.read_text())) for name, log in logs.items()})


@contextmanager
def cluster(stores: OwnServer) -> Iterator[Cluster]:
    stage = Stage(stores, SWEEP_SECONDS="1", LOG_LEVEL="WARNING")
    clock = Clock(stage.folder)
    stage.switches = {**stage.switches, **clock.switches}
    webs = [stage.start_web()]
    node = stage.another_node()
    webs.append(node.start_web())
    workers = [stage.start_another_worker() for _ in range(WORKERS)]
    ports = [int(urlsplit(one.url).port or 0) for one in (stage, node)]
    with Air(*ports) as air:
        yield Cluster(stage, stores.server, clock, air, node, webs, workers, stage.start_beat())
    stage.close()


@dataclass
class Evening:
    """An event, and what its phones were told; `page` is a spectator's, opened once and never loaded again."""

    cluster: Cluster
    hall: Hall
    page: Page
    played: set[uuid.UUID] = field(default_factory=set)
    kind: type[Phone] = Phone
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
        when it lets them `go_on` the others follow. Returns what became of everything so far.
        """
        tables = list(itertools.islice(self._unplayed(), TABLES_IN_A_WAVE))
        assert len(tables) == TABLES_IN_A_WAVE, "too few matches are open"
        begun = self.told.acknowledged + len(tables)
        self._gate.clear()
        with ThreadPoolExecutor(TABLES_IN_A_WAVE) as threads:
            playing = [threads.submit(self._play, table) for table in tables]
            until(lambda: self.told.acknowledged >= begun, "every table has its first game")
            hurt(self)
            self.go_on()
            for one in playing:
                one.result()
        self.played |= {table.match for table in tables}
        return self.account()

    def go_on(self) -> None:
        self._gate.set()

    def account(self) -> Account:
        """Once everything is advanced and the page shows it: nothing derived differs from what the facts come to."""
        account = self.cluster.stage.ask(self._account)
        until(lambda: self.page.evaluate(IS_FRESH), "the open page shows what a fresh one does")
        return account

    def _account(self) -> Account:
        until_all_advanced(self.cluster.stage)
        assert rebuilding.differences(self.hall.tournament.event) == []
        posted = {row.match_id: row.winner_id for row in replay.results(self.hall.tournament)}
        assert posted == self.told.winners
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
        assert self._gate.wait(LONGEST)
        tail = left.enter(table.match, others, tail) if others else tail
        right.confirm(table.match, tail)
        self.told.winners[table.match] = self.hall.winner_at(table)


class CarelessPhone(Phone):
    """Sends a game before the one that it follows, everything twice at the same time, and the first once more."""

    def enter(self, match: uuid.UUID, games: list[Game], after: uuid.UUID | None = None) -> uuid.UUID:
        path, rows, tail = f"/api/v1/matches/{match}/games/", [], after or match
        for game in games:
            rows.append(row_of(game, tail))
            tail = uuid.UUID(rows[-1]["key"])
        for row, next_row in itertools.zip_longest(rows, rows[1:]):
            if next_row is not None:
                assert self.wire.post(path, next_row).code == "card-changed"
                self.told.sent()
            self._send_twice(path, row)
            self.told.acknowledge(uuid.UUID(row["key"]))
        self.send(path, rows[0])
        return tail

    def confirm(self, match: uuid.UUID, tail: uuid.UUID) -> None:
        self._send_twice(f"/api/v1/matches/{match}/confirm/", {"tail": str(tail)})
        self.told.acknowledge()

    def _send_twice(self, path: str, body: dict[str, Any]) -> None:
        twin = Phone(self.url, self.token, self.told)
        with ThreadPoolExecutor(2) as threads:
            for one in [threads.submit(phone.send, path, body) for phone in (self, twin)]:
                one.result()


def open_evening(cluster: Cluster, page: Page) -> Evening:
    with ThreadPoolExecutor(1) as threads:
        hall = threads.submit(open_hall, cluster.stage, ENTRIES).result()
    evening = Evening(cluster, hall, page)
    page.goto(f"{cluster.air.url}/e/{evening.slugs}/")
    return evening
