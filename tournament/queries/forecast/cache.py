"""Caches computed forecasts in this process. Requests for the same event share one computation.

The forecast of a large event takes a second or two of processor time, and every open page asks for it after each
change. Without sharing, a dozen pages would compute it a dozen times and occupy all threads of a process.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from itertools import count
from threading import Lock
from time import monotonic
from typing import Final, Generic, NamedTuple, TypeVar

MOST_CACHED: Final = 8
MOST_WAITING: Final = 2
"""A request that finds more requests waiting for its key gets the cached value, unless that is too old."""
OLDEST_SECONDS: Final = 60.0

Value = TypeVar("Value")


class _Cached(NamedTuple, Generic[Value]):
    value: Value
    started: int
    at: float


class _Queue:
    """The requests that wait for one key, including the one that computes."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.waiting: list[int] = []


class SharedCache(Generic[Value]):
    """Computes a value for one request per key at a time. Keeps the last value of a key if `is_large` accepts it."""

    def __init__(self, is_large: Callable[[Value], bool], now: Callable[[], float] = monotonic) -> None:
        self._is_large, self._now = is_large, now
        self._cached: OrderedDict[Hashable, _Cached[Value]] = OrderedDict()
        self._queues: dict[Hashable, _Queue] = {}
        self._sequence = count()

    def get(self, key: Hashable, compute: Callable[[Value | None], Value]) -> Value:
        """Returns a value whose computation started after this call, unless too many requests wait for the key.

        `compute` gets the cached value, or None, and may build on it.
        """
        arrived, cached = next(self._sequence), self._cached.get(key)
        queue = self._queues.setdefault(
            key, _Queue()
        )  # atomic, so that concurrent first requests share one queue
        if (
            cached is not None
            and len(queue.waiting) > MOST_WAITING
            and self._now() - cached.at < OLDEST_SECONDS
        ):
            return cached.value
        queue.waiting.append(arrived)
        try:
            with queue.lock:
                return self._compute(key, compute, arrived)
        finally:
            queue.waiting.remove(arrived)

    def _compute(self, key: Hashable, compute: Callable[[Value | None], Value], arrived: int) -> Value:
        cached = self._cached.get(key)
        if cached is not None and cached.started > arrived:
            return cached.value
        started, at = next(self._sequence), self._now()
        value = compute(cached.value if cached is not None else None)
        self._cached.pop(key, None)
        if self._is_large(value):
            self._cached[key] = _Cached(value, started, at)
            while len(self._cached) > MOST_CACHED:
                self._cached.popitem(last=False)
        return value
