"""A simulated phone, or the desk: actions of people as requests."""

import uuid
from dataclasses import dataclass
from random import Random
from typing import Any

from rules.score import Game
from tournament.rehearsal.counts import Counts, Stopped
from tournament.rehearsal.people import Player
from tournament.rehearsal.wire import Answer, Wire


class Phone:
    """Sends requests for one player, or with an API token for the desk."""

    def __init__(self, wire: Wire, counts: Counts, rng: Random) -> None:
        self.wire = wire
        self.counts = counts
        self._keys = rng

    def look(self, match: str) -> dict[str, Any]:
        """Returns the match with the cards that this phone may see."""
        answer = self._send("GET", f"matches/{match}/")
        if not answer.is_ok:
            raise Stopped(f"A match cannot be read: {answer.code}.")
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

    def stop(self, match: str, tail: str) -> str:
        """Ends a timed session; returns the new tail."""
        row = {"key": self._new_key(), "predecessor": tail}
        return str(row["key"]) if self.post(f"matches/{match}/stop/", row).is_ok else tail

    def confirm(self, match: str) -> None:
        self.post(f"matches/{match}/confirm/", {})

    def post(self, path: str, body: dict[str, Any]) -> Answer:
        """Sends a change. A refusal is counted and is not an error."""
        return self._send("POST", path, body)

    def _send(self, method: str, path: str, body: dict[str, Any] | None = None) -> Answer:
        answer = self.wire.send(method, f"/api/v1/{path}", body, {})
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
