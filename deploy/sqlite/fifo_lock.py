"""A queue of threads: whoever comes first has the first turn, and nobody waits for ever. Knows nothing of databases."""

import threading
from collections import deque


class Turns:
    """One turn at a time. What is entered must be left."""

    def __init__(self) -> None:
        self._alone = threading.Lock()
        self._waiting: deque[threading.Event] = deque()
        self._is_taken = False

    @property
    def is_awaited(self) -> bool:
        return bool(self._waiting)

    def enter(self, seconds: float) -> bool:
        """Waits for a turn; False when it did not come in so many seconds."""
        with self._alone:
            if not self._is_taken:
                self._is_taken = True
                return True
            mine = threading.Event()
            self._waiting.append(mine)
        if mine.wait(seconds):
            return True
        with self._alone:
            if mine.is_set():
                return True
            self._waiting.remove(mine)
            return False

    def leave(self) -> None:
        with self._alone:
            if self._waiting:
                self._waiting.popleft().set()
            else:
                self._is_taken = False
