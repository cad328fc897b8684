"""Caches computed forecasts in this process. Requests for the same event share one computation.

The forecast of a large event takes a second or two of processor time, and every open page asks for it after each
change. Without sharing, a dozen pages would compute it a dozen times and occupy all threads of a process.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from threading import Lock
from time import monotonic
from typing import Final, Generic, TypeVar

MOST_CACHED: Final = 8
MOST_WAITING: Final = 3
"""Requests that compute a key or wait for it. A further request gets the cached value, unless that is too old."""
OLDEST_SECONDS: Final = 60.0

Value = TypeVar("Value")


@dataclass
class _Slot(Generic[Value]):
    """The last value of one key, the start of its computation, and the requests that want a newer one."""

    value: Value | None = None
    started: float = 0.0
    waiting: int = 0
    lock: Lock = field(default_factory=Lock)


class SharedCache(Generic[Value]):
    """Computes a value for one request per key at a time. Keeps the values of the last MOST_CACHED keys."""

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        self._now = now
        self._slots: OrderedDict[Hashable, _Slot[Value]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable, compute: Callable[[Value | None], Value]) -> Value:
        """Returns a value whose computation started after this call, unless too many requests wait for the key.

        `compute` gets the cached value, or None, and may build on it.
        """
        with self._lock:
            arrived, slot = self._now(), self._slot(key)
            is_recent = slot.value is not None and arrived - slot.started < OLDEST_SECONDS
            if slot.value is not None and is_recent and slot.waiting >= MOST_WAITING:
                return slot.value
            slot.waiting += 1
        try:
            with slot.lock:
                if slot.value is None or slot.started <= arrived:
                    started = self._now()
                    slot.value, slot.started = compute(slot.value), started
                return slot.value
        finally:
            with self._lock:
                slot.waiting -= 1

    def _slot(self, key: Hashable) -> _Slot[Value]:
        slot = self._slots.setdefault(key, _Slot())
        self._slots.move_to_end(key)
        if len(self._slots) > MOST_CACHED:
            self._slots.popitem(last=False)
        return slot
