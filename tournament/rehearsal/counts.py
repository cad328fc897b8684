"""What happened at a rehearsal, counted for everybody together; and the end of one that cannot go on."""

from collections import Counter
from dataclasses import dataclass, field


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
