"""The simulated clock of a rehearsal. Scripts yield the minutes to wait; simulated time runs faster than real time."""

import heapq
import itertools
import time
from collections.abc import Generator

Script = Generator[float, None, None]


class Clock:
    """Runs scripts one at a time, ordered by their due time. `speed`: simulated minutes per minute; 0: no waiting."""

    def __init__(self, speed: float) -> None:
        self.speed = speed
        self.minutes = 0.0
        self._began = time.monotonic()
        self._due: list[tuple[float, int, Script]] = []
        self._numbers = itertools.count()

    def __str__(self) -> str:
        hours, minutes = divmod(int(self.minutes), 60)
        return f"{hours:02d}:{minutes:02d}"

    @property
    def is_idle(self) -> bool:
        return not self._due

    def start(self, script: Script, after: float = 0.0) -> None:
        heapq.heappush(self._due, (self.minutes + after, next(self._numbers), script))

    def step(self) -> None:
        """Waits for the next due script and runs it until it waits again."""
        due, _, script = heapq.heappop(self._due)
        self._wait_for(due)
        self.minutes = max(self.minutes, due)
        minutes = next(script, None)
        if minutes is not None:
            self.start(script, minutes)

    def _wait_for(self, due: float) -> None:
        if self.speed > 0:
            time.sleep(max(0.0, self._began + due * 60 / self.speed - time.monotonic()))
