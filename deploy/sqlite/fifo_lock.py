"""A lock that threads get in the order of their requests, with a timeout."""

import threading
from collections import deque


class FifoLock:
    """Not reentrant. Every successful `acquire` needs a `release`."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._waiting: deque[threading.Event] = deque()
        self._is_locked = False

    @property
    def has_waiters(self) -> bool:
        return bool(self._waiting)

    def acquire(self, seconds: float) -> bool:
        """Returns False if the lock was not free within `seconds`."""
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
