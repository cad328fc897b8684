"""One thing measured: its times, the mark it is held against, and what else is to be known of it. Measures nothing
by itself but calls what is handed in."""

import gc
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from deploy.bench.figures import Figures

Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class Measure:
    """`mark` is in milliseconds, None where nothing is promised; `ratio` with its own mark compares two sizes."""

    what: str
    figures: Figures | None = None
    mark: float | None = None
    ratio: float | None = None
    most: float | None = None
    note: str = ""

    @property
    def is_met(self) -> bool | None:
        """None where nothing is promised."""
        if self.ratio is not None and self.most is not None:
            return self.ratio <= self.most
        if self.figures is None or self.mark is None:
            return None
        return self.figures.p50 <= self.mark

    def as_json(self) -> dict[str, Any]:
        return {
            "what": self.what,
            "ms": self.figures.as_json() if self.figures else None,
            "mark_ms": self.mark,
            "ratio": self.ratio,
            "most": self.most,
            "met": self.is_met,
            "note": self.note,
        }


@dataclass(frozen=True, slots=True)
class Sizes:
    """How large, and how often each is measured; `marks` says whether the sizes are those that marks are for."""

    bracket: int = 1024
    small_bracket: int = 16
    swiss: Sequence[int] = (64, 256, 1024, 4096)
    tables: Sequence[int] = (64, 256, 1024)
    samples: int = 15
    marks: bool = True


TRIAL = Sizes(bracket=32, swiss=(16,), tables=(16, 32), samples=2, marks=False)


def times(of: Callable[[Made], object], given: Callable[[], Made], samples: int) -> list[float]:
    """Seconds of so many calls, each on something fresh; rubbish is collected before and after, not meanwhile."""
    found = []
    gc.collect()
    gc.disable()
    try:
        for _ in range(samples):
            fresh = given()
            began = time.perf_counter()
            of(fresh)
            found.append(time.perf_counter() - began)
    finally:
        gc.enable()
    return found


def nothing() -> None:
    """What a measurement is given that needs nothing."""
