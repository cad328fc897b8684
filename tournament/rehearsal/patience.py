"""Retries of simulated phones: after 429 and 503 responses, and for a limited time without a response.

A retry can repeat a request whose response was lost. Rows of cards have keys, so they are stored once. Other repeated
requests are refused as done already, which counts as a response.
"""

import time
from dataclasses import dataclass
from typing import Any

from tournament.rehearsal.counts import Counts, Stopped
from tournament.rehearsal.wire import NO_ANSWER, Answer, Wire

TOO_MANY, FAILED, UNAVAILABLE = 429, 500, 503
RETRY_STATUSES = (TOO_MANY, UNAVAILABLE)
RETRY_SECONDS = 30.0
SECONDS_BETWEEN_TRIES = 0.2


@dataclass
class Patience:
    """The shared time limit for retries. It starts with the first request without a response.

    Before the first response of all there are no retries, because then the address is probably wrong.
    """

    counts: Counts
    _is_silent: bool = True
    _ends: float = 0.0

    def record_response(self) -> None:
        self._is_silent = False

    def has_time_left(self) -> bool:
        if not self._is_silent:
            self._is_silent, self._ends = True, time.monotonic() + RETRY_SECONDS
        return time.monotonic() < self._ends


class PatientWire(Wire):
    """A wire that repeats a request until there is a response. Counts every attempt."""

    def __init__(self, url: str, token: str, patience: Patience, host: str = "") -> None:
        super().__init__(url, token, host)
        self._patience = patience

    def send(self, method: str, path: str, body: Any, headers: dict[str, str]) -> Answer:
        """Raises one of NO_ANSWER after the time limit, or Stopped if the server fails."""
        while (
            answer := self._attempt(method, path, body, headers)
        ) is None or answer.status in RETRY_STATUSES:
            time.sleep(answer.seconds_to_wait if answer else SECONDS_BETWEEN_TRIES)
        if answer.status >= FAILED:
            raise _failed(path, answer)
        return answer

    def _attempt(self, method: str, path: str, body: Any, headers: dict[str, str]) -> Answer | None:
        self._patience.counts.count_request()
        try:
            answer = super().send(method, path, body, headers)
        except NO_ANSWER:
            self.close()
            if self._patience.has_time_left():
                return None
            raise
        if answer.status != UNAVAILABLE:
            self._patience.record_response()
        elif not self._patience.has_time_left():
            raise _failed(path, answer)
        return answer


def _failed(path: str, answer: Answer) -> Stopped:
    return Stopped(f"The server failed at {path} with {answer.status}: read its log for the reason.")
