"""How simulated people ask: whoever is told to come again does, and where nobody answers they try for a while.

What was carried out although its answer was lost is then asked a second time. Rows of cards carry their keys; whatever
has none is refused as done already, which is an answer like another. Nothing is made up here.
"""

import time
from dataclasses import dataclass
from typing import Any

from tournament.rehearsal.counts import Counts, Stopped
from tournament.rehearsal.wire import NO_ANSWER, Answer, Wire

TOO_MANY, FAILED, NOT_JUST_NOW = 429, 500, 503
COME_AGAIN = (TOO_MANY, NOT_JUST_NOW)
SECONDS_OF_SILENCE = 30.0
SECONDS_BETWEEN_TRIES = 0.2


@dataclass
class Patience:
    """Everybody's together: it begins with the first who is not answered. Who never was has the wrong address."""

    counts: Counts
    _is_silent: bool = True
    _ends: float = 0.0

    def is_answered(self) -> None:
        self._is_silent = False

    def is_left(self) -> bool:
        if not self._is_silent:
            self._is_silent, self._ends = True, time.monotonic() + SECONDS_OF_SILENCE
        return time.monotonic() < self._ends


class PatientWire(Wire):
    """A wire on which the same is sent again until there is an answer; every try is counted."""

    def __init__(self, url: str, token: str, patience: Patience, host: str = "") -> None:
        super().__init__(url, token, host)
        self._patience = patience

    def send(self, method: str, path: str, body: Any, headers: dict[str, str]) -> Answer:
        """Raises one of NO_ANSWER where nobody answers any more, Stopped where the server fails."""
        while (answer := self._tried(method, path, body, headers)) is None or answer.status in COME_AGAIN:
            time.sleep(answer.seconds_to_wait if answer else SECONDS_BETWEEN_TRIES)
        if answer.status >= FAILED:
            raise _failed(path, answer)
        return answer

    def _tried(self, method: str, path: str, body: Any, headers: dict[str, str]) -> Answer | None:
        self._patience.counts.one_more()
        try:
            answer = super().send(method, path, body, headers)
        except NO_ANSWER:
            self.close()
            if self._patience.is_left():
                return None
            raise
        if answer.status != NOT_JUST_NOW:
            self._patience.is_answered()
        elif not self._patience.is_left():
            raise _failed(path, answer)
        return answer


def _failed(path: str, answer: Answer) -> Stopped:
    return Stopped(f"The server failed at {path} with {answer.status}: its log says why.")
