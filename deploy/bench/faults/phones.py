"""Phones that report matches over HTTP, patient and careless ones, and a log of what they sent and received."""

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

from deploy.bench.steps import UnexpectedAnswer, check_answer
from rules.ruleset import Ruleset
from rules.score import Game
from tournament.rehearsal.play import play_match
from tournament.rehearsal.wire import Answer, Wire

GIVE_UP_SECONDS = 90.0
RETRY_SECONDS = 0.05
NO_ANSWER, UNAVAILABLE = 599, 503


@dataclass
class PhoneLog:
    """`games` holds the keys of acknowledged games, `winners` the confirmed winner of each match.

    `refused` counts answers 503, after which a phone retries.
    """

    requests: int = 0
    acknowledged: int = 0
    refused: int = 0
    games: set[uuid.UUID] = field(default_factory=set)
    winners: dict[uuid.UUID, uuid.UUID] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def add_request(self) -> None:
        with self._lock:
            self.requests += 1

    def add_refusal(self) -> None:
        with self._lock:
            self.refused += 1

    def add_acknowledgement(self, game: uuid.UUID | None = None) -> None:
        with self._lock:
            self.acknowledged += 1
            if game is not None:
                self.games.add(game)


class OpenMatch(NamedTuple):
    """`match` is the id of the match, `left` and `right` those of the entries. `name` is the same for the same draw."""

    name: str
    match: uuid.UUID
    left: uuid.UUID
    right: uuid.UUID
    length: int


class Phone:
    """A player's phone. It retries an unanswered request with the same key."""

    def __init__(self, url: str, token: str, log: PhoneLog) -> None:
        self.url, self.token = url, token
        self.wire = Wire(url, token)
        self.log = log

    def enter(self, match: uuid.UUID, games: list[Game], after: uuid.UUID | None = None) -> uuid.UUID:
        """Enters the games in order, the first after the row `after`; returns the key of the last."""
        tail = after or match
        for game in games:
            row = game_row(game, tail)
            self.send(f"/api/v1/matches/{match}/games/", row)
            tail = uuid.UUID(row["key"])
            self.log.add_acknowledgement(tail)
        return tail

    def confirm(self, match: uuid.UUID, tail: uuid.UUID) -> None:
        self.send(f"/api/v1/matches/{match}/confirm/", {"tail": str(tail)})
        self.log.add_acknowledgement()

    def send(self, path: str, body: dict[str, Any]) -> Answer:
        """Retries until the answer is neither missing nor 503. Raises UnexpectedAnswer for a refusal or after 90 s."""
        deadline = time.monotonic() + GIVE_UP_SECONDS
        while True:
            answer = self._send_once(path, body)
            if answer.status not in (NO_ANSWER, UNAVAILABLE):
                return check_answer(answer)
            if answer.status == UNAVAILABLE:
                self.log.add_refusal()
            if time.monotonic() > deadline:
                raise UnexpectedAnswer(f"{path} was answered {answer.status} for {GIVE_UP_SECONDS:.0f} s.")
            time.sleep(RETRY_SECONDS)

    def _send_once(self, path: str, body: dict[str, Any]) -> Answer:
        self.log.add_request()
        try:
            return self.wire.post(path, body)
        except (OSError, HTTPException):
            self.wire.close()  # a late answer would be read as the answer to the next request
            return Answer(NO_ANSWER, "no answer")


class CarelessPhone(Phone):
    """Sends each game before its predecessor, then twice at the same time, and the first game once more at the end."""

    def enter(self, match: uuid.UUID, games: list[Game], after: uuid.UUID | None = None) -> uuid.UUID:
        path, rows = f"/api/v1/matches/{match}/games/", list(_game_rows(games, after or match))
        for row, next_row in itertools.zip_longest(rows, rows[1:]):
            if next_row is not None:
                self._send_too_early(path, next_row)
            self._send_twice(path, row)
            self.log.add_acknowledgement(uuid.UUID(row["key"]))
        self.send(path, rows[0])
        return uuid.UUID(rows[-1]["key"])

    def confirm(self, match: uuid.UUID, tail: uuid.UUID) -> None:
        self._send_twice(f"/api/v1/matches/{match}/confirm/", {"tail": str(tail)})
        self.log.add_acknowledgement()

    def _send_too_early(self, path: str, row: dict[str, Any]) -> None:
        """Raises UnexpectedAnswer unless the game is refused or the request is unanswered."""
        answer = self._send_once(path, row)
        if answer.status not in (NO_ANSWER, UNAVAILABLE) and answer.code != "card-changed":
            raise UnexpectedAnswer(
                f"A game without its predecessor was answered {answer.status}: {answer.body}"
            )

    def _send_twice(self, path: str, body: dict[str, Any]) -> None:
        twin = Phone(self.url, self.token, self.log)
        with ThreadPoolExecutor(2) as threads:
            for sending in [threads.submit(phone.send, path, body) for phone in (self, twin)]:
                sending.result()


def game_row(game: Game, predecessor: uuid.UUID) -> dict[str, Any]:
    return {
        "key": str(uuid.uuid4()),
        "predecessor": str(predecessor),
        "winner": game.winner.value,
        "win": game.win.name.lower(),
        "ending": game.ending.value,
        "cube": game.cube,
    }


def _game_rows(games: list[Game], tail: uuid.UUID) -> Iterator[dict[str, Any]]:
    for game in games:
        row = game_row(game, tail)
        tail = uuid.UUID(row["key"])
        yield row


def simulate_games(match: OpenMatch, ruleset: Ruleset, seed: int) -> list[Game]:
    """The same games for the same match name and seed."""
    chance = random.Random(f"{seed}/{match.name}")  # noqa: S311 (simulated games)
    return [played.game for played in play_match(match.length, ruleset, 0.5, chance)]


def pairings_json(answer: Answer) -> list[dict[str, Any]]:
    """The pairings of a bracket as the API returns them."""
    rounds = check_answer(answer).body["rounds"]
    return [pairing for bracket_round in rounds for pairing in bracket_round["pairings"]]


def open_matches(answer: Answer) -> list[OpenMatch]:
    """The matches of a bracket that have both players, in the order of the draw sheet."""
    return [open_match(pairing) for pairing in pairings_json(answer) if pairing["match_id"]]


def open_match(pairing: dict[str, Any]) -> OpenMatch:
    left, right = (uuid.UUID(pairing[side]["entry_id"]) for side in ("left", "right"))
    name = f"{pairing['round']}/{pairing['line']}"
    return OpenMatch(name, uuid.UUID(pairing["match_id"]), left, right, pairing["length"])
