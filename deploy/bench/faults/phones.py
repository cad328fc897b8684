"""Phones that report matches over HTTP: patient ones, careless ones, and what all of them were told."""

import itertools
import random
import threading
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http.client import HTTPException
from typing import Any, NamedTuple

from deploy.bench.answers import BadAnswer, expect
from rules.ruleset import Ruleset
from rules.score import Game
from tournament.rehearsal.play import play_match
from tournament.rehearsal.wire import Answer, Wire

PATIENCE = 90.0
RETRY_SECONDS = 0.05
NO_ANSWER, NOT_JUST_NOW = 599, 503


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
        """The answer, once there is one. Raises BadAnswer: whoever is refused has found a fault."""
        ends = time.monotonic() + PATIENCE
        while True:
            answer = self._sent(path, body)
            if answer.status not in (NO_ANSWER, NOT_JUST_NOW):
                expect(answer)
                return answer
            if answer.status == NOT_JUST_NOW:
                self.told.refuse()
            if time.monotonic() > ends:
                raise BadAnswer(f"{path} was answered {answer.status} for {PATIENCE:.0f} s.")
            time.sleep(RETRY_SECONDS)

    def _sent(self, path: str, body: dict[str, Any]) -> Answer:
        self.told.sent()
        try:
            return self.wire.post(path, body)
        except (OSError, HTTPException):
            self.wire.close()  # an answer that comes too late is none to the next question
            return Answer(NO_ANSWER, "no answer")


class CarelessPhone(Phone):
    """Sends a game before the one that it follows, everything twice at the same time, and the first once more."""

    def enter(self, match: uuid.UUID, games: list[Game], after: uuid.UUID | None = None) -> uuid.UUID:
        path, rows = f"/api/v1/matches/{match}/games/", list(_rows(games, after or match))
        for row, next_row in itertools.zip_longest(rows, rows[1:]):
            if next_row is not None:
                self._too_early(path, next_row)
            self._send_twice(path, row)
            self.told.acknowledge(uuid.UUID(row["key"]))
        self.send(path, rows[0])
        return uuid.UUID(rows[-1]["key"])

    def confirm(self, match: uuid.UUID, tail: uuid.UUID) -> None:
        self._send_twice(f"/api/v1/matches/{match}/confirm/", {"tail": str(tail)})
        self.told.acknowledge()

    def _too_early(self, path: str, row: dict[str, Any]) -> None:
        """It is refused; while nobody answers, it says nothing."""
        answer = self._sent(path, row)
        if answer.status not in (NO_ANSWER, NOT_JUST_NOW) and answer.code != "card-changed":
            raise BadAnswer(f"A game that follows none was answered {answer.status}: {answer.body}")

    def _send_twice(self, path: str, body: dict[str, Any]) -> None:
        twin = Phone(self.url, self.token, self.told)
        with ThreadPoolExecutor(2) as threads:
            for one in [threads.submit(phone.send, path, body) for phone in (self, twin)]:
                one.result()


def row_of(game: Game, predecessor: uuid.UUID) -> dict[str, Any]:
    return {
        "key": str(uuid.uuid4()),
        "predecessor": str(predecessor),
        "winner": game.winner.value,
        "win": game.win.name.lower(),
        "ending": game.ending.value,
        "cube": game.cube,
    }


def games_at(table: Table, ruleset: Ruleset, seed: int) -> list[Game]:
    """The games of this match, the same ones whenever it is asked."""
    rng = random.Random(f"{seed}/{table.name}")  # noqa: S311 (dice of a game)
    return [played.game for played in play_match(table.length, ruleset, 0.5, rng)]


def pairings_told(answer: Answer) -> list[dict[str, Any]]:
    expect(answer)
    return [pairing for told in answer.body["rounds"] for pairing in told["pairings"]]


def table_of(pairing: dict[str, Any]) -> Table:
    left, right = (uuid.UUID(pairing[side]["entry_id"]) for side in ("left", "right"))
    name = f"{pairing['round']}/{pairing['line']}"
    return Table(name, uuid.UUID(pairing["match_id"]), left, right, pairing["length"])


def _rows(games: list[Game], tail: uuid.UUID) -> Iterator[dict[str, Any]]:
    for game in games:
        row = row_of(game, tail)
        tail = uuid.UUID(row["key"])
        yield row
