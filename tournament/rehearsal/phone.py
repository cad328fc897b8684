"""A simulated phone, or the desk: what people do with it, as requests; and a count of what came of them."""

import time
import uuid
from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Any

from rules.score import Game
from tournament.rehearsal.people import Player
from tournament.rehearsal.wire import Answer, Wire

TOO_MANY, TRIES = 429, 5


class Stopped(RuntimeError):
    """The rehearsal cannot go on; the sentence says why."""


@dataclass
class Counts:
    """What happened, for everybody together. `most` requests are sent and not one more."""

    most: int
    requests: int = 0
    games: int = 0
    matches: Counter[str] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)

    def one_more(self) -> None:
        self.requests += 1
        if self.requests > self.most:
            raise Stopped(
                f"More than {self.most:,} requests were needed, so something goes round in a circle."
            )


class Phone:
    """Speaks for one player, or with an API token for the desk."""

    def __init__(self, wire: Wire, counts: Counts, rng: Random) -> None:
        self.wire = wire
        self.counts = counts
        self._keys = rng

    def look(self, match: str) -> dict[str, Any]:
        """The match as this phone may see it, with its cards."""
        answer = self._send("GET", f"matches/{match}/")
        if not answer.is_ok:
            raise Stopped(f"A match cannot be read any more: {answer.code}.")
        return dict(answer.body)

    def row(self, tail: str, game: Game) -> dict[str, Any]:
        return {
            "key": self._new_key(),
            "predecessor": tail,
            "winner": game.winner.value,
            "win": game.win.name.lower(),
            "ending": game.ending.value,
            "cube": game.cube,
            "checkers_left": game.checkers_left,
            "automatic_doubles": game.automatic_doubles,
        }

    def hand_in(self, match: str, row: dict[str, Any]) -> Answer:
        answer = self.post(f"matches/{match}/games/", row)
        self.counts.games += answer.is_ok
        return answer

    def take_back(self, match: str, tail: str) -> str:
        """Strikes the last game; returns the new tail."""
        row = {"key": self._new_key(), "predecessor": tail, "supersedes": tail}
        return str(row["key"]) if self.post(f"matches/{match}/strikes/", row).is_ok else tail

    def report(self, match: str, tail: str, left: int, right: int) -> None:
        """Hands in the final score only."""
        row = {"key": self._new_key(), "predecessor": tail, "left": left, "right": right}
        self.post(f"matches/{match}/final/", row)

    def confirm(self, match: str) -> None:
        self.post(f"matches/{match}/confirm/", {})

    def post(self, path: str, body: dict[str, Any]) -> Answer:
        """Sends a change; a refusal is counted and is no fault."""
        return self._send("POST", path, body)

    def _send(self, method: str, path: str, body: dict[str, Any] | None = None) -> Answer:
        for _ in range(TRIES):
            self.counts.one_more()
            answer = self.wire.send(method, f"/api/v1/{path}", body, {})
            if answer.status != TOO_MANY:
                break
            time.sleep(float(answer.headers.get("retry-after", "1")))
        if answer.status >= 500:
            raise Stopped(f"The server failed at {path} with {answer.status}: its log says why.")
        if not answer.is_ok:
            self.counts.refusals[answer.code] += 1
        return answer

    def _new_key(self) -> str:
        return str(uuid.UUID(int=self._keys.getrandbits(128), version=4))


@dataclass(frozen=True, slots=True)
class Person:
    """A player with their phone."""

    entry: str
    name: str
    player: Player
    phone: Phone
