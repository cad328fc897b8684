"""A queue of threads: whoever comes first has the first turn, and nobody waits for ever. Knows nothing of databases."""

import threading
from collections import deque


class FifoLock:
    """One turn at a time. What is entered must be left."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._waiting: deque[threading.Event] = deque()
        self._is_locked = False

    @property
    def has_waiters(self) -> bool:
        return bool(self._waiting)

    def acquire(self, seconds: float) -> bool:
        """Waits for a turn; False when it did not come in so many seconds."""
        with self._guard:
            if not self._is_locked:
                self._is_locked = True
                return True
            turn = threading.Event()
            self._waiting.append(turn)
        if turn.wait(seconds):
            return True
        with self._guard:
            if turn.is_set():
                return True
            self._waiting.remove(turn)
            return False

    def release(self) -> None:
        with self._guard:
            if self._waiting:
                self._waiting.popleft().set()
            else:
                self._is_locked = False
