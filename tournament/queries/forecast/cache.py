"""Forecasts of this process: an event's is worked out by one thread at a time, for everybody who asked before it began.

That of a large event takes a second or two of a processor, and each of its pages asks again with every change: a dozen
of them must not work out the same a dozen times, nor hold every thread of a node. What is kept is only ever shown, and
never for long; nothing here reads or writes rows.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from itertools import count
from threading import Lock
from time import monotonic
from typing import Final, Generic, NamedTuple, TypeVar

MOST_KEPT: Final = 8
MOST_WAITING: Final = 2
"""Who comes while so many wait for one that is being worked out gets what was told last, where that is known."""
OLDEST_SECONDS: Final = 60.0
"""What was told longer ago is told to nobody any more: then they wait as well."""

Told = TypeVar("Told")


class _Kept(NamedTuple, Generic[Told]):
    told: Told
    begun: int
    at: float


class _Line:
    """Who waits for one key, the one who works it out among them."""

    def __init__(self) -> None:
        self.lock, self.waiting = Lock(), list[int]()


class OneAtATime(Generic[Told]):
    """What was told last of each key, for those that were large enough to be kept."""

    def __init__(self, is_large: Callable[[Told], bool], now: Callable[[], float] = monotonic) -> None:
        self._is_large, self._now = is_large, now
        self._kept: OrderedDict[Hashable, _Kept[Told]] = OrderedDict()
        self._lines: dict[Hashable, _Line] = {}
        self._turns = count()

    def of(self, key: Hashable, work: Callable[[Told | None], Told]) -> Told:
        """As new as if it were worked out for this asker alone, unless too many wait already.

        `work` is handed what was told before, which it may build on.
        """
        came, kept = next(self._turns), self._kept.get(key)
        line = self._lines.setdefault(key, _Line())  # in one step: who came first have one line as well
        if kept is not None and len(line.waiting) > MOST_WAITING and self._now() - kept.at < OLDEST_SECONDS:
            return kept.told
        line.waiting.append(came)
        try:
            with line.lock:
                return self._worked_out(key, work, came)
        finally:
            line.waiting.remove(came)

    def _worked_out(self, key: Hashable, work: Callable[[Told | None], Told], came: int) -> Told:
        kept = self._kept.get(key)
        if kept is not None and kept.begun > came:
            return kept.told
        begun, at = next(self._turns), self._now()
        told = work(kept.told if kept is not None else None)
        self._kept.pop(key, None)
        if self._is_large(told):
            self._kept[key] = _Kept(told, begun, at)
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        return told
