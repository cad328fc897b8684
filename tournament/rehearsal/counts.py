"""Counts of requests, games, matches and refusals of a rehearsal, and the exception that stops it."""

from collections import Counter
from dataclasses import dataclass, field


class Stopped(RuntimeError):
    """The rehearsal cannot continue. The message gives the reason."""


@dataclass
class Counts:
    """Counts of all simulated people together. At most `most` requests are sent."""

    most: int
    requests: int = 0
    games: int = 0
    matches: Counter[str] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)

    def count_request(self) -> None:
        self.requests += 1
        if self.requests > self.most:
            raise Stopped(f"More than {self.most:,} requests were needed. The rehearsal repeats itself.")
