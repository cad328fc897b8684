"""A drawn event on a stage, and phones that report its matches over HTTP, many at the same time."""

import random
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from http.client import HTTPException
from typing import Any, NamedTuple

from rules.ruleset import Ruleset
from rules.score import Game, Side
from tests.flows.stage import Stage
from tests.tournament import stories
from tournament import links
from tournament.models import Tournament
from tournament.rehearsal.play import play_match
from tournament.rehearsal.wire import Answer, Wire

PATIENCE = 90.0
RETRY_SECONDS = POLL_SECONDS = 0.05


@dataclass
class Told:
    """What the phones sent and what they were told; `games` are the keys of games that were acknowledged.

    `refused` counts what was answered 503, to be sent again.
    """

    requests: int = 0
    acknowledged: int = 0
    refused: int = 0
    games: set[uuid.UUID] = field(default_factory=set)
    winners: dict[uuid.UUID, uuid.UUID] = field(default_factory=dict)
    _alone: threading.Lock = field(default_factory=threading.Lock)

    def sent(self) -> None:
        with self._alone:
            self.requests += 1

    def refuse(self) -> None:
        with self._alone:
            self.refused += 1

    def acknowledge(self, game: uuid.UUID | None = None) -> None:
        with self._alone:
            self.acknowledged += 1
            if game is not None:
                self.games.add(game)


class Table(NamedTuple):
    """A match that is open, and who plays it. `name` is the same whenever the draw is."""

    name: str
    match: uuid.UUID
    left: uuid.UUID
    right: uuid.UUID
    length: int


@dataclass
class Hall:
    """A released tournament and a token for every entry."""

    stage: Stage
    tournament: Tournament
    sign_in_link: str
    tokens: dict[uuid.UUID, str]
    seed: int = 1
    told: Told = field(default_factory=Told)
    decided: int = 0

    @property
    def bracket(self) -> str:
        return f"/api/v1/tournaments/{self.tournament.pk}/brackets/main/"

    def phone(self, entry: uuid.UUID) -> "Phone":
        return Phone(self.stage.url, self.tokens[entry], self.told)

    def play_out(self, clients: int, after_each: Callable[[int], None]) -> None:
        """Reports every match of the bracket from so many threads.

        `after_each` learns, in the calling thread, how many are decided.
        """
        with ThreadPoolExecutor(clients) as threads:
            playing: set[Future[None]] = set()
            for table in self.tables():
                playing |= {threads.submit(self.play, table)} if table else set()
                if table is None:
                    time.sleep(POLL_SECONDS)
                done, playing = wait(playing, 0, FIRST_COMPLETED)
                for match in done:
                    match.result()
                    self.decided += 1
                    after_each(self.decided)

    def play(self, table: Table) -> None:
        """One match: the left player's phone enters every game, the right player's confirms."""
        tail = self.phone(table.left).enter(table.match, self.games_at(table))
        self.phone(table.right).confirm(table.match, tail)
        self.told.winners[table.match] = self.winner_at(table)

    def winner_at(self, table: Table) -> uuid.UUID:
        return table.left if self.games_at(table)[-1].winner is Side.LEFT else table.right

    def open_tables(self) -> list[Table]:
        """The matches that can be played now, in the order of the sheet."""
        page = Wire(self.stage.url)
        return [table_of(pairing) for pairing in pairings_told(page.get(self.bracket)) if pairing["match_id"]]

    def games_at(self, table: Table) -> list[Game]:
        """The games of this match, the same ones whenever it is asked."""
        rng = random.Random(f"{self.seed}/{table.name}")
        ruleset = Ruleset.from_json(self.tournament.ruleset)
        return [played.game for played in play_match(table.length, ruleset, 0.5, rng)]

    def tables(self) -> Iterator[Table | None]:
        """Matches as a spectator sees them open, and None after each look, until the last is decided."""
        page, seen, ends = Wire(self.stage.url), set[str](), time.monotonic() + PATIENCE
        while self.decided < len(self.tokens) - 1:
            assert time.monotonic() < ends, f"only {len(seen)} matches have opened"
            for pairing in pairings_told(page.get(self.bracket)):
                if pairing["match_id"] and pairing["match_id"] not in seen:
                    seen.add(pairing["match_id"])
                    yield table_of(pairing)
            yield None


class Phone:
    """A player's phone: sends again, with the same key, what was not answered."""

    def __init__(self, url: str, token: str, told: Told) -> None:
        self.url, self.token = url, token
        self.wire = Wire(url, token)
        self.told = told

    def enter(self, match: uuid.UUID, games: list[Game], after: uuid.UUID | None = None) -> uuid.UUID:
        """Enters the games one after the other, the first after the row of that key; returns the key of the last."""
        tail = after or match
        for game in games:
            row = row_of(game, tail)
            self.send(f"/api/v1/matches/{match}/games/", row)
            tail = uuid.UUID(row["key"])
            self.told.acknowledge(tail)
        return tail

    def confirm(self, match: uuid.UUID, tail: uuid.UUID) -> None:
        self.send(f"/api/v1/matches/{match}/confirm/", {"tail": str(tail)})
        self.told.acknowledge()

    def send(self, path: str, body: dict[str, Any]) -> Answer:
        """The answer, once there is one. Whoever is refused has found a fault, and the test ends."""
        ends = time.monotonic() + PATIENCE
        while True:
            self.told.sent()
            try:
                answer = self.wire.post(path, body)
            except (OSError, HTTPException):
                answer = Answer(599, "no answer")
            if answer.status < 500:
                assert answer.is_ok, (path, answer)
                return answer
            if answer.status == 503:
                self.told.refuse()
            assert time.monotonic() < ends, (path, answer)
            time.sleep(RETRY_SECONDS)


def open_hall(stage: Stage, entries: int, length: int = 3) -> Hall:
    """So many players, drawn and released, each with a phone."""
    with stage.database():
        director = stories.director()
        tournament = stories.released(director, entries, lengths=(length,))
        tokens = links.give_links(list(tournament.entries.all()), director)
        sign_in_link = links.make_sign_in_link(tournament.event.memberships.get().user)
    return Hall(stage, tournament, sign_in_link, {entry.pk: token for entry, token in tokens.items()})


def row_of(game: Game, predecessor: uuid.UUID) -> dict[str, Any]:
    return {
        "key": str(uuid.uuid4()),
        "predecessor": str(predecessor),
        "winner": game.winner.value,
        "win": game.win.name.lower(),
        "ending": game.ending.value,
        "cube": game.cube,
    }


def pairings_told(answer: Answer) -> list[dict[str, Any]]:
    assert answer.is_ok, answer
    return [pairing for told in answer.body["rounds"] for pairing in told["pairings"]]


def table_of(pairing: dict[str, Any]) -> Table:
    left, right = (uuid.UUID(pairing[side]["entry_id"]) for side in ("left", "right"))
    name = f"{pairing['round']}/{pairing['line']}"
    return Table(name, uuid.UUID(pairing["match_id"]), left, right, pairing["length"])
